internal import CHost
import Glibc
import PluginAPI

/// `plugin install|upgrade|rollback|pin|unpin|remove|outdated|pack`.
@MainActor enum PluginInstallCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [
      install(interpreter), upgrade(interpreter), rollback(interpreter), pin(interpreter, isPinned: true),
      pin(interpreter, isPinned: false), remove(interpreter), outdated(interpreter), pack(interpreter),
    ]
  }

  private nonisolated static let outcomeFields: [ValueSchema.Field] = [
    .init("id", .text, "Plugin id"), .init("version", .text, "major.minor.patch"),
    .init("path", .text, "Path of the installed library or manifest"),
    .init("sha256", .text, "SHA-256 of the library or manifest"),
    .init("replaced", .optional(.text), "Version installed before"),
    .init("source", .optional(.text), "Path or address that it is from"),
    .init("key", .optional(.text), "Public key of its signature; null if it is unsigned"),
  ]

  private nonisolated static func record(_ outcome: PluginInstaller.Outcome) -> Record {
    let release = outcome.release
    return [
      "id": .text(outcome.id), "version": .text(release.version ?? ""), "path": .text(release.file ?? ""),
      "sha256": .text(release.hash ?? ""), "replaced": .optional(outcome.replaced),
      "source": .optional(release.source), "key": .optional(release.key),
    ]
  }

  private static let allowUnsigned = Parameter(
    "allow-unsigned", .flag, "Install a plugin that is not signed with a known key without asking")

  private static func install(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "plugin install", "Install a plugin for this user", output: .init(.record(outcomeFields)),
      effects: [.reads, .writes, .network]
    ).taking(
      [
        Parameter(
          "path", .inputFile(extensions: [PackageArchive.fileExtension, "so"]),
          "Package, library, folder with a plugin, or NAME or NAME@VERSION from a source", isRequired: true)
      ],
      options: [
        Parameter(
          "replace", .text, "Id of the bundled plugin to replace; its stores pass to the new plugin"),
        Parameter("key", .text, "Minisign public key that the package must be signed with"),
        Parameter("source", .text, "Source to install a NAME from"), allowUnsigned,
      ]
    ).explained(
      "The command checks the files, shows what the plugin can do, asks for confirmation, and copies it to your "
        + "plugins. The previous version is kept for 'plugin rollback', and so are the plugin's stores. A plugin that "
        + "is not signed with a known key must be confirmed by typing its id, or with --allow-unsigned. Replacing a "
        + "bundled plugin requires '--replace ID'; 'plugin remove' restores the bundled one.",
      examples: [
        .init("install tides-1.0.0.wbplugin", "Install a package"),
        .init("install tides@1.2", "Install the newest 1.2 from a source"),
        .init("install .build/release/libTides.so", "Install a library"),
        .init("install ~/tides --allow-unsigned", "Install your own plugin from its folder"),
      ])
    return HostCommand(declaration, opensPipes: true) { [unowned interpreter] call in
      let outcome = try await installed(call, interpreter)
      if let replaced = call["replace"].text { PluginCommands.warnOfReplacement(replaced, call) }
      try await call.emit(.record(record(outcome)))
    }
  }

  private static func installed(
    _ call: CommandCall, _ interpreter: CommandInterpreter
  ) async throws -> PluginInstaller.Outcome {
    let word = call.text("path")
    let sources = interpreter.session.packageSources
    var choices = PluginInstallation.Choices(
      replaced: call["replace"].text, allowsUnsigned: call.flag("allow-unsigned"), knownKeys: sources.all.map(\.key))
    if let text = call["key"].text {
      guard let key = MinisignKey(text) else {
        throw PackageError.badKey("'\(text)' is not a minisign public key, which begins with RW")
      }
      choices.key = key
    }
    let installation = PluginInstallation(interpreter: interpreter, call: call, choices: choices)
    // A file or folder of that name comes first, unless a source is named.
    guard let name = PackageName(word), call["source"].text != nil || access(word, F_OK) != 0 else {
      let files = try await call.compute("reading '\(word)'") { _ in try PluginFiles(at: word) }
      return try await installation.install(files)
    }
    let loaded = try await PluginSourceCommands.load(call["source"].text, call, interpreter)
    let offer = try PackageSources.offer(name.id, version: name.version, in: loaded)
    let files = try await call.compute("fetching '\(word)'") { try sources.fetch(offer, $0) }
    return try await installation.install(files, of: offer)
  }

  private static func upgrade(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "plugin upgrade", "Upgrade plugins to the newest versions of their sources",
      output: .init(.table(outcomeFields)), effects: [.reads, .writes, .network]
    ).taking(
      [Parameter("id", .text, "Plugin id")],
      options: [Parameter("all", .flag, "Upgrade all plugins that are not pinned")]
    ).explained(
      "A plugin is upgraded only from the source that it was installed from. An upgrade that can do more than the "
        + "installed version must be confirmed. Running programs keep the version they started with.",
      examples: [.init("upgrade tides", "One plugin"), .init("upgrade --all --yes", "All plugins, without asking")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let (outcomes, failure) = try await upgraded(call, interpreter)
      let rows = outcomes.map(record)
      try await call.emit(
        .table(
          Table(
            columns: outcomeFields.map { field in .init(field.name, .values(rows.map { $0[field.name] ?? .null })) })
        ))
      if let failure { throw failure }
      if outcomes.isEmpty {
        let versions = call["id"].text == nil ? "newer version of a plugin that is not pinned" : "newer version"
        call.warn(Diagnostic(.note, code: "host.nothing-newer", "the sources have no " + versions))
      }
    }
  }

  /// Upgrades plugins; a failed upgrade does not stop the others.
  ///
  /// - Returns: The upgraded plugins, and the first error.
  private static func upgraded(
    _ call: CommandCall, _ interpreter: CommandInterpreter
  ) async throws -> ([PluginInstaller.Outcome], failure: (any Error)?) {
    let lock = PluginLock(data: interpreter.session.folders.data)
    var entries = lock.entries.values.filter { $0.release.index != nil && !$0.isPinned }.sorted { $0.id < $1.id }
    if let id = call["id"].text {
      guard let entry = lock[id], entry.release.source != nil else { throw InstallError.notInstalled(id) }
      if entry.isPinned { throw InstallError.pinned(id, version: entry.release.version ?? "") }
      guard entry.release.index != nil else { throw InstallError.noSource(id) }
      entries = [entry]
    } else if !call.flag("all") {
      throw CommandLineError.missingArgument("id", command: "plugin upgrade", expectation: "a plugin id, or --all")
    }
    let source = call["id"].text == nil ? nil : entries.first?.release.index
    let loaded = entries.isEmpty ? [] : try await PluginSourceCommands.load(source, call, interpreter)
    let sources = interpreter.session.packageSources
    let installation = PluginInstallation(interpreter: interpreter, call: call, choices: .init())
    var (outcomes, failure): ([PluginInstaller.Outcome], (any Error)?) = ([], nil)
    for entry in entries {
      guard let source = loaded.first(where: { $0.source.name == entry.release.index }),
        let offer = newer(than: entry, in: source)
      else { continue }
      do {
        let files = try await call.compute("fetching '\(entry.id)'") { try sources.fetch(offer, $0) }
        outcomes.append(try await installation.install(files, of: offer))
      } catch {
        if error is CancellationError { throw error }
        let report = ErrorReport(error)
        if entries.count > 1 {
          call.warn(Diagnostic(.error, code: report.code, "'\(entry.id)': \(report.message)", advice: report.advice))
        }
        failure = failure ?? error
      }
    }
    return (outcomes, failure)
  }

  /// Returns the newest release that fits, if it is newer than the installed one and its index has the same key.
  private static func newer(
    than entry: PluginLock.Entry, in source: PackageSources.Loaded
  ) -> PackageSources.Offer? {
    guard source.source.key.text == entry.release.key,
      let offer = try? PackageSources.offer(entry.id, version: nil, in: [source]),
      let installed = entry.release.version.flatMap(PluginVersion.init), offer.release.version > installed
    else { return nil }
    return offer
  }

  private static func rollback(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "plugin rollback", "Return to the version of a plugin before the last upgrade",
      output: .init(.record(outcomeFields)), effects: [.reads, .writes]
    ).taking([PluginCommands.idParameter]).explained(
      "The plugin's stores, documents and settings are unchanged. A second rollback returns to the newer version.",
      examples: [.init("rollback tides", "The previous version")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let id = call.text("id")
      let installer = await interpreter.session.plugins.installer
      let outcome = try await call.compute("changing the version") { _ in try installer.rollback(id) }
      await interpreter.session.plugins.forgetCatalog()
      try await call.emit(.record(record(outcome)))
    }
  }

  private static func pin(_ interpreter: CommandInterpreter, isPinned: Bool) -> HostCommand {
    let word = isPinned ? "pin" : "unpin"
    let schema = ValueSchema.record([
      .init("id", .text, "Plugin id"), .init("version", .optional(.text), "major.minor.patch"),
      .init("pinned", .bool, "True if upgrades skip it"),
    ])
    let declaration = CommandDescription(
      "plugin " + word, isPinned ? "Keep a plugin at its version" : "Allow upgrades of a pinned plugin again",
      output: .init(schema), effects: [.reads, .writes]
    ).taking([PluginCommands.idParameter]).explained(
      examples: [.init(word + " tides", isPinned ? "Upgrades skip the plugin" : "Upgrades include the plugin")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let installer = await interpreter.session.plugins.installer
      let entry = try installer.setPinned(call.text("id"), isPinned)
      try await call.emit([
        "id": .text(entry.id), "version": .optional(entry.release.version), "pinned": .bool(entry.isPinned),
      ])
    }
  }

  private static func remove(_ interpreter: CommandInterpreter) -> HostCommand {
    let schema = ValueSchema.record([
      .init("id", .text, "Plugin id"), .init("removed", .text, "Removed file or folder"),
    ])
    let declaration = CommandDescription(
      "plugin remove", "Remove a plugin of this user and keep its stores", output: .init(schema),
      effects: [.reads, .writes]
    ).taking([PluginCommands.idParameter]).explained(
      "The plugin's stores, documents and settings are kept, in case it is installed again.",
      examples: [.init("remove tides", "Remove the plugin 'tides'")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let id = call.text("id")
      let removed = try await MainActor.run {
        let plugins = interpreter.session.plugins
        let path = try plugins.installer.remove(try plugins.cataloged(id), id: id)
        plugins.forgetCatalog()
        return path
      }
      try await call.emit(["id": .text(id), "removed": .text(removed)])
    }
  }

  private static func outdated(_ interpreter: CommandInterpreter) -> HostCommand {
    let fields: [ValueSchema.Field] = [
      .init("id", .text, "Plugin id"), .init("version", .optional(.text), "Installed version"),
      .init("available", .optional(.text), "Newer version that its source has for this workbench"),
      .init("pinned", .bool, "True if upgrades skip it"),
      .init("problem", .optional(.text), "Reason why the workbench of --host refuses the installed version"),
    ]
    let declaration = CommandDescription(
      "plugin outdated", "List plugins with newer versions, or refused by another workbench",
      output: .init(.table(fields)), effects: [.reads, .network]
    ).taking(
      options: [Parameter("host", .inputFile(extensions: []), "Executable of another workbench, such as the next one")]
    ).explained(examples: [
      .init("outdated", "Newer versions in the sources"),
      .init("outdated --host ~/workbench-next/bin/workbench", "Plugins that the next workbench will refuse"),
    ])
    return HostCommand(declaration, opensPipes: true) { [unowned interpreter] call in
      let rows = try await outdated(call, interpreter)
      try await call.emit(
        .table(Table(columns: fields.map { field in .init(field.name, .values(rows.map { $0[field.name] ?? .null })) }))
      )
    }
  }

  private static func outdated(_ call: CommandCall, _ interpreter: CommandInterpreter) async throws -> [Record] {
    var contract: ContractStamp?
    if let program = call["host"].text {
      contract = try await call.compute("asking '\(program)'") { _ in try ContractStamp(of: program) }
    }
    let lock = PluginLock(data: interpreter.session.folders.data)
    let sources = Set(lock.entries.values.compactMap(\.release.index))
    let loaded = sources.isEmpty ? [] : try await PluginSourceCommands.load(nil, call, interpreter)
    return interpreter.session.plugins.catalog.plugins.compactMap { plugin -> Record? in
      guard let id = plugin.id, plugin.source != .bundled, plugin.state != .shadowed else { return nil }
      let entry = lock[id].flatMap { $0.release.file == plugin.path ? $0 : nil }
      let source = entry?.release.index.flatMap { name in loaded.first { $0.source.name == name } }
      let available = entry.flatMap { entry in source.flatMap { newer(than: entry, in: $0) } }?.release.version
      let problem = contract.flatMap { plugin.dossier?.build?.objection($0) }
      if available == nil, problem == nil { return nil }
      return [
        "id": .text(id), "version": .optional(plugin.dossier?.stamp?.version),
        "available": .optional(available?.description), "pinned": .bool(entry?.isPinned ?? false),
        "problem": .optional(problem),
      ]
    }
  }

  private static func pack(_ interpreter: CommandInterpreter) -> HostCommand {
    let schema = ValueSchema.record([
      .init("id", .text, "Plugin id"), .init("version", .text, "major.minor.patch"),
      .init("file", .text, "Package"), .init("signature", .optional(.text), "File of the signature"),
      .init("sha256", .text, "SHA-256 of the package"), .init("size", .integer, "Size of the package in bytes"),
      .init("contractRevision", .optional(.integer), "Contract revision that a library needs"),
      .init("compiler", .optional(.text), "Compiler that a library was built with"),
      .init("os", .text, "Operating system it is for"), .init("arch", .text, "Processor it is for"),
      .init("libc", .text, "C library it is for"),
      .init("effects", .list(.text), "Effects that its commands declare"),
    ])
    let declaration = CommandDescription(
      "plugin pack", "Make a package of a plugin", output: .init(schema), effects: [.reads, .writes]
    ).taking(
      [Parameter("folder", .folder, "Folder with a plugin.json, or with a library and resources/", isRequired: true)],
      options: [
        Parameter("output", .outputFile, "Package; ID-VERSION.wbplugin in the current folder if omitted"),
        Parameter("key", .inputFile(extensions: ["key"]), "Minisign secret key to sign with, without a passphrase"),
      ]
    ).explained(
      "The same files give the same bytes. The plugin is checked as before an installation. The result has the fields "
        + "that an index needs. 'minisign -G -W -s FILE' makes a key; a key with a passphrase signs with 'minisign -Sm'.",
      examples: [
        .init("pack ~/tides", "Package of a folder, or of the library built in it"),
        .init("pack ~/tides --key ~/.minisign/minisign.key", "Package with a signature beside it"),
      ])
    return HostCommand(declaration) { [unowned interpreter] call in
      let installer = await interpreter.session.plugins.installer
      let (folder, output, key) = (call.text("folder"), call["output"].text, call["key"].text)
      let result = try await call.compute("packing '\(folder)'") { _ in
        try packed(folder, to: output, key: key, installer)
      }
      try await call.emit(.record(result))
    }
  }

  private nonisolated static func packed(
    _ folder: String, to output: String?, key: String?, _ installer: PluginInstaller
  ) throws -> Record {
    let files = try PluginFiles(at: folder)
    let inspection = try installer.inspect(files)
    let staged = try installer.stage(files, inspection)
    installer.discard(staged)
    let stamp = inspection.stamp
    let packing = try PluginPacking(files, stamp)
    let file = output ?? "\(stamp.id)-\(stamp.version).\(PackageArchive.fileExtension)"
    var signature: String?
    if let key {
      let secret = try MinisignSecret(try HostFile.read(key, limit: 1 << 16), path: key)
      let signed = try MinisignSignature.file(
        signing: packing.bytes, comment: "file:" + FilePath.name(of: file), with: secret)
      let path = file + MinisignSignature.fileExtension
      try HostFile.write(signed, to: path, mode: HostFile.resultMode)
      signature = path
    }
    try HostFile.write(packing.bytes, to: file, mode: HostFile.resultMode)
    let isLibrary = packing.revision != nil
    return [
      "id": .text(stamp.id), "version": .text(stamp.version), "file": .text(file), "signature": .optional(signature),
      "sha256": .text(try ContentHash.required(packing.bytes)), "size": .integer(packing.bytes.count),
      "contractRevision": .optional(packing.revision), "compiler": .optional(packing.compiler),
      "os": .text(isLibrary ? Machine.system : Machine.any), "arch": .text(isLibrary ? Machine.processor : Machine.any),
      "libc": .text(isLibrary ? Machine.library : Machine.any), "effects": .list(staged.rights.effects.map(Value.text)),
    ]
  }
}

/// A plugin as users name it to install it from a source: `NAME` or `NAME@VERSION`.
struct PackageName: Sendable, Hashable {
  var id: String
  var version: String?

  /// Reads a word; nil if it is a path.
  init?(_ word: String) {
    let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard PluginID.objection(to: parts[0]) == nil, parts.count == 1 || !parts[1].isEmpty else { return nil }
    (id, version) = (parts[0], parts.count == 2 ? parts[1] : nil)
  }
}

extension ContractStamp {
  private static let deadlineInMilliseconds: Int32 = 10_000

  /// Asks another program of Workbench for its contract.
  init(of program: String) throws {
    let path = FilePath.absolute(program)
    let result = PluginProbe.run(
      path, ["workbench", "version", "--json"], limit: 1 << 16, deadlineInMilliseconds: Self.deadlineInMilliseconds)
    defer { free(result.output) }
    let output = Array(UnsafeBufferPointer(start: result.output, count: result.count))
    let version = (try? JSONReader.read(output)) ?? .null
    guard let revision = version["contract"].integer, let oldest = version["oldestContract"].integer,
      let compiler = version["compiler"].text
    else {
      throw ErrorReport(
        code: "host.not-a-workbench", kind: .unusableInput, "'\(program)' is not the program of a workbench",
        advice: "name its file 'workbench'")
    }
    self.init(revision: revision, oldest: oldest, compiler: compiler)
  }
}
