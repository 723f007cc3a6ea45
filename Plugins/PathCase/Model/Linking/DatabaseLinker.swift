/// Turns records into a database: looks for each thing that is named, and at what cannot be.
///
/// Everything that is wrong is collected before the records are refused.
struct DatabaseLinker {
  private let places: RecordPlaces
  /// The records, without what was told twice.
  var records: DatabaseRecords
  var index = DatabaseIndex()
  var links = DatabaseLinks()
  /// Where each kept record stood in its document, from 0; a record that is not in it stood where it still is.
  private var origins: [ContractType: [Int]] = [:]
  private var issues: [RecordIssue] = []
  private var issueCount = 0
  private var warnings: [RecordIssue] = []

  /// Links records.
  ///
  /// - Parameter places: Where they were told, for messages; empty where nobody knows.
  /// - Complexity: linear.
  static func link(
    _ records: DatabaseRecords, places: RecordPlaces = RecordPlaces()
  ) throws(LinkingError) -> MetabolicDatabase {
    var linker = Self(records: records, places: places)
    linker.dropRepeats()
    linker.linkCompartments()
    linker.linkPools()
    linker.linkProcesses()
    linker.linkPathways()
    linker.linkRanges()
    linker.linkLayouts()
    return try linker.finish()
  }

  private init(records: DatabaseRecords, places: RecordPlaces) {
    self.records = records
    self.places = places
  }

  private func finish() throws(LinkingError) -> MetabolicDatabase {
    if issueCount > 0 { throw .unusable(issues: issues, total: issueCount) }
    return MetabolicDatabase(
      snapshot: records.snapshot, tissues: records.tissues, compartments: records.compartments,
      metabolites: records.metabolites, pools: records.pools, processes: records.processes,
      pathways: records.pathways, ranges: records.ranges, layouts: records.layouts, warnings: warnings, index: index,
      links: links)
  }

  // MARK: What the steps share

  /// Where the record of a type and index was told.
  func place(_ type: ContractType, _ index: Int) -> RecordPlace? {
    guard let list = origins[type] else { return places[type, index] }
    return list.indices.contains(index) ? places[type, list[index]] : nil
  }

  /// Notes something wrong, or odd, of a record.
  mutating func note(_ code: RecordIssue.Code, _ message: String, _ place: RecordPlace?) {
    let issue = RecordIssue(code: code, message: message, place: place)
    guard code.isError else {
      if warnings.count < RecordIssue.kept { warnings.append(issue) }
      return
    }
    issueCount += 1
    if issues.count < RecordIssue.kept { issues.append(issue) }
  }

  /// The index of what a record names; notes that it is missing, and gives nil, if it is not there.
  mutating func find(
    _ wanted: Identifier, _ noun: String, in index: [Identifier: Int], for owner: String, _ place: RecordPlace?
  ) -> Int? {
    if let found = index[wanted] { return found }
    note(.danglingReference, "\(owner) names the \(noun) '\(wanted)', which is not there", place)
    return nil
  }

  // MARK: Ids

  /// Takes each id once.
  private mutating func dropRepeats() {
    index.tissues = unique(\.tissues, .tissues, "tissue", \.id)
    index.compartments = unique(\.compartments, .compartments, "compartment", \.id)
    index.metabolites = unique(\.metabolites, .metabolites, "metabolite", \.id)
    index.pools = unique(\.pools, .pools, "pool", \.id)
    index.processes = unique(\.processes, .processes, "process", \.id)
    index.pathways = unique(\.pathways, .pathways, "pathway", \.id)
    _ = unique(\.activations, .smdapathways, "activation of pathway", \.pathway)
    _ = unique(\.ranges, .ranges, "range of pool", \.pool)
    _ = unique(\.layouts, .layout, "layout of pathway", \.pathway)
  }

  /// Drops identical repeats from a list, notes others.
  ///
  /// - Returns: Where each id is in the list then.
  private mutating func unique<Element: Hashable>(
    _ list: WritableKeyPath<DatabaseRecords, [Element]>, _ type: ContractType, _ noun: String,
    _ key: (Element) -> Identifier
  ) -> [Identifier: Int] {
    let all = records[keyPath: list]
    var index: [Identifier: Int] = [:]
    index.reserveCapacity(all.count)
    var kept: [Int] = []
    for (place, element) in all.enumerated() {
      let id = key(element)
      guard let first = index[id] else {
        index[id] = kept.count
        kept.append(place)
        continue
      }
      let where1 = places[type, kept[first]].map { " in line \($0.line) of '\($0.document)'" } ?? ""
      if all[kept[first]] == element {
        note(.identicalDuplicate, "the \(noun) '\(id)' is told twice in the same words", places[type, place])
      } else {
        note(.differingDuplicate, "the \(noun) '\(id)' is told otherwise before\(where1)", places[type, place])
      }
    }
    if kept.count < all.count {
      records[keyPath: list] = kept.map { all[$0] }
      origins[type] = kept
    }
    return index
  }
}
