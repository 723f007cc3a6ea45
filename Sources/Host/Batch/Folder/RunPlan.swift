import PluginAPI

/// The plan of a run, which never changes: its command and items, and the versions that it was made for.
struct RunPlan: Sendable, Equatable {
  /// A plugin.
  struct PluginVersion: Sendable, Equatable {
    var id: String
    var version: String
    /// SHA-256 of the library; nil for a plugin that is part of the process.
    var sha256: String?

    init(id: String, version: String, sha256: String?) {
      (self.id, self.version, self.sha256) = (id, version, sha256)
    }

    /// Creates a version from the value in a plan; nil if it is none.
    fileprivate init?(_ value: Value) {
      guard let id = value["id"].text else { return nil }
      self.init(id: id, version: value["version"].text ?? "", sha256: value["sha256"].text)
    }

    fileprivate var value: Value {
      ["id": .text(id), "version": .text(version), "sha256": .optional(sha256)]
    }
  }

  /// The limits of an item, and permissions.
  struct Limits: Sendable, Equatable {
    /// The time after which an item's process is killed.
    var itemTimeoutInSeconds: Double
    /// The resident memory above which an item's process is killed; nil for no limit.
    var itemMemoryInMebibytes: Int?
    var allowsNetwork = false
  }

  /// The options that shaped the plan, beside its seed, limits and shards.
  struct Options: Sendable, Equatable {
    /// The field with the cost of an item; nil for the size of its input.
    var costField: String?
    /// The number of items to run while planning, to predict the others; nil for the usual number.
    var probeSize: Int?
    /// A Boolean value indicating whether the checksums of inputs are computed while planning.
    var hashesInputs = false
  }

  /// The identifier of the run: 32 hexadecimal digits.
  var id: String
  /// The words of the command, with placeholders.
  var command: [String]
  /// The folder that relative paths refer to.
  var folder: String
  /// The number of items, counted from 1.
  var itemCount: Int
  /// The number of shards, counted from 1.
  var shardCount: Int
  /// The checksum of the list of items.
  var listDigest: String
  /// The names of the items' fields.
  var fields: [String]
  var limits: Limits
  /// The seed from which those of the items are made.
  var seed: Int
  var options: Options
  /// The backups of stores that workers use in place of the user's; none if items name no content of stores.
  var stores: [StoreSnapshot]
  /// The predicted time and memory; nil without a probe.
  var prediction: RunPrediction?
  /// The version of the program.
  var version: String
  /// The plugin of the command.
  var plugin: PluginVersion?
  /// All plugins that could be used, by id; none in a plan of an earlier version.
  var plugins: [PluginVersion]
  /// The settings of plugins that differed from their defaults; nil in a plan of an earlier version.
  var settings: Record?

  /// Reads the plan of a run.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.no-run` or `batch.broken-run`.
  init(reading folder: RunFolder) throws {
    guard let bytes = try? HostFile.read(folder.plan) else {
      throw BatchError.noRun("there is no run in '\(folder.name)'", advice: "list runs with 'workbench batch list'")
    }
    guard let value = try? JSONReader.read(bytes), let plan = RunPlan(value) else {
      throw BatchError.brokenRun("'\(folder.name)/run.json' is not the plan of a run", advice: "plan a new run")
    }
    self = plan
  }

  init(
    id: String, command: [String], folder: String, itemCount: Int, shardCount: Int, listDigest: String,
    fields: [String], limits: Limits, seed: Int = 0, options: Options = Options(), stores: [StoreSnapshot] = [],
    prediction: RunPrediction? = nil, version: String, plugin: PluginVersion?, plugins: [PluginVersion] = [],
    settings: Record? = nil
  ) {
    (self.id, self.command, self.folder) = (id, command, folder)
    (self.itemCount, self.shardCount, self.listDigest) = (itemCount, shardCount, listDigest)
    (self.fields, self.limits, self.version, self.plugin) = (fields, limits, version, plugin)
    (self.seed, self.options, self.stores, self.prediction) = (seed, options, stores, prediction)
    (self.plugins, self.settings) = (plugins, settings)
  }

