extension ReactionGraph {
  /// A drawn map as a model: what its processes take and give.
  ///
  /// Nodes of one thing become one species in each compartment. Fluxes have no limits but their direction; flows without
  /// a process get one; what acts on a process becomes a modifier. What takes part in nothing is left out.
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
    for edge in graph.edges {
      guard let other = graph.participant(of: edge) else { continue }
      let isMade = other == edge.target
      guard let reaction = reactionOfNode[isMade ? edge.source : edge.target] else { continue }
      let index = species.index(of: graph.nodes[other], in: &model)
      if edge.kind == .flow {
        model.reactions[reaction].add(index, edge.stoichiometry * (isMade ? 1 : -1))
        if edge.isReversible {
          model.reactions[reaction].isReversible = true
          model.reactions[reaction].lowerBound = -.infinity
        }
      } else {
        let modifier = ReactionModifier(species: index, edge.kind.modifier)
        if !model.reactions[reaction].modifiers.contains(modifier) {
          model.reactions[reaction].modifiers.append(modifier)
        }
      }
    }
    model.makeIDsUnique()
    return model
  }
}

extension ReactionGraph {
  /// How many of the edges no model holds: those that belong to no process, or do nothing that is known to one.
  var edgesBesideModel: Int {
    let graph = splittingDirectFlows()
    return graph.edges.count { graph.participant(of: $0) == nil }
  }

  /// The node at an edge that takes part in the process at its other end; nil if there is none.
  private func participant(of edge: GraphEdge) -> Int? {
    let isMade = nodes[edge.source].kind == .process
    let (process, other) = isMade ? (edge.source, edge.target) : (edge.target, edge.source)
    guard nodes[process].kind == .process, nodes[other].kind != .process, edge.kind != .association,
      nodes[other].category != MapCategory.freeEnd
    else { return nil }
    return other
  }
}

extension GraphEdge.Kind {
  /// What acts so.
  fileprivate var modifier: ReactionModifier.Kind {
    switch self {
    case .catalysis: .catalyst
    case .activation: .activator
    case .inhibition: .inhibitor
    case .flow, .association: .unknown
    }
  }
}

/// The species that nodes of a map stand for.
private struct SpeciesOfNodes {
  private struct Key: Hashable {
    var subject: Identifier
    var compartment: Int?
  }

  let isPlaced: Bool
  private var found: [Key: Int] = [:]

  init(isPlaced: Bool) { self.isPlaced = isPlaced }

  mutating func index(of node: GraphNode, in model: inout ReactionModel) -> Int {
    let key = Key(subject: node.subject, compartment: node.compartment)
    if let known = found[key] { return known }
    found[key] = model.species.count
    model.species.append(
      ModelSpecies(
        id: node.subject, name: node.label, compartment: isPlaced ? node.compartment ?? 0 : 0,
        references: node.references.filter { $0.hasPrefix("http") }))
    return model.species.count - 1
  }
}

extension ModelReaction {
  /// Adds an amount of a species.
  fileprivate mutating func add(_ index: Int, _ amount: Double) {
    if let place = stoichiometry.firstIndex(where: { $0.species == index }) {
      stoichiometry[place].amount += amount
    } else {
      stoichiometry.append(SpeciesAmount(species: index, amount: amount))
    }
  }
}

extension ReactionModel {
  /// Gives things whose id another has a number behind it.
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
