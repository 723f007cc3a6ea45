@testable import PathCase

/// Synthetic graphs, and the properties checked in their layouts.
enum SampleGraphs {
  static func nodes(_ count: Int) -> [GraphNode] {
    (0..<count).map {
      GraphNode(id: Identifier("n\($0)"), label: "node \($0)", kind: $0 & 1 == 0 ? .pool : .process)
    }
  }

  static func graph(_ count: Int, _ pairs: [(Int, Int)]) -> ReactionGraph {
    ReactionGraph(
      id: "g", name: "g", nodes: nodes(count), edges: pairs.map { GraphEdge(source: $0.0, target: $0.1) })
  }

  static func chain(_ count: Int) -> ReactionGraph {
    graph(count, (0..<max(count - 1, 0)).map { ($0, $0 + 1) })
  }

  /// Returns a graph in which each node flows to the next, and the last to the first.
  static func ring(_ count: Int) -> ReactionGraph {
    graph(count, (0..<count).map { ($0, ($0 + 1) % count) })
  }

  /// Returns two chains with rungs between them.
  static func ladder(_ length: Int) -> ReactionGraph {
    var pairs: [(Int, Int)] = []
    for step in 0..<length - 1 {
      pairs.append((step, step + 1))
      pairs.append((length + step, length + step + 1))
    }
    for step in stride(from: 0, to: length, by: 5) { pairs.append((step, length + step)) }
    return graph(2 * length, pairs)
  }

  /// A cycle of odd length, for which no layering has all lines between adjacent layers.
  static var odd: ReactionGraph { graph(7, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (4, 5), (2, 6)]) }

  /// Returns a graph with many cycles, the same each time.
  static func tangle(_ count: Int) -> ReactionGraph {
    var pairs: [(Int, Int)] = []
    for node in 1..<count {
      pairs.append((node * 7919 / 16 % node, node))
      if node % 3 == 0 { pairs.append((node, (node * 53 + 11) % count)) }
    }
    return graph(count, pairs.filter { $0.0 != $0.1 })
  }

  /// Returns a tangle with positions of its own, spread over a square.
  static func scattered(_ count: Int) -> ReactionGraph {
    var graph = tangle(count)
    for node in graph.nodes.indices {
      let (x, y) = (Double(node * 7919 % 1000), Double(node * 104_729 % 1000))
      graph.nodes[node].frame = GraphFrame(x: x, y: y, width: 30, height: 20)
    }
    return graph
  }

  /// A chain whose two processes use the same common molecule.
  static var withCommon: ReactionGraph {
    var graph = graph(6, [(0, 1), (1, 2), (2, 3), (3, 4), (5, 1), (5, 3)])
    graph.nodes[5].isCommon = true
    graph.nodes[5].kind = .pool
    return graph
  }

  /// A chain through two compartments within a third.
  static var compartments: ReactionGraph {
    var graph = chain(12)
    graph.compartments = [
      GraphCompartment(id: "out", name: "outside", parent: nil), GraphCompartment(id: "c", name: "cytosol", parent: 0),
      GraphCompartment(id: "m", name: "matrix", parent: 0),
    ]
    for node in graph.nodes.indices { graph.nodes[node].compartment = node / 4 }
    return graph
  }

  /// Returns a graph with everything: parallel and opposite edges, loops, parts, compartments, common molecules,
  /// positions.
  static func random(_ seed: UInt64) -> ReactionGraph {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(limit, 1)
    }
    let count = 1 + below(26)
    var result = graph(count, [])
    for _ in 0..<below(count * 2) {
      let edge = GraphEdge(source: below(count), target: below(count), isReversible: below(2) == 0)
      result.edges.append(edge)
      if below(6) == 0 { result.edges.append(edge) }
      if below(6) == 0 { result.edges.append(GraphEdge(source: edge.target, target: edge.source)) }
    }
    if below(2) == 0 {
      for index in 0..<3 {
        result.compartments.append(
          GraphCompartment(id: Identifier("c\(index)"), name: "room \(index)", parent: index == 0 ? nil : below(index)))
      }
      for node in result.nodes.indices where below(5) > 0 { result.nodes[node].compartment = below(3) }
    }
    for node in result.nodes.indices where below(8) == 0 { result.nodes[node].isCommon = true }
    if below(4) == 0 {
      for node in result.nodes.indices where below(4) > 0 {
        result.nodes[node].frame = GraphFrame(
          x: Double(below(900)), y: Double(below(900)), width: Double(below(90)), height: 20)
      }
    }
    if below(2) == 0 {
      for node in result.nodes.indices where below(4) == 0 { result.nodes[node].isPrimary = false }
      for node in result.nodes.indices where below(10) == 0 { result.nodes[node].kind = .pathway }
      for edge in result.edges.indices where below(5) == 0 {
        result.edges[edge].kind = GraphEdge.Kind.allCases[below(GraphEdge.Kind.allCases.count)]
      }
    }
    return result
  }

  /// Returns processes that each convert one pool into the next, in a cycle: pools are even, processes odd.
  static func cycle(_ count: Int, entering: Bool) -> ReactionGraph {
    var graph = ring(2 * count)
    guard entering else { return graph }
    // A pool from outside joins the process that follows the pool halfway around.
    graph.nodes.append(GraphNode(id: "fuel", label: "fuel", kind: .pool))
    graph.edges.append(GraphEdge(source: 2 * count, target: count | 1))
    return graph
  }

  /// Returns the pairs of places that overlap.
  static func overlaps(_ layout: GraphLayout) -> [(Int, Int)] {
    var result: [(Int, Int)] = []
    for (index, first) in layout.places.enumerated() {
      for other in layout.places.indices.dropFirst(index + 1) {
        let second = layout.places[other]
        let dx = abs(first.frame.x - second.frame.x) - (first.frame.width + second.frame.width) / 2
        let dy = abs(first.frame.y - second.frame.y) - (first.frame.height + second.frame.height) / 2
        if dx < -1e-6 && dy < -1e-6 { result.append((index, other)) }
      }
    }
    return result
  }

  /// Returns whether a line begins and ends at the borders of its places.
  static func touches(_ route: GraphLayout.Route, _ layout: GraphLayout) -> Bool {
    guard let first = route.points.first, let last = route.points.last else { return false }
    return isAt(first, layout.places[route.source].frame) && isAt(last, layout.places[route.target].frame)
  }

  private static func isAt(_ point: FrozenPath.Point, _ frame: GraphFrame) -> Bool {
    let (dx, dy) = (abs(point.x - frame.x) - frame.width / 2, abs(point.y - frame.y) - frame.height / 2)
    return dx < 1e-6 && dy < 1e-6 && max(dx, dy) > -1e-6
  }
}
