/// How an update goes about its work.
struct UpdateOptions: Sendable, Hashable {
  /// How many documents are fetched at once.
  var connections = 6
  /// How often a document is asked for before the update fails.
  var tries = 3
  /// The time before the second try, in seconds; each next one takes twice as long, with a random part of it taken off.
  var firstDelayInSeconds = 0.3
  /// The time for everything.
  var deadlineInSeconds = 120.0
  /// The only type that is brought up to date, the others staying as they are; nil for all.
  var only: ContractType?
  /// How many documents, and how many bytes of them, are fetched at most.
  var documentLimit = 100_000
  var sizeLimitInBytes = 1 << 30
}

/// How far an update is.
struct UpdateProgress: Sendable, Hashable {
  var documents: Int
  var totalDocuments: Int
  var bytes: Int
  var totalBytes: Int
}

/// What an update did for the documents of a type.
struct UpdateTally: Sendable, Hashable {
  var type: ContractType
  /// How many were fetched, and their bytes.
  var fetched = 0
  var bytes = 0
  /// How many were taken from the snapshot before.
  var reused = 0
  /// From the first request to the last one being read.
  var took: Duration = .zero
}

/// A database that was fetched and linked, and is ready to be kept.
struct FetchedSnapshot: Sendable {
  var database: MetabolicDatabase
  /// The digest of the manifest; of what was taken, where one type alone was brought up to date.
  var sha256: String
  /// All documents but the manifest, by their paths.
  var documents: [FetchedDocument]
  /// By type, in the order in which they are linked.
  var tallies: [UpdateTally]
  /// What was odd in the documents; the database has its own.
  var warnings: [RecordIssue]
  /// What the service calls this state of the manifest; nil if it says nothing or this is not it as a whole.
  var tag: String?
}

extension ContractType {
  /// How many types wait for it one after the other: what most wait for is fetched first.
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
