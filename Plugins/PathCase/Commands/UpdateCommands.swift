import PluginAPI

/// Commands that activate another state of the database.
enum UpdateCommands {
  static let all: [PathCaseCommand] = [update, rollback]

  private static let server = Option(
    "server", String.self, "an address, a folder or a .tar.gz file; the setting 'server' unless it is given")
  private static let only = Option(
    "only", ContractType.self, kind: .choice((ContractType.single + [.layout]).map(\.rawValue)),
    "the only type that is brought up to date")

  private static let update = PathCaseCommand(
    CommandDescription(
      "update", "fetches what changed in the database", output: .table(of: UpdateOutcome.TypeOutcome.self),
      effects: [.reads, .writes, .network]
    ).taking(server, only).explained(
      """
      All documents are asked for at once and read while others come; what has not changed is not fetched. The new state \
      takes its place in one step when it is whole. If anything fails, or it is interrupted, the one in use stays.
      """,
      examples: [
        .init("update", "from the server of the settings"),
        .init("update --server https://example.org/maw", "from another one"),
        .init("update --server snapshot.tar.gz --only processes", "one type of a file"),
      ])
  ) { call, shelf in
    let request = DatabaseUpdate.Request(server: call[server], only: call[only])
    let outcome = try await DatabaseUpdate.run(shelf, call.context, request) { call.report($0) }
    for issue in outcome.warnings.prefix(RecordIssue.kept) {
      call.warn(Diagnostic(.warning, code: issue.code.errorCode, issue.text))
    }
    call.warn(outcome.note)
    try await call.emit(table: outcome.types)
  }

  private struct ActiveDatabase: Model {
    var database: MetabolicDatabase
    var origin: SnapshotOrigin?

    static let typeName = "pathcase.active-database"
    static let fields = Fields<Self> {
      Field("snapshot", \.database.snapshot, "the state in use now, in the words of whoever made it")
      Field("source", \.origin?.source, "where it was fetched from; null for the one that came with the program")
      Field("fetchedAt", { $0.origin.map { Instant(seconds: Int64($0.fetchedAt)) } }, "when it was fetched")
      Field("pathways", \.database.pathways.count, "how many pathways it has")
    }
  }

  private static let rollback = PathCaseCommand(
    CommandDescription(
      "rollback", "takes the database before the one in use", output: .model(ActiveDatabase.self),
      effects: [.reads, .writes]
    ).explained(
      "A second time takes the later one back. Own layouts, observations and scenarios stay.",
      examples: [.init("rollback", "the state before the last update")])
  ) { call, shelf in
    let store = PathwayShelf.snapshots(call.context)
    try await call.compute("rollback") { _ in try store.rollback() }
    shelf.databaseReplaced(call.context, reason: "rollback")
    try await call.emit(
      ActiveDatabase(database: try shelf.database(call.context), origin: try shelf.origin(call.context)))
  }
}

extension ContractType: ParameterValue {}
