import PluginAPI

/// What an update did.
struct UpdateOutcome: Sendable {
  /// What became of the documents and records of a type.
  struct TypeOutcome: Sendable, Hashable {
    var type: ContractType
    /// How many documents were fetched, their bytes, and how many were at hand.
    var fetched = 0
    var bytes = 0
    var reused = 0
    var added = 0
    var changed = 0
    var removed = 0
    /// From the first request to the last document being read.
    var took: Duration = .zero
  }

  /// Where the documents are from.
  var source: String
  /// The state in the words of whoever made it.
  var snapshot: String
  /// The digest of its manifest.
  var sha256: String
  /// Whether another state is in use now.
  var isChanged = false
  /// In the order in which they are linked; empty if the service said that nothing changed.
  var types: [TypeOutcome] = []
  /// What was odd but usable.
  var warnings: [RecordIssue] = []
  var took: Duration = .zero

  /// Notes what was fetched.
  mutating func take(_ fetched: FetchedSnapshot, since before: MetabolicDatabase) {
    (snapshot, sha256) = (fetched.database.snapshot, fetched.sha256)
    warnings = fetched.warnings + fetched.database.warnings
    let differences = fetched.database.differences(since: before)
    types = (ContractType.single + [.layout]).compactMap { type in
      let tally = fetched.tallies.first { $0.type == type }
      let difference = differences.first { $0.type == type }
      if tally == nil, difference == nil { return nil }
      return TypeOutcome(
        type: type, fetched: tally?.fetched ?? 0, bytes: tally?.bytes ?? 0, reused: tally?.reused ?? 0,
        added: difference?.added.count ?? 0, changed: difference?.changed.count ?? 0,
        removed: difference?.removed.count ?? 0, took: tally?.took ?? .zero)
    }
  }

  /// The columns of its table.
  static let fields: [ValueSchema.Field] = [
    .init("type", .text, "what the documents are about"), .init("fetched", .integer, "documents that were fetched"),
    .init("reused", .integer, "documents that were at hand"), .init("added", .integer, "records that are new"),
    .init("changed", .integer, "records that tell something else"), .init("removed", .integer, "records that are gone"),
    .init("bytes", .integer, "the size of what was fetched, in bytes"),
    .init("milliseconds", .number, "from the first request to the last document being read"),
  ]

  /// A row for each type.
  var table: Table {
    Table(columns: [
      .init("type", title: "Type", .texts(types.map(\.type.rawValue))),
      .init("fetched", title: "Fetched", .values(types.map { .integer($0.fetched) })),
      .init("reused", title: "At hand", .values(types.map { .integer($0.reused) })),
      .init("added", title: "Added", .values(types.map { .integer($0.added) })),
      .init("changed", title: "Changed", .values(types.map { .integer($0.changed) })),
      .init("removed", title: "Removed", .values(types.map { .integer($0.removed) })),
      .init("bytes", title: "Bytes", .values(types.map { .integer($0.bytes) })),
      .init("milliseconds", title: "ms", .values(types.map { .number(Self.milliseconds($0.took)) })),
    ])
  }

  /// In a sentence.
  var note: Diagnostic {
    let time = "after \(Self.milliseconds(took)) ms"
    return isChanged
      ? Diagnostic(
        .note, code: "pathcase.database-updated", "the database is now '\(snapshot)' of '\(source)', \(time)",
        advice: "'workbench pathcase rollback' takes the one before")
      : Diagnostic(
        .note, code: "pathcase.database-unchanged", "'\(source)' has nothing new, \(time)")
  }

  private static func milliseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return ((Double(seconds) * 1000 + Double(attoseconds) / 1e15) * 10).rounded() / 10
  }
}
