import PluginAPI
import PluginPostgres

/// `store share|unshare`.
extension StoreCommands {
  static func share(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "store share", "Copy a store to a PostgreSQL database and use it there",
      output: .init(
        .record([
          .init("store", .text), backend, .init("copied", .integer, "Number of items that were copied"),
          .init("known", .integer, "Number of items that the database already had"),
          .init(
            "notCopied", .integer,
            "Number of items that were not copied: you may not write there, or their names are taken"),
        ])),
      effects: [.reads, .writes, .network]
    ).taking([
      name, Parameter("address", .url, "Database, as postgresql://USER@HOST/DATABASE", isRequired: true),
    ]).explained(
      """
      All users of the database see the same content. The file on this machine is kept. Repeat the command to add what \
      the database lacks. If you can only read the database, nothing is copied. The password comes from '~/.pgpass' or \
      the file that PGPASSFILE names. The command asks for confirmation unless the global option '--yes' is given.
      """,
      examples: [.init("store share molecules:library postgresql://ada@localhost/lab", "A library for a lab")])
    return HostCommand(declaration) { [unowned interpreter] call in
      // Before anything else, so that an address with a password is refused whatever else is wrong.
      let address = try await interpreter.session.database(call.text("address"))
      let name = try await StoreName(call.text("store"), interpreter)
      let store = try await name.openShareable(interpreter)
      try await Question.confirm(
        "Copy '\(name.text)' to '\(address.name)' and use it there? Users of the database can read it.", interpreter)
      let summary = try await store.share(to: call.text("address")) { call.report($0) }
      let result: Value = [
        "store": .text(name.text), backend.name: .text(store.backend), "copied": .integer(summary.copied),
        "known": .integer(summary.known), "notCopied": .integer(summary.notCopied),
      ]
      try await call.emit(result)
    }
  }

  static func unshare(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "store unshare", "Return from a shared store to the file on this machine",
      output: .init(.record([.init("store", .text), backend])), effects: [.reads, .writes]
    ).taking([name]).explained(
      "The file has the content from before the store was shared; the database keeps its content. The command asks for "
        + "confirmation unless the global option '--yes' is given.",
      examples: [.init("store unshare molecules:library --yes", "Without confirmation")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let name = try await StoreName(call.text("store"), interpreter)
      let store = try await name.openShareable(interpreter)
      guard let address = store.sharedAddress else {
        throw ErrorReport(code: "host.store-not-shared", kind: .refused, "'\(name.text)' is not shared")
      }
      try await Question.confirm(
        "Use '\(store.path)' again instead of '\(address)'? Later changes are only in the database.", interpreter)
      try await store.unshare()
      let result: Value = ["store": .text(name.text), backend.name: .text(store.backend)]
      try await call.emit(result)
    }
  }
}

extension Store {
  /// The address of the shared database, or the kind of file on this machine.
  var backend: String { (self as? any ShareableStore)?.sharedAddress ?? "sqlite" }
}

extension StoreName {
  /// Opens the store to share it.
  ///
  /// - Throws: ``ErrorReport`` that names the stores that can be shared if this one cannot.
  @MainActor fileprivate func openShareable(_ interpreter: CommandInterpreter) throws -> any ShareableStore {
    if let store = try open(interpreter) as? any ShareableStore { return store }
    // A store that cannot be opened is irrelevant to this error.
    let shareable = Self.all(interpreter).filter { (try? $0.open(interpreter)) is any ShareableStore }.map(\.text)
    throw ErrorReport(
      code: "host.not-shareable", kind: .refused, "'\(text)' cannot be shared",
      advice: (shareable.isEmpty ? "no store" : shareable.joined(separator: ", "))
        + " can be shared; personal data and caches stay on this machine")
  }
}
