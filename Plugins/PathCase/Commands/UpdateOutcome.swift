import PluginAPI

/// The result of an update.
struct UpdateOutcome: Sendable {
  /// The changes to the documents and records of a type.
  struct TypeOutcome: Model {
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

    static let typeName = "pathcase.updated-type"
    static let fields = Fields<Self> {
      Field("type", \.type.rawValue, "what the documents are about", heading: "Type")
      Field("fetched", \.fetched, "documents that were fetched", heading: "Fetched")
      Field("reused", \.reused, "documents that were at hand", heading: "At hand")
      Field("added", \.added, "records that are new", heading: "Added")
      Field("changed", \.changed, "records that tell something else", heading: "Changed")
      Field("removed", \.removed, "records that are gone", heading: "Removed")
      Field("bytes", \.bytes, "the size of what was fetched, in bytes", heading: "Bytes")
      Field(
        "milliseconds", { milliseconds($0.took) }, "from the first request to the last document being read",
        heading: "ms")
    }
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
