import PluginAPI

/// The result of an update.
struct UpdateOutcome: Sendable {
  /// The changes to the documents and records of a type.
  struct TypeOutcome: Sendable, Hashable {
    var type: ContractType
    /// The number of documents fetched, their bytes, and the number of cached ones.
    var fetched = 0
    var bytes = 0
    var reused = 0
    var added = 0
    var changed = 0
    var removed = 0
    /// The time from the first request until the last document was read.
    var took: Duration = .zero
  }

  /// The source of the documents.
  var source: String
  /// The state, in its publisher's own notation.
  var snapshot: String
  /// The SHA-256 digest of its manifest.
  var sha256: String
  /// A Boolean value indicating whether another state is active now.
  var isChanged = false
  /// The types in linking order; empty if the service reported no changes.
  var types: [TypeOutcome] = []
  /// Problems in the documents that do not prevent their use.
  var warnings: [RecordIssue] = []
  var took: Duration = .zero

  /// Records the fetched documents.
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

  /// The table with one row per type.
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

  /// The outcome in one sentence.
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
