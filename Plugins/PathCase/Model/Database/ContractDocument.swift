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

/// The types of documents in a snapshot, by subject.
enum ContractType: String, Sendable, CaseIterable {
  case manifest, tissues, compartments, metabolites, pools, processes, pathways, smdapathways, ranges, layout

  /// The types with a single document, in linking order.
  static let single: [ContractType] = [
    .tissues, .compartments, .metabolites, .pools, .processes, .pathways, .smdapathways, .ranges,
  ]

  /// Creates the type of a document from its path in a snapshot, such as `pools.xml` or `layouts/w-1.xml`; nil if the
  /// path has no known type.
  init?(path: String) {
    if path.hasPrefix("layouts/"), path.hasSuffix(".xml") {
      self = .layout
      return
    }
    guard path.hasSuffix(".xml"), let type = Self(rawValue: String(path.dropLast(4))), type != .layout else {
      return nil
    }
    self = type
  }

  /// The path of the document in a snapshot; nil for layouts, which have several documents.
  var path: String? { self == .layout ? nil : rawValue + ".xml" }
}

/// The list of documents that make up a snapshot.
struct DatabaseManifest: Sendable, Hashable {
  var snapshot = ""
  var documents: [ManifestDocument] = []
}

/// A document of a snapshot, identified by its content.
struct ManifestDocument: Sendable, Hashable {
  /// The path relative to the manifest: `pools.xml`, `layouts/w-1.xml`.
  var path: String
  /// The SHA-256 digest of its bytes as 64 lowercase hexadecimal digits.
  var sha256: String
  /// Its size in bytes.
  var bytes: Int

  /// The type of the document; nil if the type is not known.
  var type: ContractType? { ContractType(path: path) }
}

/// The origin of a snapshot.
struct SnapshotOrigin: Sendable, Hashable {
  /// The SHA-256 digest of its manifest as 64 lowercase hexadecimal digits.
  var sha256: String
  /// The address or folder from which it was fetched.
  var source: String
  /// The time at which it was fetched, in seconds since 1970-01-01 UTC.
  var fetchedAt: Int
  /// The entity tag of the manifest, for conditional requests; nil if the service sent none.
  ///
  /// - Source: RFC 9110, section 8.8.3 (entity tags).
  var tag: String?
}

/// A document as it was fetched, cached so that the next update need not fetch it again.
struct FetchedDocument: Sendable, Hashable {
  var entry: ManifestDocument
  var bytes: [UInt8]
}

// MARK: - Checking one document

extension ContractDocument {
  /// Checks the document on its own and returns its warnings.
  ///
  /// References to other documents are assumed to be valid; references within this one are checked. Layouts refer only
  /// to other documents.
  /// - Returns: The problems that do not prevent its use.
  /// - Throws: ``LinkingError`` for problems that make any snapshot unusable: a repeated id, a cycle of compartments.
  func lookedAtAlone() throws(LinkingError) -> [RecordIssue] {
    if type == .layout || type == .manifest { return [] }
    var whole = records
    whole.fillIn(around: type)
    // Filled-in records have no position.
    return try DatabaseLinker.link(whole, places: places).warnings.filter { $0.location != nil }
  }
}

extension DatabaseRecords {
  /// Adds a minimal record for each thing that records of a type refer to in documents of other types.
  fileprivate mutating func fillIn(around type: ContractType) {
    let named = pathways.flatMap(\.processes) + activations.flatMap(\.conditions).map(\.process)
    if type != .processes { processes = Self.each(named).map { MetabolicProcess(id: $0, name: "") } }
    if type != .pathways { pathways = Self.each(activations.map(\.pathway)).map { MetabolicPathway(id: $0, name: "") } }
    if type != .pools { fillInPools() }
    if type != .metabolites {
      metabolites = Self.each(pools.map(\.metabolite)).map { Metabolite(id: $0, name: "") }
    }
    if type != .compartments {
      compartments = Self.each(pools.map(\.compartment)).map { Compartment(id: $0, name: "") }
    }
    tissues = type == .tissues ? tissues : Self.each(compartments.compactMap(\.tissue)).map { Tissue(id: $0, name: "") }
  }

  /// Adds pools of one metabolite, each in its own compartment, so that transports between them cause no warnings.
  private mutating func fillInPools() {
    let taken = processes.flatMap(\.participants).map(\.pool)
    let conditions = activations.flatMap(\.conditions).map(\.pool)
    let ways = pathways.flatMap(\.links).compactMap(\.via)
    pools = Self.each(taken + conditions + ways + ranges.map(\.pool)).map {
      MetabolitePool(id: $0, metabolite: "", compartment: $0)
    }
  }

  /// Returns each id once, in order of first occurrence.
  private static func each(_ ids: [Identifier]) -> [Identifier] {
    var seen: Set<Identifier> = []
    return ids.filter { seen.insert($0).inserted }
  }
}
