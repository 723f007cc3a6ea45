extension ReactionModel {
  /// The picture of a model: its species and reactions, in its compartments.
  ///
  /// Reactions with one side only, which stand for the world outside, are drawn too.
  var graph: ReactionGraph {
    var graph = ReactionGraph(id: id, name: name.isEmpty ? id.text : name)
    graph.compartments = compartments.map {
      GraphCompartment(id: $0.id, name: $0.name.isEmpty ? $0.id.text : $0.name)
    }
    let common = commonSpecies
    graph.nodes = species.enumerated().map { index, species in
      GraphNode(
        id: species.id, label: species.name.isEmpty ? species.id.text : species.name, kind: .pool,
        compartment: species.compartment, isCommon: common.contains(index))
    }
    for reaction in reactions {
      let node = graph.nodes.count
      graph.nodes.append(
        GraphNode(
          id: reaction.id, label: reaction.name.isEmpty ? reaction.id.text : reaction.name, kind: .process,
          compartment: compartment(of: reaction)))
      for part in reaction.stoichiometry where part.amount != 0 {
        graph.edges.append(
          GraphEdge(
            source: part.amount < 0 ? part.species : node, target: part.amount < 0 ? node : part.species,
            isReversible: reaction.lowerBound < 0 && reaction.upperBound > 0, stoichiometry: abs(part.amount)))
      }
      for modifier in reaction.modifiers {
        graph.edges.append(GraphEdge(source: modifier, target: node, kind: .catalysis))
      }
    }
    return graph
  }

  /// The compartment that all species of a reaction are in; nil if they are in several.
  private func compartment(of reaction: ModelReaction) -> Int? {
    let found = Set(reaction.stoichiometry.map { species[$0.species].compartment })
    return found.count == 1 ? found.first ?? nil : nil
  }
}
