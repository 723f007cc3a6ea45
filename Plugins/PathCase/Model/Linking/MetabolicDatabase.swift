/// A snapshot whose references have all been checked and resolved to indices.
///
/// Lists keep the order of their documents; indices count from 0. The database does not change while it is used.
struct MetabolicDatabase: Sendable {
  /// The state of the database, in its publisher's own notation.
  let snapshot: String
  let tissues: [Tissue]
  let compartments: [Compartment]
  let metabolites: [Metabolite]
  let pools: [MetabolitePool]
  let processes: [MetabolicProcess]
  /// The pathways, with the activation conditions from their separate document.
  let pathways: [MetabolicPathway]
  let ranges: [BiofluidRange]
  /// The layouts, without nodes and paths that are not in their pathways.
  let layouts: [FrozenLayout]
  /// Problems in the records that do not prevent their use.
  let warnings: [RecordIssue]
  /// The indices of records by id.
  let index: DatabaseIndex
  /// The relations between records.
  let links: DatabaseLinks
  /// The versions of the user's own layouts by pathway, also of those that no longer fit.
  var ownLayouts: [Identifier: Int] = [:]
}

/// The indices of records by their ids.
struct DatabaseIndex: Sendable {
  var tissues: [Identifier: Int] = [:]
  var compartments: [Identifier: Int] = [:]
  var metabolites: [Identifier: Int] = [:]
  var pools: [Identifier: Int] = [:]
  var processes: [Identifier: Int] = [:]
  var pathways: [Identifier: Int] = [:]
}

/// The relations between records, by index.
struct DatabaseLinks: Sendable {
  /// The tissue of each compartment; nil if none is given.
  var compartmentTissues: [Int?] = []
  /// The compartment that encloses each compartment; nil for the outermost.
  var outerCompartments: [Int?] = []
  /// The metabolite of each pool.
  var poolMetabolites: [Int] = []
  /// The compartment of each pool.
  var poolCompartments: [Int] = []
  var poolsOfMetabolites = IndexLists()
  var poolsOfCompartments = IndexLists()
  /// The pool of each participant of a process, in the order of the participants.
  var participantPools = IndexLists()
  /// The processes in which a pool takes part, ascending.
  var processesOfPools = IndexLists()
  var processesOfPathways = IndexLists()
  var pathwaysOfProcesses = IndexLists()
  /// The pathways to which a pathway links, in the order of its links.
  var linkedPathways = IndexLists()
  /// The thresholds of a pool.
  var rangesOfPools: [Int: Int] = [:]
  /// The layout of a pathway.
  var layoutsOfPathways: [Int: Int] = [:]
}

extension MetabolicDatabase {
  /// Returns the metabolite of a pool.
  func metabolite(ofPool pool: Int) -> Metabolite { metabolites[links.poolMetabolites[pool]] }

  /// Returns the compartment of a pool.
  func compartment(ofPool pool: Int) -> Compartment { compartments[links.poolCompartments[pool]] }

  /// Returns the participants of a process, each with the index of its pool.
  func participants(ofProcess process: Int) -> Zip2Sequence<[Participant], ArraySlice<Int>> {
    zip(processes[process].participants, links.participantPools[process])
  }

  /// Returns the pathways with a process in which one of some pools takes part.
  func pathways(ofPools pools: some Sequence<Int>) -> Set<Int> {
    var found: Set<Int> = []
    for pool in pools {
      for process in links.processesOfPools[pool] { found.formUnion(links.pathwaysOfProcesses[process]) }
    }
    return found
  }

  /// The participants of a pathway, each once, in ascending order of the indices.
  struct PathwayMembers: Sendable, Hashable {
    var processes: [Int]
    var pools: [Int]
    var metabolites: [Int]
    var compartments: [Int]
    var tissues: [Int]
  }

  /// Returns the participants of a pathway.
  ///
  /// - Parameter pathway: The index of the pathway.
  /// - Complexity: Linear in the number of participants, except for sorting.
  func members(ofPathway pathway: Int) -> PathwayMembers {
    let processes = Set(links.processesOfPathways[pathway])
    var pools: Set<Int> = []
    for process in processes { pools.formUnion(links.participantPools[process]) }
    let compartments = Set(pools.map { links.poolCompartments[$0] })
    return PathwayMembers(
      processes: processes.sorted(), pools: pools.sorted(),
      metabolites: Set(pools.map { links.poolMetabolites[$0] }).sorted(), compartments: compartments.sorted(),
      tissues: Set(compartments.compactMap { links.compartmentTissues[$0] }).sorted())
  }

  /// Returns the pathways to which one links, each once, in the order of its links.
  func linked(fromPathway pathway: Int) -> [Int] {
    var seen: Set<Int> = []
    return links.linkedPathways[pathway].filter { seen.insert($0).inserted }
  }

