import PluginAPI

/// The source of the positions that a graph's nodes have before it is laid out.
enum GraphPositions {
  /// The network, where it has any.
  case stored
  /// None: all positions are computed.
  case computed
  /// The user, who moved nodes of this graph by hand.
  case moved(ReactionGraph, isKept: Bool)

  /// A Boolean value indicating whether nodes were moved since the layout was stored or computed.
  var hasUnkeptMoves: Bool {
    if case .moved(_, isKept: false) = self { true } else { false }
  }

  /// A Boolean value indicating whether nodes are where they are stored.
  var areKept: Bool {
    switch self {
    case .stored: true
    case .computed: false
    case .moved(_, let isKept): isKept
    }
  }

  /// Returns the graph to lay out for a network's graph.
  func graph(of stored: ReactionGraph) -> ReactionGraph {
    switch self {
    case .stored: return stored
    case .computed:
      var graph = stored
      for node in graph.nodes.indices { graph.nodes[node].frame = nil }
      return graph
    case .moved(let graph, _): return graph
    }
  }
}

extension ReactionGraph {
  /// The number of processes from which a pool is called busy.
  static let busyFrom = 40

  /// The pools that take part in very many processes and are not marked as common, by index.
  var busyPools: [Int] {
    var uses = [Int](repeating: 0, count: nodes.count)
    for edge in edges where edge.kind == .flow {
      if uses.indices.contains(edge.source) { uses[edge.source] += 1 }
      if uses.indices.contains(edge.target) { uses[edge.target] += 1 }
    }
    return nodes.indices.filter { uses[$0] >= Self.busyFrom && nodes[$0].kind == .pool && !nodes[$0].isCommon }
  }
}

// MARK: Moving

extension GraphPicture {
  /// Returns the graph with a place moved; all other nodes, and the bends of edges that need not move, stay.
  ///
  /// Horizontally, a place swaps with its neighbor; vertically it moves to the next row.
  func moving(_ place: Int, _ direction: GraphState.Direction) -> ReactionGraph {
    var frames = layout.places.map(\.frame)
    switch direction {
    case .left, .right: Self.swap(place, in: &frames, step: direction.step.x)
    case .up, .down: Self.shift(place, in: &frames, step: direction.step.y)
    }
    return fixing(frames, moved: place)
  }

  /// Swaps the columns of a place and the next one in its row; the last one of a row moves on alone.
  private static func swap(_ index: Int, in frames: inout [GraphFrame], step: Int) {
    let own = frames[index]
    let beside = frames.indices.filter { other in
      other != index && abs(frames[other].y - own.y) < own.height / 2 && (frames[other].x - own.x) * Double(step) > 0
    }
    let next = beside.min { abs(frames[$0].x - own.x) < abs(frames[$1].x - own.x) }
    if let next {
      (frames[index].x, frames[next].x) = (frames[next].x, own.x)
    } else {
      frames[index].x += Double(step) * own.width
    }
  }

  /// Moves a place to the next row above or below; beyond the last row to a new one.
  private static func shift(_ index: Int, in frames: inout [GraphFrame], step: Int) {
    let own = frames[index]
    let beyond = frames.filter { ($0.y - own.y) * Double(step) > own.height / 2 }
    let next = beyond.min { abs($0.y - own.y) < abs($1.y - own.y) }
    frames[index].y = next?.y ?? own.y + Double(step) * 3 * own.height
    // Two nodes must not have the same position.
    while frames.indices.contains(where: {
      $0 != index && abs(frames[$0].y - frames[index].y) < own.height / 2
        && abs(frames[$0].x - frames[index].x) < 1
    }) { frames[index].x += own.width / 2 + 1 }
  }

  /// Returns the graph with given positions of its places.
  private func fixing(_ frames: [GraphFrame], moved: Int) -> ReactionGraph {
    var graph = graph
    var nodes: [Int] = []
    for (place, frame) in zip(layout.places, frames) {
      if place.clone == 0 || graph.nodes[place.node].frame == nil {
        graph.nodes[place.node].frame = frame
        nodes.append(place.node)
        continue
      }
      // A node drawn several times becomes several nodes.
      var clone = graph.nodes[place.node]
      (clone.entity, clone.isClone, clone.frame) = (clone.subject, true, frame)
      nodes.append(graph.nodes.count)
      graph.nodes.append(clone)
    }
    for route in layout.routes {
      let isMoved = route.source == moved || route.target == moved
      let bends = isMoved ? [] : Array(route.points.dropFirst().dropLast())
      let (source, target) = (nodes[route.source], nodes[route.target])
      graph.edges[route.edge].lead(from: source, to: target, by: bends)
      guard let opposite = route.opposite else { continue }
      graph.edges[opposite].lead(from: target, to: source, by: Array(bends.reversed()))
    }
    return graph
  }
}

extension GraphEdge {
  /// Moves the edge in one access to it: of several, the compiler checks the index of some or not, at random
  /// (Decisions/0102).
  fileprivate mutating func lead(from source: Int, to target: Int, by bends: [FrozenPath.Point]) {
    (self.source, self.target, self.bends) = (source, target, bends)
  }
}
