import PluginAPI

/// The versions of the program and of the plugins, and the settings of plugins, which all workers of a run share.
struct RunVersions: Sendable, Equatable {
  var program: String
  /// The plugin of the command.
  var plugin: RunPlan.PluginVersion?
  /// All plugins that can be used, by id: a command may call those of other plugins.
  var plugins: [RunPlan.PluginVersion]
  /// The settings of plugins that differ from their defaults, without personal ones.
  var settings: Record

  init(program: String, plugin: RunPlan.PluginVersion?, plugins: [RunPlan.PluginVersion], settings: Record) {
    (self.program, self.plugin, self.plugins, self.settings) = (program, plugin, plugins, settings)
  }

  /// The versions and settings of this program, for a command.
  @MainActor init(of entry: CommandEntry, _ interpreter: CommandInterpreter) throws {
    let host = interpreter.session.plugins
    let ready = host.catalog.plugins.filter { $0.state == .ready }
    var hashes = LibraryHashes(state: interpreter.session.folders.state)
    var plugins: [RunPlan.PluginVersion] = []
    for plugin in ready {
      guard let stamp = plugin.dossier?.stamp else { continue }
      plugins.append(
        RunPlan.PluginVersion(id: stamp.id, version: stamp.version, sha256: try hashes.hash(of: plugin)))
    }
    hashes.save()
    plugins.sort { $0.id < $1.id }
    var plugin: RunPlan.PluginVersion?
    if case .plugin(let id) = entry.owner {
      let version = host.contributions(of: id)?.plugin.version ?? ""
      plugin = RunPlan.PluginVersion(id: id, version: version, sha256: plugins.first { $0.id == id }?.sha256)
    }
    let changes = SettingsBook(interpreter).changes.filter { change in
      !change.parameter.isPersonal && !change.name.hasPrefix(HostSettings.area + ".")
    }
    self.init(
      program: HostVersion.number, plugin: plugin, plugins: plugins,
      settings: Record(changes.map { .init($0.name, $0.value) }))
  }

  /// Refuses to work on a run that was planned with other versions or settings.
  ///
  /// A plugin that was added since then does not matter.
  /// - Throws: ``ErrorReport`` with the code `batch.other-version`.
  func check(against plan: RunPlan) throws(ErrorReport) {
    func isOther(_ planned: RunPlan.PluginVersion?, _ present: RunPlan.PluginVersion?) -> Bool {
      planned?.id != present?.id || planned?.version != present?.version
    }
    if plan.version != program || isOther(plan.plugin, plugin) {
      throw Self.other(
        "the run was planned with \(Self.words(plan.version, plan.plugin)), this is \(Self.words(program, plugin))")
    }
    for planned in [plan.plugin].compactMap(\.self) + plan.plugins {
      let present = planned.id == plugin?.id ? plugin : plugins.first { $0.id == planned.id }
      guard let present else {
        throw Self.other("the run was planned with \(planned.id) \(planned.version), which cannot be used here")
      }
      if isOther(planned, present) {
        throw Self.other("the run was planned with \(planned.id) \(planned.version), this is \(present.version)")
      }
      if planned != present {
        throw Self.other("the library of \(planned.id) \(planned.version) is not the one that the run was planned with")
      }
    }
    guard let planned = plan.settings else { return }
    for name in Set(planned.names + settings.names).sorted() where planned[name] != settings[name] {
      throw Self.other(
        "the setting '\(name)' was \(Self.words(planned[name])) when the run was planned, and is"
          + " \(Self.words(settings[name])) now")
    }
  }

  private static func words(_ program: String, _ plugin: RunPlan.PluginVersion?) -> String {
    (["workbench \(program)"] + [plugin.map { "\($0.id) \($0.version)" }].compactMap(\.self)).joined(separator: ", ")
  }

  private static func words(_ value: Value?) -> String {
    value.map { "'\(GenericText.inline($0))'" } ?? "the default"
  }

  private static func other(_ message: String) -> ErrorReport {
    BatchError.otherVersion(
      message, advice: "plan a new run, or allow other results with '--allow-other-version'")
  }
}
