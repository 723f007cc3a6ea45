import Glibc
import PluginAPI

/// `store list|check|backup|restore|rebuild|export|share|unshare`.
@MainActor enum StoreCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [
      list(interpreter), check(interpreter), backup(interpreter), restore(interpreter),
      StoreRebuildCommand.command(interpreter), export(interpreter), share(interpreter), unshare(interpreter),
    ]
  }

  static let name = Parameter("store", .text, "Store, as PLUGIN:STORE", isRequired: true)
  /// The field for the location of a store's content.
  nonisolated static let backend = ValueSchema.Field(
    "backend", .text, "Address of the shared database, or sqlite for files on this machine")

  private static func list(_ interpreter: CommandInterpreter) -> HostCommand {
    let fields: [ValueSchema.Field] = [
      .init("name", .text, "PLUGIN:STORE"), .init("summary", .text, "Contents of the store"),
      .init("path", .text, "Path of the store on this machine"),
      .init("schemaVersion", .integer, "Schema version that this program writes"),
      .init("bytes", .optional(.integer), "Size there; null before the first use"), backend,
    ]
    let declaration = CommandDescription(
      "store list", "List the stores of all plugins", output: .init(.table(fields))
    ).explained(examples: [.init("store list", "Names, paths, sizes and back ends")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let names = await StoreName.all(interpreter)
      var rows: [Record] = []
      for name in names {
        do {
          let store = try await name.open(interpreter)
          rows.append([
            "name": .text(name.text), "summary": .text(name.summary), "path": .text(store.path),
            "schemaVersion": .integer(store.schemaVersion), "bytes": .optional(size(of: store.path)),
            backend.name: .text(store.backend),
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
      .explained(examples: [.init("store check", "All stores"), .init("store check molecules:library", "One store")])
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
        "The command asks for confirmation unless the global option '--yes' is given. An unusable backup leaves the store unchanged.",
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

/// `store rebuild`: runs the command 'rebuild STORE' of the store's plugin, which alone knows the source of its data.
@MainActor private enum StoreRebuildCommand {
  static func command(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "store rebuild", "Rebuild a damaged store from its source files", output: .init(.any),
      effects: [.reads, .writes]
    ).taking([StoreCommands.name]).explained(
      "The command asks for confirmation unless the global option '--yes' is given. It keeps the damaged file. If the plugin cannot "
        + "rebuild the store, restore a backup.",
      examples: [.init("store rebuild molecules:library --yes", "Without confirmation")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let name = try await StoreName(call.text("store"), interpreter)
      guard let command = await name.rebuildCommand(interpreter) else {
        throw ErrorReport(
          code: "host.cannot-rebuild", kind: .refused,
          "cannot rebuild '\(name.text)': it is the only copy of its data",
          advice: "restore a backup with 'workbench store restore'")
      }
      try await Question.confirm("Rebuild '\(name.text)' from its files? The damaged file is kept.", interpreter)
      try await CommandRunner(host: interpreter.session.plugins)
        .run(command, from: nil, Record(), output: ForwardedOutput(call: call))
    }
  }
}

extension StoreName {
  /// Returns the command that rebuilds the store, as `plugin.command`; nil if its plugin has none.
  @MainActor func rebuildCommand(_ interpreter: CommandInterpreter) -> String? {
    let contributions = interpreter.session.plugins.contributions.first { $0.plugin.id == plugin }
    return contributions?.commandNames.contains("rebuild " + store) == true ? plugin + ".rebuild " + store : nil
  }
}

/// A receiver that passes everything on to the call of another command.
private struct ForwardedOutput: CommandOutput {
  let call: CommandCall

  func emit(_ value: Value) async throws { try await call.emit(value) }
  func report(_ progress: Progress) { call.report(progress) }
  func warn(_ diagnostic: Diagnostic) { call.warn(diagnostic) }
  func request(_ request: CommandRequest) async throws -> Value { try await call.request(request) }
}

/// A store as the command line names it: `plugin:store`.
struct StoreName: Equatable, Sendable {
  let plugin: String
  let store: String
  /// A summary of its contents.
  let summary: String

  var text: String { plugin + ":" + store }

  private init(plugin: String, _ description: StoreDescription) {
    self.plugin = plugin
    store = description.name
    summary = description.summary
  }

  /// Finds a store by name; the plugin's id suffices if it has only one store.
  ///
  /// - Throws: ``ErrorReport`` if there is no such store.
  @MainActor init(_ text: String, _ interpreter: CommandInterpreter) throws {
    let all = Self.all(interpreter)
    let ofPlugin = all.filter { $0.plugin == text }
    if let exact = all.first(where: { $0.text == text }) ?? (ofPlugin.count == 1 ? ofPlugin.first : nil) {
      self = exact
      return
    }
    let known = all.map(\.text)
    throw ErrorReport(
      code: "host.unknown-store", kind: .notFound, "there is no store '\(text)'",
      advice: Suggestion.advice(for: text, in: known)
        ?? (known.isEmpty ? "no plugin has a store" : "stores are \(known.joined(separator: ", "))"))
  }

  /// Returns the stores of all plugins.
  @MainActor static func all(_ interpreter: CommandInterpreter) -> [StoreName] {
    interpreter.session.plugins.contributions.flatMap { plugin in
      plugin.stores.map { StoreName(plugin: plugin.plugin.id, $0) }
    }
  }

  /// Opens the store, which activates its plugin.
  @MainActor func open(_ interpreter: CommandInterpreter) throws -> any Store {
    do {
      return try interpreter.session.plugins.activated(plugin).context.store(store)
    } catch {
      throw ErrorReport(wrapping: error, plugin: plugin, command: "store " + store)
    }
  }
}

/// Asks the user.
enum Question {
  /// Asks for confirmation.
  ///
  /// - Throws: ``ErrorReport`` of kind refused if the user does not agree or cannot be asked.
  @MainActor static func confirm(_ text: String, _ interpreter: CommandInterpreter) async throws {
    if interpreter.options.assumeYes { return }
    guard let answer = try await ask(text + " [y/N] ", interpreter) else {
      throw ErrorReport(
        code: "host.not-confirmed", kind: .refused,
        "this command needs confirmation, and there is no terminal to ask on",
        advice: "confirm with '--yes'")
    }
    guard ["y", "yes"].contains(answer.lowercased()) else {
      throw ErrorReport(code: "host.not-confirmed", kind: .refused, "you did not confirm")
    }
  }

  /// Asks the user to type a word, where a 'y' out of habit is not enough; `--yes` does not answer it.
  ///
  /// - Returns: True if the user typed the word; nil if the user cannot be asked.
  @MainActor static func confirm(
    _ text: String, typing word: String, _ interpreter: CommandInterpreter
  ) async throws -> Bool? {
    try await ask("\(text) Type '\(word)' to agree: ", interpreter).map { $0 == word }
  }

  /// Returns the line that the user types; nil if there is no terminal to ask on.
  @MainActor private static func ask(_ text: String, _ interpreter: CommandInterpreter) async throws -> String? {
    guard interpreter.streams.inputIsTerminal, !interpreter.options.noInput else { return nil }
    try interpreter.streams.error.write(text)
    try interpreter.streams.error.flush()
    return try await interpreter.session.loop.compute("question") { _ in readLine() ?? "" }
  }
}
