/// A snapshot whose references were all checked and turned into indices.
///
/// Lists are in the order of their documents; indices count from 0. Nothing in it changes.
struct MetabolicDatabase: Sendable {
  /// Which state of the database it is, in the words of whoever made it.
  let snapshot: String
  let tissues: [Tissue]
  let compartments: [Compartment]
  let metabolites: [Metabolite]
  let pools: [MetabolitePool]
  let processes: [MetabolicProcess]
  /// With the activation conditions that were told apart.
  let pathways: [MetabolicPathway]
  let ranges: [BiofluidRange]
  /// Without nodes and paths that their pathways have not.
  let layouts: [FrozenLayout]
  /// What was odd but usable.
  let warnings: [RecordIssue]
  /// What is where.
  let index: DatabaseIndex
  /// Which belongs to which.
  let links: DatabaseLinks
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

/// Which record belongs to which, by index.
struct DatabaseLinks: Sendable {
  /// The tissue of each compartment; nil where none is told.
  var compartmentTissues: [Int?] = []
  /// The compartment around each; nil for the outermost.
  var outerCompartments: [Int?] = []
  /// The metabolite of each pool.
  var poolMetabolites: [Int] = []
  /// The compartment of each pool.
  var poolCompartments: [Int] = []
  var poolsOfMetabolites = IndexLists()
  var poolsOfCompartments = IndexLists()
  /// The pool of each participant of a process, in the order of the participants.
  var participantPools = IndexLists()
  /// The processes a pool takes part in, in rising order.
  var processesOfPools = IndexLists()
  var processesOfPathways = IndexLists()
  var pathwaysOfProcesses = IndexLists()
  /// The pathways that a pathway leads to, in the order of its links.
  var linkedPathways = IndexLists()
  /// The pathways that lead to a pathway, in rising order.
  var linkingPathways = IndexLists()
  /// The thresholds of a pool.
  var rangesOfPools: [Int: Int] = [:]
  /// The layout of a pathway.
  var layoutsOfPathways: [Int: Int] = [:]
}

extension MetabolicDatabase {
  /// What takes part in a pathway, each once, in rising order of the indices.
  struct PathwayMembers: Sendable, Hashable {
    var processes: [Int]
    var pools: [Int]
    var metabolites: [Int]
    var compartments: [Int]
    var tissues: [Int]
  }

  /// What takes part in a pathway.
  ///
  /// - Parameter pathway: Its index.
  /// - Complexity: linear in its participants, but for the sorting.
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

  /// The pathways that one leads on to, each once, as its links first name them.
  func linked(fromPathway pathway: Int) -> [Int] {
    var seen: Set<Int> = []
    return links.linkedPathways[pathway].filter { seen.insert($0).inserted }
  }

  /// The pathways that have a pool in common with one, without it, in rising order.
  func neighbours(ofPathway pathway: Int) -> [Int] {
    var found: Set<Int> = []
    for pool in members(ofPathway: pathway).pools {
      for process in links.processesOfPools[pool] { found.formUnion(links.pathwaysOfProcesses[process]) }
    }
    found.remove(pathway)
    return found.sorted()
  }

  /// All of it as records, such as for being written down.
  var records: DatabaseRecords {
    var records = DatabaseRecords(
      snapshot: snapshot, tissues: tissues, compartments: compartments, metabolites: metabolites, pools: pools,
      processes: processes, pathways: pathways)
    records.ranges = ranges
    records.layouts = layouts
    return records
  }
}
