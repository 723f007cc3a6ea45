import PluginAPI

/// Plugins as values, for people and scripts.
enum PluginDescriptionValue {
  private static let common: [ValueSchema.Field] = [
    .init("id", .optional(.text), "Plugin id; null if the file does not state it"),
    .init("name", .optional(.text), "Display name; null if the plugin was not opened"),
    .init("version", .optional(.text), "major.minor.patch"),
    .init("state", .choice(CatalogedPlugin.State.allCases.map(\.rawValue)), "State of the plugin"),
    .init("source", .choice(PluginSource.allCases.map(\.rawValue)), "Kind of folder it is in"),
    .init("isolation", .choice(["in process", "own process"]), "Place where its code runs"),
    .init("signed", .bool, "True if a signature proves its origin"),
    .init("path", .text, "Library, manifest or folder"),
    .init("code", .optional(.text), "Error code if it cannot be used"),
    .init("reason", .optional(.text), "Reason why it cannot be used, with advice"),
  ]

  static let listSchema = ValueSchema.table(common)

  static let infoSchema = ValueSchema.record(
    common + [
      .init("summary", .text, "Purpose of the plugin"),
      .init("contractRevision", .optional(.integer), "Contract revision of its build"),
      .init("compiler", .optional(.text), "Compiler of its build"), .init("needs", .list(.text), "Libraries it needs"),
      .init("modules", .list(.text), "Swift modules it contains"),
      .init("sha256", .optional(.text), "SHA-256 of the library"),
      .init("installedFrom", .optional(.text), "Path or address it was installed from"),
      .init("installedAt", .optional(.text), "Date of the installation, ISO 8601"), .init("commands", .list(.text)),
      .init("screens", .list(.text)), .init("stores", .list(.text)), .init("fileTypes", .list(.text)),
      .init("checks", .list(.text)), .init("pinned", .bool, "True if upgrades skip it"),
      .init("key", .optional(.text), "Public key of its signature"),
      .init("indexedBy", .optional(.text), "Source whose index lists it"),
      .init("previousVersion", .optional(.text), "Version that 'plugin rollback' restores"),
    ])

  /// Returns the table of all plugins, and of the excluded folders.
  ///
  /// - Parameter isIsolating: True if this run opens libraries in child processes.
  static func list(_ catalog: PluginCatalog, _ lock: PluginLock, isIsolating: Bool) -> Value {
    var rows = catalog.plugins.map { row($0, release(of: $0, lock), isIsolating: isIsolating) }
    for problem in catalog.problems {
      let report = problem.refusal.report
      var row = Record(common.map { Record.Field($0.name, .null) })
      row["state"] = "refused"
      row["isolation"] = "in process"
      row["signed"] = false
      row["source"] = .text(problem.source.rawValue)
      row["path"] = report.details["path"] ?? .null
      row["code"] = .text(report.code)
      row["reason"] = .text(report.description)
      rows.append(row)
    }
    let columns = common.map { field in
      Table.Column(field.name, .values(rows.map { $0[field.name] ?? .null }))
    }
    return .table(Table(columns: columns)).typed("host.plugin-list")
  }

  /// Returns the installed version that a plugin is; nil if it was not installed.
  private static func release(of plugin: CatalogedPlugin, _ lock: PluginLock) -> PluginLock.Release? {
    guard let release = plugin.id.flatMap({ lock[$0]?.release }), release.file == plugin.path else { return nil }
    return release
  }

  private static func row(_ plugin: CatalogedPlugin, _ release: PluginLock.Release?, isIsolating: Bool) -> Record {
    let hasOwnProcess = isIsolating || ProgramManifest.isManifest(plugin.path)
    let name = plugin.state == .ready ? plugin.dossier?.name : nil
    return [
      "id": .optional(plugin.id), "name": .optional(name), "version": .optional(plugin.dossier?.stamp?.version),
      "state": .text(plugin.state.rawValue), "source": .text(plugin.source.rawValue),
      "isolation": hasOwnProcess ? "own process" : "in process", "signed": .bool(release?.key != nil),
      "path": .text(plugin.path), "code": .optional(plugin.error?.code),
      "reason": .optional(plugin.error?.description),
    ]
  }

  /// Returns one plugin in full.
  ///
  /// - Parameter isIsolating: True if this run opens libraries in child processes.
  static func info(
    _ plugin: CatalogedPlugin, _ contributions: StoredContributions?, _ lock: PluginLock, isIsolating: Bool
  ) -> Value {
    let (entry, release) = (plugin.id.flatMap { lock[$0] }, Self.release(of: plugin, lock))
    var record = row(plugin, release, isIsolating: isIsolating)
    let dossier = plugin.dossier
    record["summary"] = .text(contributions?.plugin.summary ?? "")
    record["contractRevision"] = .optional(dossier?.build?.revision)
    record["compiler"] = .optional(dossier?.build?.compiler)
    record["needs"] = texts(dossier?.needs.names)
    record["modules"] = texts(dossier?.modules)
    record["sha256"] = .optional(dossier.flatMap { $0.hash.isEmpty ? nil : $0.hash })
    record["installedFrom"] = .optional(release?.source)
    record["installedAt"] = .optional(release?.date)
    record["commands"] = texts(contributions?.commandNames)
    record["screens"] = texts(contributions?.screens.map(\.name))
    record["stores"] = texts(contributions?.stores.map(\.name))
    // A type has several descriptions if its files start with different bytes.
    var seen: Set<String> = []
    record["fileTypes"] = texts(contributions?.fileTypes.map(\.name).filter { seen.insert($0).inserted })
    record["checks"] = texts(contributions?.checks.map(\.name))
    record["pinned"] = .bool(entry?.isPinned ?? false)
    record["key"] = .optional(release?.key)
    record["indexedBy"] = .optional(release?.index)
    record["previousVersion"] = .optional(entry?.previous?.version)
    return Value.record(record).typed("host.plugin-info")
  }

  private static func texts(_ texts: [String]?) -> Value {
    .list((texts ?? []).map(Value.text))
  }
}
