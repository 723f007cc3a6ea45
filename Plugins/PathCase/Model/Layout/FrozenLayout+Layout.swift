extension FrozenLayout {
  /// Creates the stored form of a pathway's layout: the positions of pools, processes and links to other pathways, and
  /// the bends.
  ///
  /// - Parameter layout: A layout of the graph; hidden nodes have no position.
  init(_ layout: GraphLayout, of graph: ReactionGraph, pathway: Identifier) {
    self.init(pathway: pathway, width: layout.width, height: layout.height)
    let processes = Self.processes(layout, graph)
    var counts: [Int: Int] = [:]
    for place in layout.places { counts[place.node, default: 0] += 1 }
    for (index, place) in layout.places.enumerated() {
      let node = graph.nodes[place.node]
      guard node.kind == .pool || node.kind == .process || node.kind == .pathway else { continue }
      let number = place.clone == 0 ? "" : String(place.clone)
      nodes.append(
        FrozenNode(
          ref: node.id, clone: counts[place.node] == 1 ? "" : processes[index]?.text ?? number, x: place.frame.x,
          y: place.frame.y, width: place.frame.width, height: place.frame.height))
    }
    for route in layout.routes {
      let edge = graph.edges[route.edge]
      let (source, target) = (graph.nodes[edge.source], graph.nodes[edge.target])
      let bends = Array(route.points.dropFirst().dropLast())
      if source.kind == .process, target.kind == .pool {
        paths.append(FrozenPath(process: source.id, pool: target.id, points: bends))
      } else if source.kind == .pool, target.kind == .process {
        // Paths start at the process.
        paths.append(FrozenPath(process: target.id, pool: source.id, points: bends.reversed()))
      }
    }
  }

  /// Returns the process of each place that belongs to exactly one, keyed by the place's index; it distinguishes places
  /// of the same pool.
  private static func processes(_ layout: GraphLayout, _ graph: ReactionGraph) -> [Int: Identifier] {
    var found: [Int: Set<Int>] = [:]
    for route in layout.routes {
      for (place, other) in [(route.source, route.target), (route.target, route.source)]
      where graph.nodes[layout.places[other].node].kind == .process {
        found[place, default: []].insert(layout.places[other].node)
      }
    }
    return found.compactMapValues { $0.count == 1 ? $0.first.map { graph.nodes[$0].id } : nil }
  }
}