  /// Creates a plan from the value in its file; nil if it is none.
  init?(_ value: Value) {
    guard let id = value["run"].text, let command = value["command"].list?.compactMap(\.text),
      let folder = value["folder"].text, let items = value["items"].integer, items >= 1,
      let shards = value["shards"].integer, shards >= 1, let digest = value["listSHA256"].text,
      let fields = value["fields"].list?.compactMap(\.text), let version = value["version"].text,
      let timeout = value["limits"]["itemTimeout"].number
    else { return nil }
    self.init(
      id: id, command: command, folder: folder, itemCount: items, shardCount: shards, listDigest: digest,
      fields: fields,
      limits: Limits(
        itemTimeoutInSeconds: timeout, itemMemoryInMebibytes: value["limits"]["itemMemory"].integer,
        allowsNetwork: value["limits"]["allowNetwork"].bool ?? false),
      seed: value["seed"].integer ?? 0,
      options: Options(
        costField: value["options"]["cost"].text, probeSize: value["options"]["probe"].integer,
        hashesInputs: value["options"]["checksums"].bool ?? false),
      stores: value["stores"].list?.compactMap(StoreSnapshot.init) ?? [],
      prediction: RunPrediction(value["prediction"]),
      version: version,
      plugin: PluginVersion(value["plugin"]),
      plugins: value["plugins"].list?.compactMap(PluginVersion.init) ?? [],
      settings: value["settings"].record)
  }

  /// The plan as it is written.
  var value: Value {
    [
      "run": .text(id), "command": .list(command.map(Value.text)), "folder": .text(folder),
      "items": .integer(itemCount), "shards": .integer(shardCount), "listSHA256": .text(listDigest),
      "fields": .list(fields.map(Value.text)),
      "limits": [
        "itemTimeout": .number(limits.itemTimeoutInSeconds), "itemMemory": .optional(limits.itemMemoryInMebibytes),
        "allowNetwork": .bool(limits.allowsNetwork),
      ],
      "seed": .integer(seed),
      "options": [
        "cost": .optional(options.costField), "probe": .optional(options.probeSize),
        "checksums": .bool(options.hashesInputs),
      ],
      "stores": .list(stores.map(\.value)), "prediction": prediction?.value ?? .null,
      "version": .text(version),
      "plugin": plugin?.value ?? .null, "plugins": .list(plugins.map(\.value)),
      "settings": settings.map(Value.record) ?? .null,
    ]
  }

  /// The template of the command.
  var template: CommandTemplate {
    get throws { try CommandTemplate(command, fields: fields, seed: seed) }
  }
}

extension RunPlan {
  /// Refuses options of a call that differ from the plan's, as they would have no effect.
  ///
  /// Options that are not given are those of the plan.
  /// - Throws: ``ErrorReport`` with the code `batch.other-plan`.
  func check(_ call: CommandCall, _ folder: RunFolder) throws(ErrorReport) {
    let planned: KeyValuePairs<String, Value> = [
      "seed": .integer(seed), "item-timeout": .number(limits.itemTimeoutInSeconds),
      "item-memory": .optional(limits.itemMemoryInMebibytes), "allow-network": .bool(limits.allowsNetwork),
      "cost": .optional(options.costField), "probe": .optional(options.probeSize),
      "checksums": .bool(options.hashesInputs), "shards": .integer(shardCount),
    ]
    for (name, value) in planned where !call[name].isNull && call[name] != false {
      var given = call[name]
      if name == "shards", let count = given.integer {
        given = .integer(ShardPlanner.shardCount(given: count, itemCount: itemCount))
      }
      guard given != value else { continue }
      let words = value.isNull || value == false ? "without it" : "with \(GenericText.inline(value))"
      throw BatchError.otherPlan(
        "'--\(name)' is \(GenericText.inline(call[name])), but '\(folder.name)' was planned \(words)",
        advice: "leave it out to resume the run, or name a new folder")
    }
  }
}
