import PluginAPI

/// `plugin search` and `plugin source add|list|remove`.
@MainActor enum PluginSourceCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [search(interpreter), add(interpreter), list(interpreter), remove(interpreter)]
  }

  private nonisolated static let sourceFields: [ValueSchema.Field] = [
    .init("name", .text, "Name of the source"), .init("location", .text, "Path or address of its index"),
    .init("key", .text, "Minisign public key that its index is signed with"),
  ]

  private nonisolated static func record(_ source: PackageSource) -> Record {
    ["name": .text(source.name), "location": .text(source.location), "key": .text(source.key.text)]
  }

  /// Loads the indexes of sources and reports their problems.
  ///
  /// - Parameter name: The name of a source; nil for all, of which those that cannot be used are left out.
  static func load(
    _ name: String?, _ call: CommandCall, _ interpreter: CommandInterpreter
  ) async throws -> [PackageSources.Loaded] {
    let sources = interpreter.session.packageSources
    let all = sources.all
    let wanted = name == nil ? all : all.filter { $0.name == name }
    if let name, wanted.isEmpty { throw SourceError.unknown(name, known: all.map(\.name)) }
    var loaded: [PackageSources.Loaded] = []
    for source in wanted {
      do {
        let one = try await call.compute("fetching the index of '\(source.name)'") { try sources.load(source, $0) }
        for diagnostic in one.diagnostics { call.warn(diagnostic) }
        loaded.append(one)
      } catch {
        if name != nil || error is CancellationError { throw error }
        let report = ErrorReport(error)
        call.warn(
          Diagnostic(.warning, code: report.code, "source '\(source.name)': \(report.message)", advice: report.advice))
      }
    }
    return loaded
  }

  private static func search(_ interpreter: CommandInterpreter) -> HostCommand {
    let fields: [ValueSchema.Field] = [
      .init("id", .text, "Plugin id"), .init("version", .text, "Newest version that fits this workbench"),
      .init("summary", .text, "Purpose of the plugin"), .init("source", .text, "Name of the source"),
      .init("license", .optional(.text), "License"), .init("homepage", .optional(.text), "Web page"),
      .init("effects", .list(.text), "Effects that its commands declare"),
      .init("installed", .optional(.text), "Version that is installed"),
    ]
    let declaration = CommandDescription(
      "plugin search", "List the plugins that sources offer", output: .init(.table(fields)),
      effects: [.reads, .network]
    ).taking([Parameter("text", .text, "Part of an id or summary; all plugins if omitted")])
      .explained(examples: [.init("search sequence", "Plugins about sequences")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let loaded = try await load(nil, call, interpreter)
      let lock = PluginLock(data: interpreter.session.folders.data)
      let rows = offers(of: loaded, about: call.text("text")).map { offer in
        let (release, source) = (offer.release, offer.source.name)
        let row: Record = [
          "id": .text(release.id), "version": .text(release.version.description), "summary": .text(release.summary),
          "source": .text(source), "license": .optional(release.license), "homepage": .optional(release.homepage),
          "effects": .list(release.effects.map(Value.text)), "installed": .optional(lock[release.id]?.release.version),
        ]
        return row
      }
      try await call.emit(
        .table(Table(columns: fields.map { field in .init(field.name, .values(rows.map { $0[field.name] ?? .null })) }))
      )
    }
  }

  /// Returns the newest fitting release of each plugin whose id or summary has a text.
  private nonisolated static func offers(
    of sources: [PackageSources.Loaded], about text: String
  ) -> [PackageSources.Offer] {
    sources.flatMap { loaded in
      let releases = loaded.index.releases.filter { release in
        text.isEmpty || FuzzyMatch(text, in: release.id + " " + release.summary).map { $0.kind >= .substring } ?? false
      }
      return Set(releases.map(\.id)).sorted().compactMap { id in
        try? PackageSources.offer(id, version: nil, in: [loaded])
      }
    }
  }

  private static func add(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "plugin source add", "Add a source of plugins", output: .init(.record(sourceFields)),
      effects: [.reads, .writes, .network]
    ).taking(
      [Parameter("location", .text, "Folder, index.json or https address", isRequired: true)],
      options: [
        Parameter("key", .text, "Minisign public key that the index is signed with", isRequired: true)
      ]
    ).explained(
      "The index must be signed with the key, which its publisher states. Anyone with the secret key can offer you "
        + "plugins and upgrades.",
      examples: [
        .init("source add https://example.org/plugins --key RWQ…", "Source on the network"),
        .init("source add /media/plugins --key RWQ…", "Source in a folder, without a network"),
      ])
    return HostCommand(declaration) { [unowned interpreter] call in
      guard let key = MinisignKey(call.text("key")) else {
        throw PackageError.badKey("'\(call.text("key"))' is not a minisign public key, which begins with RW")
      }
      let (location, sources) = (call.text("location"), await interpreter.session.packageSources)
      let loaded = try await call.compute("fetching the index") { try sources.add(location, key: key, $0) }
      for diagnostic in loaded.diagnostics { call.warn(diagnostic) }
      try await call.emit(.record(record(loaded.source)))
    }
  }

  private static func list(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "plugin source list", "List the sources of plugins", output: .init(.table(sourceFields))
    ).explained(examples: [.init("source list", "Names, locations and keys")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let rows = await interpreter.session.packageSources.all.map(record)
      try await call.emit(
        .table(
          Table(columns: sourceFields.map { field in .init(field.name, .values(rows.map { $0[field.name] ?? .null })) })
        ))
    }
  }

  private static func remove(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "plugin source remove", "Remove a source of plugins", output: .init(.record([.init("name", .text, "Name")])),
      effects: [.reads, .writes]
    ).taking([Parameter("name", .text, "Name of the source", isRequired: true)]).explained(
      "Plugins installed from it are kept.", examples: [.init("source remove lab", "Forget a source")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let name = call.text("name")
      try await interpreter.session.packageSources.remove(name)
      try await call.emit(["name": .text(name)])
    }
  }
}

extension HostSession {
  /// The sources of packages that the user added.
  var packageSources: PackageSources { PackageSources(folders: folders, isOffline: options.isOffline) }
}