  /// Returns the other pathways that share a pool with one, ascending.
  func neighbors(ofPathway pathway: Int) -> [Int] {
    var found = pathways(ofPools: members(ofPathway: pathway).pools)
    found.remove(pathway)
    return found.sorted()
  }

  /// All contents as records, for example for writing.
  var records: DatabaseRecords {
    DatabaseRecords(
      snapshot: snapshot, tissues: tissues, compartments: compartments, metabolites: metabolites, pools: pools,
      processes: processes, pathways: pathways, ranges: ranges, layouts: layouts)
  }
}

/// The changes of a record type between two states of a database.
struct TypeDifference: Sendable, Hashable {
  var type: ContractType
  /// The ids that exist only in the later state, sorted.
  var added: [Identifier] = []
  /// The ids of records that differ in the later state, sorted.
  var changed: [Identifier] = []
  /// The ids that exist only in the earlier state, sorted.
  var removed: [Identifier] = []

  var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
}

extension MetabolicDatabase {
  /// Returns the changes of each record type since an earlier state; types without changes are left out.
  ///
  /// Activation conditions are compared separately, by their pathways.
  func differences(since earlier: MetabolicDatabase) -> [TypeDifference] {
    [
      Self.difference(.tissues, earlier.tissues, tissues, \.id),
      Self.difference(.compartments, earlier.compartments, compartments, \.id),
      Self.difference(.metabolites, earlier.metabolites, metabolites, \.id),
      Self.difference(.pools, earlier.pools, pools, \.id),
      Self.difference(.processes, earlier.processes, processes, \.id),
      Self.difference(.pathways, Self.bare(earlier.pathways), Self.bare(pathways), \.id),
      Self.difference(
        .smdapathways, Self.activations(earlier.pathways), Self.activations(pathways), \.pathway),
      Self.difference(.ranges, earlier.ranges, ranges, \.pool),
      Self.difference(.layout, earlier.layouts, layouts, \.pathway),
    ].filter { !$0.isEmpty }
  }

  /// Returns the pathways without their activation conditions.
  private static func bare(_ pathways: [MetabolicPathway]) -> [MetabolicPathway] {
    pathways.map { pathway in
      var pathway = pathway
      pathway.activations = []
      return pathway
    }
  }

  private static func activations(_ pathways: [MetabolicPathway]) -> [PathwayActivation] {
    pathways.filter { !$0.activations.isEmpty }.map {
      PathwayActivation(pathway: $0.id, conditions: $0.activations)
    }
  }

  private static func difference<Element: Equatable>(
    _ type: ContractType, _ earlier: [Element], _ later: [Element], _ key: (Element) -> Identifier
  ) -> TypeDifference {
    let old = Dictionary(earlier.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
    let new = Dictionary(later.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
    return TypeDifference(
      type: type, added: new.keys.filter { old[$0] == nil }.sorted(),
      changed: new.compactMap { id, element in old[id].flatMap { $0 == element ? nil : id } }.sorted(),
      removed: old.keys.filter { new[$0] == nil }.sorted())
  }
}

/// A list of index lists, stored in two arrays.
struct IndexLists: Sendable, Hashable {
  /// The offset of each list, followed by the end of the last one.
  private var starts: [Int] = [0]
  private var members: [Int] = []

  init() {}

  /// Creates lists from a sequence of arrays.
  init(_ lists: some Sequence<[Int]>) {
    for list in lists { append(list) }
  }

  /// Creates the inverse of lists: for each member the lists that contain it, ascending and without duplicates.
  ///
  /// - Parameter count: The number of possible members.
  /// - Complexity: Linear.
  init(inverseOf lists: IndexLists, count: Int) {
    var counts = [Int](repeating: 0, count: count + 1)
    var last = [Int](repeating: -1, count: count)
    lists.forEachMember { list, member in
      if last[member] == list { return }
      last[member] = list
      counts[member + 1] += 1
    }
    for index in 0..<count { counts[index + 1] += counts[index] }
    starts = counts
    members = [Int](repeating: 0, count: counts[count])
    last = [Int](repeating: -1, count: count)
    var ends = counts
    lists.forEachMember { list, member in
      if last[member] == list { return }
      last[member] = list
      members[ends[member]] = list
      ends[member] += 1
    }
  }

  /// The number of lists.
  var count: Int { starts.count - 1 }

  subscript(list: Int) -> ArraySlice<Int> { members[starts[list]..<starts[list + 1]] }

  /// Appends a list.
  mutating func append(_ list: [Int]) {
    members += list
    starts.append(members.count)
  }

  private func forEachMember(_ body: (_ list: Int, _ member: Int) -> Void) {
    for list in 0..<count { for member in self[list] { body(list, member) } }
  }
}
