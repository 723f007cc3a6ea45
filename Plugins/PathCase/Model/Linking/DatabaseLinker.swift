/// Links records into a database: resolves references and reports impossible records.
///
/// All errors are collected before the records are rejected.
struct DatabaseLinker {
  private let places: RecordPlaces
  /// The records, without duplicates.
  var records: DatabaseRecords
  var index = DatabaseIndex()
  var links = DatabaseLinks()
  /// The original index of each remaining record in its document, from 0; lists that are not in it are unchanged.
  private var origins: [ContractType: [Int]] = [:]
  private var issues: [RecordIssue] = []
  private var issueCount = 0
  private var warnings: [RecordIssue] = []

  /// Links records.
  ///
  /// - Parameter places: The positions of the records, for messages; empty if unknown.
  /// - Complexity: Linear.
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

  /// Returns the position of a record in its document, by type and index.
  func place(_ type: ContractType, _ index: Int) -> RecordPlace? {
    guard let list = origins[type] else { return places[type, index] }
    return list.indices.contains(index) ? places[type, list[index]] : nil
  }

  /// Reports an error or warning about a record.
  mutating func note(_ code: RecordIssue.Code, _ message: String, _ place: RecordPlace?) {
    let issue = RecordIssue(code: code, message: message, place: place)
    guard code.isError else {
      if warnings.count < RecordIssue.kept { warnings.append(issue) }
      return
    }
    issueCount += 1
    if issues.count < RecordIssue.kept { issues.append(issue) }
  }

  /// Returns the index of a referenced record; reports it as missing and returns nil if it does not exist.
  mutating func find(
    _ wanted: Identifier, _ noun: String, in index: [Identifier: Int], for owner: String, _ place: RecordPlace?
  ) -> Int? {
    if let found = index[wanted] { return found }
    note(.danglingReference, "\(owner) names the \(noun) '\(wanted)', which is not there", place)
    return nil
  }

  // MARK: Ids

  /// Removes repeated ids.
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

  /// Removes identical duplicates from a list and reports the others.
  ///
  /// - Returns: The index of each id in the resulting list.
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
