extension MetabolicDatabase {
  /// All pools and processes as a graph for searching rather than drawing: pools first, then processes, by index.
  var wholeGraph: ReactionGraph {
    var graph = ReactionGraph(id: Identifier(snapshot), name: snapshot)
    for (pool, metabolite) in links.poolMetabolites.enumerated() {
      graph.nodes.append(
        GraphNode(
          id: pools[pool].id, label: metabolites[metabolite].name, kind: .pool,
          isCommon: metabolites[metabolite].isCommon))
    }
    for (number, process) in processes.enumerated() {
      let node = graph.nodes.count
      graph.nodes.append(GraphNode(id: process.id, label: process.name, kind: .process))
      for (participant, pool) in zip(process.participants, links.participantPools[number]) {
        let isOutput = participant.role.isOutput
        var edge = GraphEdge(
          source: isOutput ? node : pool, target: isOutput ? pool : node, kind: participant.role.edge,
          stoichiometry: participant.stoichiometry)
        edge.isReversible = process.isReversible && edge.kind == .flow
        graph.edges.append(edge)
      }
    }
    return graph
  }
}

extension Participant.Role {
  /// The kind of edge that draws this role.
  fileprivate var edge: GraphEdge.Kind {
    switch self {
    case .substrate, .product, .cofactorIn, .cofactorOut: .flow
    case .activator: .activation
    case .inhibitor: .inhibition
    case .catalyst: .catalysis
    }
  }
}
