/// A snapshot whose references have all been checked and resolved to indices.
///
/// Lists keep the order of their documents; indices count from 0. The database is immutable.
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
  /// The pathways that link to a pathway, ascending.
  var linkingPathways = IndexLists()
  /// The thresholds of a pool.
  var rangesOfPools: [Int: Int] = [:]
  /// The layout of a pathway.
  var layoutsOfPathways: [Int: Int] = [:]
}

extension MetabolicDatabase {
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
  func neighbours(ofPathway pathway: Int) -> [Int] {
    var found: Set<Int> = []
    for pool in members(ofPathway: pathway).pools {
      for process in links.processesOfPools[pool] { found.formUnion(links.pathwaysOfProcesses[process]) }
    }
    found.remove(pathway)
    return found.sorted()
  }

  /// All contents as records, for example for writing.
  var records: DatabaseRecords {
    var records = DatabaseRecords(
      snapshot: snapshot, tissues: tissues, compartments: compartments, metabolites: metabolites, pools: pools,
      processes: processes, pathways: pathways)
    records.ranges = ranges
    records.layouts = layouts
    return records
  }
}
