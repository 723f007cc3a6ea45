// MARK: - Pathways

extension MetabolicDatabase {
  /// Returns a pathway as a model: pools are its species, processes its reactions.
  ///
  /// Fluxes are limited only in direction. Activators, inhibitors and catalysts become modifiers. The reactions of the
  /// pathway form one group, its transports another.
  /// - Parameter pathway: The index of the pathway.
  func model(ofPathway pathway: Int) -> ReactionModel {
    let record = pathways[pathway]
    let members = members(ofPathway: pathway)
    var model = ReactionModel(id: record.id, name: record.name)
    model.compartments = members.compartments.map { compartment in
      let tissue = links.compartmentTissues[compartment].map { tissues[$0].name + ", " } ?? ""
      return ModelCompartment(id: compartments[compartment].id, name: tissue + compartments[compartment].name, size: 1)
    }
    var rooms: [Int: Int] = [:]
    for (index, compartment) in members.compartments.enumerated() { rooms[compartment] = index }
    var species: [Int: Int] = [:]
    for (index, pool) in members.pools.enumerated() {
      species[pool] = index
      let metabolite = metabolite(ofPool: pool)
      model.species.append(
        ModelSpecies(
          id: pools[pool].id, name: metabolite.name, compartment: rooms[links.poolCompartments[pool]],
          isBoundary: pools[pool].isBoundary, formula: metabolite.formula, charge: metabolite.charge,
          metadata: ModelMetadata(references: Self.addresses(metabolite))))
    }
    for process in links.processesOfPathways[pathway] { model.reactions.append(reaction(process, species)) }
    for kind in MetabolicProcess.Kind.allCases {
      let ids = links.processesOfPathways[pathway].filter { processes[$0].kind == kind }.map { processes[$0].id }
      if ids.isEmpty { continue }
      model.groups.append(
        ModelGroup(
          id: Identifier("group_\(kind.rawValue)"),
          name: kind == .transport ? "\(record.name): transports" : record.name, kind: "partonomy", members: ids))
    }
    return model
  }

  private func reaction(_ process: Int, _ species: [Int: Int]) -> ModelReaction {
    let record = processes[process]
    var reaction = ModelReaction(id: record.id, name: record.name, isReversible: record.isReversible)
    reaction.lowerBound = record.isReversible ? -.infinity : 0
    var amounts: [Int: Double] = [:]
    var order: [Int] = []
    for (participant, pool) in participants(ofProcess: process) {
      guard let index = species[pool] else { continue }
      if participant.isMoved {
        if amounts[index] == nil { order.append(index) }
        amounts[index, default: 0] += participant.stoichiometry * (participant.role.isInput ? -1 : 1)
      } else {
        let modifier = ReactionModifier(species: index, participant.role.edge.modifier)
        if !reaction.modifiers.contains(modifier) { reaction.modifiers.append(modifier) }
      }
    }
    reaction.stoichiometry = order.map { SpeciesAmount(species: $0, amount: amounts[$0] ?? 0) }
    if let enzyme = record.enzyme { reaction.references = ["https://identifiers.org/ec-code/" + enzyme] }
    return reaction
  }

  /// Returns the addresses of a metabolite in other databases, in the order of the databases' names.
  private static func addresses(_ metabolite: Metabolite) -> [String] {
    metabolite.references.sorted { Identifier($0.key) < Identifier($1.key) }.map { name, entry in
      switch name {
      case "kegg": "https://identifiers.org/kegg.compound/" + entry
      case "chebi": "https://identifiers.org/chebi/" + (entry.hasPrefix("CHEBI:") ? entry : "CHEBI:" + entry)
      default: "https://identifiers.org/\(name)/\(entry)"
      }
    }
  }
}

// MARK: - Drawn maps

extension ReactionGraph {
  /// The model of a drawn map: the reactants and products of its processes.
  ///
  /// Nodes of one thing become one species per compartment. Fluxes are limited only in direction. Flows without a
  /// process get one, and effects on a process become modifiers. Nodes that take part in nothing are left out.
  var model: ReactionModel {
    let graph = splittingDirectFlows()
    var model = ReactionModel(id: id, name: name)
    model.compartments = compartments.map { ModelCompartment(id: $0.id, name: $0.name, size: 1) }
    if model.compartments.isEmpty { model.compartments = [ModelCompartment(id: "all", name: "", size: 1)] }
    var reactionOfNode: [Int: Int] = [:]
    for (index, node) in graph.nodes.enumerated() where node.kind == .process {
      reactionOfNode[index] = model.reactions.count
      var reaction = ModelReaction(id: node.subject, name: node.label, isReversible: false)
      reaction.lowerBound = 0
      model.reactions.append(reaction)
    }
    var species = SpeciesOfNodes(isPlaced: !compartments.isEmpty)
    var parts = ReactionParts()
    for edge in graph.edges {
      guard let other = graph.participant(of: edge) else { continue }
      let isMade = other == edge.target
      guard let reaction = reactionOfNode[isMade ? edge.source : edge.target] else { continue }
      let index = species.index(of: graph.nodes[other], in: &model)
      if edge.kind == .flow {
        parts.add(edge.stoichiometry * (isMade ? 1 : -1), of: index, to: reaction, in: &model)
        if edge.isReversible {
          model.reactions[reaction].isReversible = true
          model.reactions[reaction].lowerBound = -.infinity
        }
      } else {
        parts.add(ReactionModifier(species: index, edge.kind.modifier), to: reaction, in: &model)
      }
    }
    model.makeIDsUnique()
    return model
  }

