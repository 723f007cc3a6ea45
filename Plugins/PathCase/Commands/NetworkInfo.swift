import PluginAPI

/// The contents of a network for `info`: each kind of network has a model of its own, as the fields differ.
enum NetworkInfo {
  static func value(_ network: OpenedNetwork) -> Value {
    switch network {
    case .pathway(let pathway, let database): PathwayInfo(pathway, in: database).value
    case .file(_, .model(let document)): ModelInfo(document: document, title: network.title).value
    case .file(_, .map(let document)): MapInfo(document: document, title: network.title).value
    case .file(_, .scenario(let scenarios)): ScenarioInfo(network: scenarios, title: network.title).value
    case .file(_, .document(let document)): DocumentInfo(document: document).value
    }
  }

  /// Returns the name of a model's format.
  static func format(of document: SBMLDocument) -> String {
    document.format == .sbml ? "SBML level \(document.level) version \(document.version)" : document.format.title
  }
}

/// The contents of a pathway of the database.
private struct PathwayInfo: Model {
  private let record: MetabolicPathway
  private let snapshot: String
  private let members: MetabolicDatabase.PathwayMembers
  private let links: [String]
  private let neighbors: [String]

  init(_ pathway: Int, in database: MetabolicDatabase) {
    record = database.pathways[pathway]
    snapshot = database.snapshot
    members = database.members(ofPathway: pathway)
    links = database.linked(fromPathway: pathway).map { database.pathways[$0].id.text }
    neighbors = database.neighbors(ofPathway: pathway).map { database.pathways[$0].id.text }
  }

  static let typeName = "pathcase.pathway-info"
  static let fields = Fields<Self> {
    Field("id", \.record.id.text, "Id of the pathway")
    Field("name", \.record.name, "Name")
    Field("format", { _ in "database" }, "The word 'database'")
    Field("organism", \.record.organism, "Organism; null without one")
    Field("snapshot", \.snapshot, "Version of the database")
    Field("processes", \.members.processes.count, "Number of processes")
    Field("pools", \.members.pools.count, "Number of pools")
    Field("metabolites", \.members.metabolites.count, "Number of metabolites")
    Field("compartments", \.members.compartments.count, "Number of compartments")
    Field("tissues", \.members.tissues.count, "Number of tissues")
    Field("species", \.members.pools.count, "Number of pools, as for models")
    Field("reactions", \.members.processes.count, "Number of processes, as for models")
    Field("links", \.links, "Ids of the pathways to which it links")
    Field("neighbours", \.neighbors, "Ids of the pathways that share a pool with it")
    Field("activationConditions", \.record.activations.count, "Number of activation conditions")
    Field("diagnostics", { _ in 0 }, "Number of warnings; none")
  }
}

/// The contents of a model in SBML or COBRA JSON.
private struct ModelInfo: Model {
  let document: SBMLDocument
  let title: String

  private var model: ReactionModel { document.model }
  private var objective: FluxObjective? { model.activeObjective.map { model.objectives[$0] } }

  /// The number of reactions that exchange matter with the environment.
  ///
  /// They have a single species, as in exchanges of SBML level 3, or one at the boundary, as in those of level 2.
  private var boundaryCount: Int {
    model.reactions.count { reaction in
      reaction.stoichiometry.count == 1 || reaction.stoichiometry.contains { model.species[$0.species].isBoundary }
    }
  }

  static let typeName = "pathcase.model-info"
  static let fields = Fields<Self> {
    Field("id", \.model.id.text, "Id of the model")
    Field("name", \.title, "Name")
    Field("format", { NetworkInfo.format(of: $0.document) }, "Format of the file, with its version")
    Field("species", \.model.species.count, "Number of species")
    Field("reactions", \.model.reactions.count, "Number of reactions")
    Field("compartments", \.model.compartments.count, "Number of compartments")
    Field("genes", \.model.genes.count, "Number of genes")
    Field("parameters", \.model.parameters.count, "Number of parameters")
    Field("groups", \.model.groups.count, "Number of groups")
    Field("objective", \.objectiveReactions, "Ids of the reactions in the active objective")
    Field("isMaximized", \.objective?.isMaximized, "True if the objective is maximized; null without one")
    Field("boundaryReactions", \.boundaryCount, "Number of reactions that exchange matter with the environment")
    Field("diagnostics", \.document.warnings.count, "Number of warnings")
  }

  private var objectiveReactions: [String] { (objective?.terms ?? []).map { model.reactions[$0.reaction].id.text } }
}

/// The contents of a drawn map.
private struct MapInfo: Model {
  let document: MapDocument
  let title: String

  private var graph: ReactionGraph { document.graph }
  private var processCount: Int { graph.nodes.count { $0.kind == .process } }

  static let typeName = "pathcase.map-info"
  static let fields = Fields<Self> {
    Field("id", \.graph.id.text, "Id of the map")
    Field("name", \.title, "Name")
    Field("format", \.document.format.title, "Format of the file")
    Field("version", \.document.version, "Version of the format as the file gives it")
    Field("organism", \.document.organism, "Organism as the file gives it")
    Field("nodes", \.graph.nodes.count, "Number of nodes")
    Field("pools", \.graph.poolCount, "Number of metabolites")
    Field("processes", \.processCount, "Number of processes")
    Field("edges", \.graph.edges.count, "Number of edges")
    Field("species", \.graph.poolCount, "Number of metabolites, as for models")
    Field("reactions", \.processCount, "Number of processes, as for models")
    Field("compartments", \.graph.compartments.count, "Number of compartments")
    Field("submaps", \.document.submaps.count, "Number of further maps in the file")
    Field("counts", \.counts, "Number of elements, by the names of the format")
    Field("diagnostics", \.document.warnings.count, "Number of warnings")
  }

  /// The counts in their own order, which a dictionary would not keep.
  private var counts: Value {
    .record(Record(document.sortedCounts.map { Record.Field($0.name, .integer($0.count)) }))
  }
}

/// The contents of a network for the analysis of scenarios.
private struct ScenarioInfo: Model {
  let network: ScenarioNetwork
  let title: String

  static let typeName = "pathcase.scenario-info"
  static let fields = Fields<Self> {
    Field("id", \.network.name, "Name in the file")
    Field("name", \.title, "Name")
    Field("format", { _ in "scenario network" }, "The words 'scenario network'")
    Field("pools", \.network.pools.count, "Number of pools")
    Field("processes", \.network.processes.count, "Number of processes")
    Field("boundaries", { $0.network.pools.count { $0.isBoundary } }, "Number of pools at the boundary")
    Field("observed", { $0.network.pools.count { $0.observed != nil } }, "Number of observed pools")
    Field("levels", \.network.rules.levels, "Number of levels of a pool")
    Field("species", \.network.pools.count, "Number of pools, as for models")
    Field("reactions", \.network.processes.count, "Number of processes, as for models")
    Field("diagnostics", { _ in 0 }, "Number of warnings; none")
  }
}

/// The contents of one document of a database.
private struct DocumentInfo: Model {
  let document: ContractDocument

  static let typeName = "pathcase.document-info"
  static let fields = Fields<Self> {
    Field("id", \.document.snapshot, "Version of the database that it belongs to")
    Field("name", \.document.type.rawValue, "Type of the document")
    Field("format", { _ in "document of a database" }, "The words 'document of a database'")
    Field("records", \.document.recordCount, "Number of records")
    Field("skipped", \.document.skippedCount, "Number of unknown elements and attributes that were skipped")
    Field("diagnostics", \.document.warnings.count, "Number of warnings")
  }
}
