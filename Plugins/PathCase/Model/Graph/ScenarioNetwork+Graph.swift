extension ScenarioNetwork {
  /// The graph of the network: its pools and processes, its flows and effects.
  var graph: ReactionGraph {
    var graph = ReactionGraph(id: Identifier(name), name: name)
    graph.nodes = pools.map { GraphNode(id: $0.id, label: $0.id.text, kind: .pool) }
    for process in processes {
      let node = graph.nodes.count
      // Pools and processes may share ids here, but nodes must not.
      let isTaken = pools.contains { $0.id == process.id }
      graph.nodes.append(
        GraphNode(
          id: isTaken ? Identifier("process \(process.id)") : process.id, label: process.id.text, kind: .process,
          entity: isTaken ? process.id : nil))
      for input in process.inputs {
        graph.edges.append(GraphEdge(source: input.pool, target: node, isReversible: process.isReversible))
      }
      for output in process.outputs {
        graph.edges.append(GraphEdge(source: node, target: output, isReversible: process.isReversible))
      }
      for inhibitor in process.inhibitors {
        graph.edges.append(GraphEdge(source: inhibitor.pool, target: node, kind: .inhibition))
      }
      for activator in process.activators {
        graph.edges.append(GraphEdge(source: activator.pool, target: node, kind: .activation))
      }
    }
    return graph
  }
}
