/// What one document of a snapshot tells, before it is linked with the others.
struct ContractDocument: Sendable, Hashable {
  var type: ContractType
  /// Which state of the database it belongs to.
  var snapshot = ""
  /// What it tells; only the list of its type is filled.
  var records = DatabaseRecords()
  /// The documents that a manifest lists.
  var documents: [ManifestDocument] = []
  /// Where each record is, beside the list of its type.
  var places = RecordPlaces()
  /// What was odd but usable.
  var warnings: [RecordIssue] = []
  /// How many elements and attributes that no rule knows were passed over.
  var skippedCount = 0

  /// How many records, or listed documents, it has.
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

  /// The manifest, if it is one.
  var manifest: DatabaseManifest { DatabaseManifest(snapshot: snapshot, documents: documents) }
}

extension DatabaseRecords {
  /// Adds what another document tells.
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
  /// Adds the places of another document's records.
  mutating func add(_ other: RecordPlaces) {
    for type in ContractType.allCases where !other[type].isEmpty { self[type] += other[type] }
  }
}
