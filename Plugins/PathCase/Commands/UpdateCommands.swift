import PluginAPI

/// Commands that activate another state of the database.
enum UpdateCommands {
  static let all: [PathCaseCommand] = [update, rollback]

  private static let update = PathCaseCommand(
    CommandDescription(
      "update", "fetches what changed in the database", output: .init(.table(UpdateOutcome.fields)),
      effects: [.reads, .writes, .network]
    ).taking(options: [
      Parameter("server", .text, "an address, a folder or a .tar.gz file; the setting 'server' unless it is given"),
      Parameter(
        "only", .choice((ContractType.single + [.layout]).map(\.rawValue)), "the only type that is brought up to date"),
    ]).explained(
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
    let request = DatabaseUpdate.Request(
      server: call["server"].text, only: ContractType(rawValue: call.text("only")))
    let outcome = try await DatabaseUpdate.run(shelf, call.context, request) { call.report($0) }
    for issue in outcome.warnings.prefix(RecordIssue.kept) {
      call.warn(Diagnostic(.warning, code: issue.code.errorCode, issue.text))
    }
    call.warn(outcome.note)
    try await call.emit(.table(outcome.table))
  }

  private static let rollback = PathCaseCommand(
    CommandDescription(
      "rollback", "takes the database before the one in use",
      output: .init(
        .record([
          .init("snapshot", .text, "the state in use now, in the words of whoever made it"),
          .init("source", .optional(.text), "where it was fetched from; null for the one that came with the program"),
          .init("fetchedAt", .optional(.date), "when it was fetched"),
          .init("pathways", .integer, "how many pathways it has"),
        ])), effects: [.reads, .writes]
    ).explained(
      "A second time takes the later one back. Own layouts, observations and scenarios stay.",
      examples: [.init("rollback", "the state before the last update")])
  ) { call, shelf in
    let store = PathwayShelf.snapshots(call.context)
    try await call.compute("rollback") { _ in try store.rollback() }
    shelf.databaseReplaced(call.context, reason: "rollback")
    let (database, origin) = (try shelf.database(call.context), try shelf.origin(call.context))
    try await call.emit([
      "snapshot": .text(database.snapshot), "source": .optional(origin?.source),
      "fetchedAt": origin.map { .date(Instant(seconds: Int64($0.fetchedAt))) } ?? .null,
      "pathways": .integer(database.pathways.count),
    ])
  }
}
