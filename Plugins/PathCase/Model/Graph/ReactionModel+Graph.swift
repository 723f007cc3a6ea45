extension ReactionModel {
  /// The graph of a model: its species and reactions, in its compartments.
  ///
  /// Reactions with one side only, which stand for the environment, are drawn too. Some formats allow a reaction to
  /// have the id of a species; its node then gets a different id.
  var graph: ReactionGraph {
    var graph = ReactionGraph(id: id, name: name.isEmpty ? id.text : name)
    graph.compartments = compartments.map {
      GraphCompartment(id: $0.id, name: $0.name.isEmpty ? $0.id.text : $0.name)
    }
    let common = commonSpecies
    graph.nodes = species.enumerated().map { index, species in
      GraphNode(
        id: species.id, label: species.shownName, kind: .pool,
        compartment: species.compartment, isCommon: common.contains(index), references: species.references)
    }
    var taken = Set(species.map(\.id))
    for reaction in reactions {
      let node = graph.nodes.count
      graph.nodes.append(process(of: reaction, &taken))
      for part in reaction.stoichiometry where part.amount != 0 {
        graph.edges.append(
          GraphEdge(
            source: part.amount < 0 ? part.species : node, target: part.amount < 0 ? node : part.species,
            isReversible: reaction.lowerBound < 0 && reaction.upperBound > 0, stoichiometry: abs(part.amount)))
      }
      for modifier in reaction.modifiers {
        graph.edges.append(GraphEdge(source: modifier.species, target: node, kind: modifier.kind.edge))
      }
    }
    return graph
  }

  private func process(of reaction: ModelReaction, _ taken: inout Set<Identifier>) -> GraphNode {
    var id = reaction.id
    while !taken.insert(id).inserted { id = Identifier("\(id) (reaction)") }
    var node = GraphNode(
      id: id, label: reaction.name.isEmpty ? reaction.id.text : reaction.name, kind: .process,
      compartment: compartment(of: reaction), references: reaction.references)
    if let rule = reaction.geneRule {
      node.genes = rule.genes.map { GraphGene(id: genes[$0].id, name: genes[$0].name) }
      node.geneRule = rule.text { genes[$0].id.text }
    }
    return node
  }

  /// Returns the compartment that contains all species of a reaction; nil if they are in several.
  private func compartment(of reaction: ModelReaction) -> Int? {
    let found = Set(reaction.stoichiometry.map { species[$0.species].compartment })
    return found.count == 1 ? found.first ?? nil : nil
  }
}

extension ModelSpecies {
  /// The name without a trailing formula, or the id if there is no name.
  var shownName: String { name.isEmpty ? id.text : SpeciesName.withoutFormula(name, formula: formula) }
}

extension ReactionModifier.Kind {
  /// The edge that draws the modifier.
  ///
  /// Modifiers of unknown role are drawn as catalysts, since most are.
  var edge: GraphEdge.Kind {
    switch self {
    case .catalyst, .unknown: .catalysis
    case .activator: .activation
    case .inhibitor: .inhibition
    }
  }
}
