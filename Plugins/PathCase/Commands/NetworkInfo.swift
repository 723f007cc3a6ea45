import PluginAPI

/// The description of a network for `info`.
enum NetworkInfo {
  static func value(_ network: OpenedNetwork) -> Value {
    switch network {
    case .pathway(let pathway, let database): value(pathway, database)
    case .file(_, .model(let document)): value(document, network.title)
    case .file(_, .map(let document)): value(document, network.title)
    case .file(_, .scenario(let scenarios)): value(scenarios, network.title)
    case .file(_, .document(let document)): value(document)
    }
  }

  private static func value(_ pathway: Int, _ database: MetabolicDatabase) -> Value {
    let members = database.members(ofPathway: pathway)
    let record = database.pathways[pathway]
    return [
      "id": .text(record.id.text), "name": .text(record.name), "format": "database",
      "organism": .optional(record.organism), "snapshot": .text(database.snapshot),
      "processes": .integer(members.processes.count), "pools": .integer(members.pools.count),
      "metabolites": .integer(members.metabolites.count), "compartments": .integer(members.compartments.count),
      "tissues": .integer(members.tissues.count), "species": .integer(members.pools.count),
      "reactions": .integer(members.processes.count),
      "links": .list(database.linked(fromPathway: pathway).map { .text(database.pathways[$0].id.text) }),
      "neighbours": .list(database.neighbours(ofPathway: pathway).map { .text(database.pathways[$0].id.text) }),
      "activationConditions": .integer(record.activations.count), "diagnostics": 0,
    ]
  }

  private static func value(_ document: SBMLDocument, _ title: String) -> Value {
    let model = document.model
    let objective = model.activeObjective.map { model.objectives[$0] }
    return [
      "id": .text(model.id.text), "name": .text(title),
      "format": .text(format(of: document)),
      "species": .integer(model.species.count), "reactions": .integer(model.reactions.count),
      "compartments": .integer(model.compartments.count), "genes": .integer(model.genes.count),
      "parameters": .integer(model.parameters.count), "groups": .integer(model.groups.count),
      "objective": .list((objective?.terms ?? []).map { .text(model.reactions[$0.reaction].id.text) }),
      "isMaximized": objective.map { .bool($0.isMaximized) } ?? .null,
      "boundaryReactions": .integer(model.reactions.count { isBoundary($0, model) }),
      "diagnostics": .integer(document.warnings.count),
    ]
  }

  /// Returns the name of a model's format.
  static func format(of document: SBMLDocument) -> String {
    document.format == .sbml ? "SBML level \(document.level) version \(document.version)" : document.format.title
  }

  /// Returns true if a reaction exchanges matter with the environment.
  ///
  /// It has a single species, as in exchanges of SBML level 3, or one at the boundary, as in those of level 2.
  private static func isBoundary(_ reaction: ModelReaction, _ model: ReactionModel) -> Bool {
    reaction.stoichiometry.count == 1 || reaction.stoichiometry.contains { model.species[$0.species].isBoundary }
  }

  private static func value(_ document: MapDocument, _ title: String) -> Value {
    let graph = document.graph
    return [
      "id": .text(graph.id.text), "name": .text(title),
      "format": .text(document.format.title), "version": .text(document.version),
      "organism": .text(document.organism), "nodes": .integer(graph.nodes.count),
      "pools": .integer(graph.nodes.count { $0.kind == .pool }),
      "processes": .integer(graph.nodes.count { $0.kind == .process }), "edges": .integer(graph.edges.count),
      "species": .integer(graph.nodes.count { $0.kind == .pool }),
      "reactions": .integer(graph.nodes.count { $0.kind == .process }),
      "compartments": .integer(graph.compartments.count), "submaps": .integer(document.submaps.count),
      "counts": .record(Record(document.sortedCounts.map { Record.Field($0.name, .integer($0.count)) })),
      "diagnostics": .integer(document.warnings.count),
    ]
  }

  private static func value(_ document: ContractDocument) -> Value {
    [
      "id": .text(document.snapshot), "name": .text(document.type.rawValue), "format": "document of a database",
      "records": .integer(document.recordCount), "skipped": .integer(document.skippedCount),
      "diagnostics": .integer(document.warnings.count),
    ]
  }

  private static func value(_ network: ScenarioNetwork, _ title: String) -> Value {
    [
      "id": .text(network.name), "name": .text(title), "format": "scenario network",
      "pools": .integer(network.pools.count), "processes": .integer(network.processes.count),
      "boundaries": .integer(network.pools.count { $0.isBoundary }),
      "observed": .integer(network.pools.count { $0.observed != nil }), "levels": .integer(network.rules.levels),
      "species": .integer(network.pools.count), "reactions": .integer(network.processes.count), "diagnostics": 0,
    ]
  }
}
