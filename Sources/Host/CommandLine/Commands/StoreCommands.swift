import Glibc
import PluginAPI

/// `store list|check|backup|restore|rebuild|export`.
@MainActor enum StoreCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [
      list(interpreter), check(interpreter), backup(interpreter), restore(interpreter),
      StoreRebuildCommand.command(interpreter), export(interpreter),
    ]
  }

  static let name = Parameter("store", .text, "Store, as PLUGIN:STORE", isRequired: true)

  private static func list(_ interpreter: CommandInterpreter) -> HostCommand {
    let fields: [ValueSchema.Field] = [
      .init("name", .text, "PLUGIN:STORE"), .init("summary", .text, "Contents of the store"),
      .init("path", .text, "Path of the store"),
      .init("schemaVersion", .integer, "Schema version that this program writes"),
      .init("bytes", .optional(.integer), "Size; null before the first use"),
    ]
    let declaration = CommandDescription(
      "store list", "List the stores of all plugins", output: .init(.table(fields))
    ).explained(examples: [.init("store list", "Names, paths and sizes")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let names = await StoreName.all(interpreter)
      var rows: [Record] = []
      for name in names {
        do {
          let store = try await name.open(interpreter)
          rows.append([
            "name": .text(name.text), "summary": .text(name.summary), "path": .text(store.path),
            "schemaVersion": .integer(store.schemaVersion), "bytes": .optional(size(of: store.path)),
          ])
        } catch {
          let report = ErrorReport(error)
          call.warn(Diagnostic(.warning, code: report.code, "'\(name.text)': \(report.message)", advice: report.advice))
        }
      }
      try await call.emit(.list(rows.map(Value.record)))
    }
  }

  /// Returns the size of a store, including SQLite's write-ahead log; nil before the first use.
  private nonisolated static func size(of path: String) -> Int? {
    HostFile.size(path).map { $0 + (HostFile.size(path + "-wal") ?? 0) }
  }

  private static func check(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "store check", "Check stores for damage",
      output: .init(
        .list(
          .record([
            .init("store", .text), .init("severity", .text), .init("code", .text), .init("message", .text),
            .init("advice", .optional(.text)),
          ])))
    ).taking([Parameter("store", .text, "Stores, as PLUGIN:STORE; all stores if omitted", isRepeatable: true)])
      .explained(examples: [.init("store check", "All stores"), .init("store check molecules:library", "one")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let given = call.texts("store")
      let names =
        given.isEmpty
        ? await StoreName.all(interpreter) : try await given.asyncMap { try await StoreName($0, interpreter) }
      var findings: [Value] = []
      var failed: [StoreName] = []
      for name in names {
        let diagnostics = try await name.open(interpreter).check()
        if diagnostics.contains(where: { $0.severity == .error }) { failed.append(name) }
        findings += diagnostics.map { finding in
          [
            "store": .text(name.text), "severity": .text(finding.severity.rawValue), "code": .text(finding.code),
            "message": .text(finding.message), "advice": .optional(finding.advice),
          ]
        }
      }
      try await call.emit(.list(findings))
      if findings.isEmpty {
        let stores =
          names.isEmpty ? "no plugin has a store" : "no damage found: \(names.map(\.text).joined(separator: ", "))"
        call.warn(Diagnostic(.note, code: "host.whole-stores", stores))
      }
      if !failed.isEmpty {
        var advice = "restore a backup with 'workbench store restore STORE FILE'"
        for name in failed where await name.rebuildCommand(interpreter) != nil {
          advice += ", or rebuild '\(name.text)' from its files with 'workbench store rebuild \(name.text)'"
        }
        throw ErrorReport(
          code: "host.damaged-store", kind: .failure,
          "damaged: \(failed.map(\.text).joined(separator: ", "))", advice: advice)
      }
    }
  }

  private static func backup(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "store backup", "Back up a store to a new file",
      output: .init(.record([.init("store", .text), .init("file", .text), .init("bytes", .optional(.integer))])),
      effects: [.reads, .writes]
    ).taking([
      name,
      Parameter(
        "file", .outputFile,
        "Backup file; - for standard output; default a file in 'backups' in the data folder"),
    ]).explained(
      "The store may be in use. 'workbench store list' shows its contents, and the files that backups do not include.",
      examples: [.init("store backup molecules:library", "Into the folder 'backups' of the data folder")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let name = try await StoreName(call.text("store"), interpreter)
      let folder = interpreter.session.folders.data + "/backups"
      let path: String
      if let given = call["file"].text {
        path = HostFile.absolute(given)
      } else {
        try HostFile.makeFolder(folder)
        path = folder + "/" + name.plugin + "-" + name.store + "-" + Instant.now.fileStamp + ".backup"
      }
      if access(path, F_OK) == 0 {
        throw ErrorReport(
          code: "host.file-exists", kind: .refused, "'\(path)' already exists", advice: "choose another name")
      }
      try await name.open(interpreter).backup(to: path)
      let result: Value = [
        "store": .text(name.text), "file": .text(path), "bytes": .optional(HostFile.size(path)),
      ]
      try await call.emit(result)
    }
  }

  private static func restore(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "store restore", "Replace a store with a backup", output: .init(.record([.init("store", .text)])),
      effects: [.reads, .writes]
    ).taking([name, Parameter("file", .inputFile(extensions: []), "Backup file", isRequired: true)])
      .explained(
        "The command asks for confirmation unless --yes is given. An unusable backup leaves the store unchanged.",
        examples: [.init("store restore molecules:library library.backup --yes", "Without confirmation")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let name = try await StoreName(call.text("store"), interpreter)
      let path = HostFile.absolute(call.text("file"))
      _ = try HostFile.start(of: path, count: 1)
      try await Question.confirm(
        "Replace the content of '\(name.text)' with '\(path)'? Changes since the backup are lost.", interpreter)
      try await name.open(interpreter).restore(from: path)
      let result: Value = ["store": .text(name.text)]
      try await call.emit(result)
    }
  }

  private static func export(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "store export", "Print the content of a store as tables", output: .init(.any)
    ).taking([name]).explained(examples: [.init("store export molecules:library --json", "As JSON")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let name = try await StoreName(call.text("store"), interpreter)
      try await call.emit(try await name.open(interpreter).export())
    }
  }
}

extension Array {
  /// Returns the results of an asynchronous function, called for one element after the other.
  fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}

extension Instant {
  /// The moment as part of a file name: `20261120T210700Z`.
  fileprivate var fileStamp: String {
    Instant(seconds: seconds).description.filter { $0 != "-" && $0 != ":" }
  }
}
