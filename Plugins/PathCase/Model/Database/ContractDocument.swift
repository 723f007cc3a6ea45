/// The contents of one document of a snapshot, before it is linked with the others.
struct ContractDocument: Sendable, Hashable {
  var type: ContractType
  /// The state of the database that the document belongs to.
  var snapshot = ""
  /// The records of the document; only the list of its type is filled.
  var records = DatabaseRecords()
  /// The documents that a manifest lists.
  var documents: [ManifestDocument] = []
  /// The position of each record, kept beside the list of its type.
  var places = RecordPlaces()
  /// Problems in the document that do not prevent its use.
  var warnings: [RecordIssue] = []
  /// The number of unknown elements and attributes that were skipped.
  var skippedCount = 0

  /// The number of records, or of listed documents in a manifest.
  var recordCount: Int {
    switch type {
    case .manifest: documents.count
    case .tissues: records.tissues.count
    case .compartments: records.compartments.count
    case .metabolites: records.metabolites.count
    case .pools: records.pools.count
    case .processes: records.processes.count
    case .pathways: records.pathways.count
    case .smdapathways: records.activations.count
    case .ranges: records.ranges.count
    case .layout: records.layouts.count
    }
  }

  /// The manifest, if the document is one.
  var manifest: DatabaseManifest { DatabaseManifest(snapshot: snapshot, documents: documents) }
}

extension DatabaseRecords {
  /// Adds the records of another document.
  mutating func add(_ other: DatabaseRecords) {
    tissues += other.tissues
    compartments += other.compartments
    metabolites += other.metabolites
    pools += other.pools
    processes += other.processes
    pathways += other.pathways
    activations += other.activations
    ranges += other.ranges
    layouts += other.layouts
  }
}

extension RecordPlaces {
  /// Adds the positions of another document's records.
  mutating func add(_ other: RecordPlaces) {
    for type in ContractType.allCases where !other[type].isEmpty { self[type] += other[type] }
  }
}
