extension FrozenLayout {
  /// What is kept of a layout of a pathway: the places of pools, processes and ways to other pathways, and the bends.
  ///
  /// - Parameter layout: A layout of the graph; what it hides has no place.
  init(_ layout: GraphLayout, of graph: ReactionGraph, pathway: Identifier) {
    self.init(pathway: pathway, width: layout.width, height: layout.height)
    for place in layout.places {
      let node = graph.nodes[place.node]
      guard node.kind == .pool || node.kind == .process || node.kind == .pathway else { continue }
      let others = nodes.count { $0.ref == node.id }
      nodes.append(
        FrozenNode(
          ref: node.id, clone: others == 0 ? "" : String(others), x: place.frame.x, y: place.frame.y,
          width: place.frame.width, height: place.frame.height))
    }
    for route in layout.routes {
      let edge = graph.edges[route.edge]
      let (source, target) = (graph.nodes[edge.source], graph.nodes[edge.target])
      let bends = Array(route.points.dropFirst().dropLast())
      if source.kind == .process, target.kind == .pool {
        paths.append(FrozenPath(process: source.id, pool: target.id, points: bends))
      } else if source.kind == .pool, target.kind == .process {
        // Paths are told from the process on.
        paths.append(FrozenPath(process: target.id, pool: source.id, points: bends.reversed()))
      }
    }
  }
}