  /// The number of pools; nodes of one thing in one compartment are one pool.
  var poolCount: Int { Set(nodes.filter { $0.kind == .pool }.map(SpeciesOfNodes.Key.init)).count }

  /// The number of edges that no model can hold: edges outside processes, or with an unknown effect on one.
  var edgesBesideModel: Int {
    let graph = splittingDirectFlows()
    return graph.edges.count { graph.participant(of: $0) == nil }
  }

  /// Returns the node of an edge that takes part in the process at the other end; nil if there is none.
  private func participant(of edge: GraphEdge) -> Int? {
    let isMade = nodes[edge.source].kind == .process
    let (process, other) = isMade ? (edge.source, edge.target) : (edge.target, edge.source)
    guard nodes[process].kind == .process, nodes[other].kind != .process, edge.kind != .association,
      !nodes[other].isBarePoint
    else { return nil }
    return other
  }
}

extension GraphEdge.Kind {
  /// The kind of modifier with the effect of this edge.
  fileprivate var modifier: ReactionModifier.Kind {
    switch self {
    case .catalysis: .catalyst
    case .activation: .activator
    case .inhibition: .inhibitor
    case .flow, .association: .unknown
    }
  }
}

/// The species that a map's nodes represent.
private struct SpeciesOfNodes {
  struct Key: Hashable {
    let subject: Identifier
    let compartment: Int?

    init(_ node: GraphNode) { (subject, compartment) = (node.subject, node.compartment) }
  }

  let isPlaced: Bool
  private var found: [Key: Int] = [:]

  init(isPlaced: Bool) { self.isPlaced = isPlaced }

  mutating func index(of node: GraphNode, in model: inout ReactionModel) -> Int {
    let key = Key(node)
    if let known = found[key] { return known }
    found[key] = model.species.count
    model.species.append(
      ModelSpecies(
        id: node.subject, name: node.label, compartment: isPlaced ? node.compartment ?? 0 : 0,
        metadata: ModelMetadata(references: node.references.filter { $0.hasPrefix("http") })))
    return model.species.count - 1
  }
}

/// The participants of reactions so far; a file may have very many parts in one reaction.
private struct ReactionParts {
  private struct Part: Hashable {
    var reaction: Int
    var species: Int
  }

  private struct Action: Hashable {
    var reaction: Int
    var modifier: ReactionModifier
  }

  private var places: [Part: Int] = [:]
  private var actions: Set<Action> = []

  /// Adds an amount of a species.
  mutating func add(_ amount: Double, of species: Int, to reaction: Int, in model: inout ReactionModel) {
    let part = Part(reaction: reaction, species: species)
    if let index = places[part] {
      model.reactions[reaction].stoichiometry[index].amount += amount
    } else {
      places[part] = model.reactions[reaction].stoichiometry.count
      model.reactions[reaction].stoichiometry.append(SpeciesAmount(species: species, amount: amount))
    }
  }

  /// Adds a modifier to a reaction, unless it is already there.
  mutating func add(_ modifier: ReactionModifier, to reaction: Int, in model: inout ReactionModel) {
    guard actions.insert(Action(reaction: reaction, modifier: modifier)).inserted else { return }
    model.reactions[reaction].modifiers.append(modifier)
  }
}

extension ReactionModel {
  /// Appends a number to ids that are not unique.
  fileprivate mutating func makeIDsUnique() {
    var taken: Set<Identifier> = [id]
    func unique(_ id: Identifier, _ taken: inout Set<Identifier>) -> Identifier {
      var (found, number) = (id, 2)
      while !taken.insert(found).inserted {
        found = Identifier("\(id)_\(number)")
        number += 1
      }
      return found
    }
    for index in compartments.indices { compartments[index].id = unique(compartments[index].id, &taken) }
    for index in species.indices { species[index].id = unique(species[index].id, &taken) }
    for index in reactions.indices { reactions[index].id = unique(reactions[index].id, &taken) }
  }
}
