/// The options of an update.
struct UpdateOptions: Sendable, Hashable {
  /// The number of documents fetched at the same time.
  var connections = 6
  /// The number of tries for a document before the update fails.
  var tries = 3
  /// The delay before the second try, in seconds; each later delay is twice as long, less a random part.
  var firstDelayInSeconds = 0.3
  /// The time limit for the whole update.
  var deadlineInSeconds = 120.0
  /// The only type to update, while others stay unchanged; nil for all.
  var only: ContractType?
  /// The maximum number of documents, and of their bytes, to fetch.
  var documentLimit = 100_000
  var sizeLimitInBytes = 1 << 30
}

/// The progress of an update.
struct UpdateProgress: Sendable, Hashable {
  var documents: Int
  var totalDocuments: Int
  var bytes: Int
  var totalBytes: Int
}

/// The work of an update for the documents of a type.
struct UpdateTally: Sendable, Hashable {
  var type: ContractType
  /// The number of documents fetched, and their bytes.
  var fetched = 0
  var bytes = 0
  /// The number of documents reused from the previous snapshot.
  var reused = 0
  /// The time from the first request until the last document was read.
  var took: Duration = .zero
}

/// A fetched and linked database that is ready to be stored.
struct FetchedSnapshot: Sendable {
  var database: MetabolicDatabase
  /// The digest of the manifest; if a single type was updated, that of the combined documents.
  var sha256: String
  /// All documents except the manifest, ordered by path.
  var documents: [FetchedDocument]
  /// The work by type, in linking order.
  var tallies: [UpdateTally]
  /// Problems in the documents that do not prevent their use; the database has its own warnings.
  var warnings: [RecordIssue]
  /// The entity tag of the manifest; nil if the service sent none or the snapshot is not the complete state.
  var tag: String?
}

extension ContractType {
  /// The number of types that depend on it in sequence: documents with most dependents are fetched first.
  var dependants: Int {
    switch self {
    case .manifest: 6
    case .tissues: 5
    case .compartments, .metabolites: 4
    case .pools: 3
    case .processes: 2
    case .pathways: 1
    case .smdapathways, .ranges, .layout: 0
    }
  }
}
