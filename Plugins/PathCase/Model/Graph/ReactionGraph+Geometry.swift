extension GraphNode {
  /// The identifier of the thing that the node represents.
  var subject: Identifier { entity ?? id }
}

extension ReactionGraph {
  /// The processes with molecules in several compartments, by node index.
  var transports: Set<Int> {
    var rooms: [Int: Int?] = [:]
    var found: Set<Int> = []
    for edge in edges where edge.kind == .flow && nodes.indices.contains(edge.source) {
      guard nodes.indices.contains(edge.target) else { continue }
      for (process, pool) in [(edge.source, edge.target), (edge.target, edge.source)]
      where nodes[process].kind == .process && nodes[pool].kind == .pool {
        let room = nodes[pool].compartment
        if let known = rooms[process], known != room { found.insert(process) } else { rooms[process] = .some(room) }
      }
    }
    return found
  }

  /// Returns the rectangle around everything that has a position, with a margin on each side; only the margins if
  /// nothing has.
  func bounds(margin: Double) -> GraphFrame {
    Self.bounds(
      of: nodes.compactMap(\.frame) + compartments.compactMap(\.frame) + figures.map(\.frame), margin: margin)
  }

  /// Returns the rectangle around the nodes of a compartment, with a margin on each side.
  func bounds(ofCompartment index: Int, margin: Double) -> GraphFrame {
    Self.bounds(of: nodes.filter { $0.compartment == index }.compactMap(\.frame), margin: margin)
  }

  private static func bounds(of frames: [GraphFrame], margin: Double) -> GraphFrame {
    guard let first = frames.first else { return GraphFrame(x: 0, y: 0, width: 2 * margin, height: 2 * margin) }
    var (left, right) = (first.x, first.x)
    var (top, bottom) = (first.y, first.y)
    for frame in frames {
      left = min(left, frame.x - frame.width / 2)
      right = max(right, frame.x + frame.width / 2)
      top = min(top, frame.y - frame.height / 2)
      bottom = max(bottom, frame.y + frame.height / 2)
    }
    return GraphFrame(
      x: (left + right) / 2, y: (top + bottom) / 2, width: right - left + 2 * margin, height: bottom - top + 2 * margin)
  }
}

extension ReactionGraph {
  /// Returns the same network with a process in the middle of each flow between two nodes that are not processes.
  ///
  /// Formats of reactions cannot represent such lines otherwise. The nodes keep their indices.
  func splittingDirectFlows() -> ReactionGraph {
    var graph = self
    var ids = Set(nodes.map(\.id))
    graph.edges = []
    for edge in edges {
      guard edge.kind == .flow, nodes[edge.source].kind != .process, nodes[edge.target].kind != .process else {
        graph.edges.append(edge)
        continue
      }
      var process = GraphNode(id: edge.id, label: edge.id.text, kind: .process)
      var number = graph.nodes.count
      while process.id.text.isEmpty || !ids.insert(process.id).inserted {
        process.id = Identifier("process \(number)")
        number += 1
      }
      process.compartment = nodes[edge.source].compartment
      if let from = nodes[edge.source].frame, let to = nodes[edge.target].frame {
        process.frame = GraphFrame(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, width: 0, height: 0)
      }
      var (first, second) = (edge, edge)
      first.target = graph.nodes.count
      second.source = graph.nodes.count
      (first.end, first.targetPort, second.start, second.sourcePort) = (nil, nil, nil, nil)
      // It is not known which bends come before its middle.
      (first.bends, first.curves, second.bends, second.curves) = ([], [], [], [])
      graph.nodes.append(process)
      graph.edges += [first, second]
    }
    return graph
  }
}

extension FrozenPath.Point {
  /// Returns the point at a fraction of a line's length, between 0 and 1; the origin for a line without vertices.
  static func along(_ corners: [FrozenPath.Point], at share: Double) -> FrozenPath.Point {
    let lengths = zip(corners, corners.dropFirst()).map { from, to in
      ((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y)).squareRoot()
    }
    var rest = lengths.reduce(0, +) * share
    for (index, length) in lengths.enumerated() {
      if rest <= length, length > 0 {
        let part = rest / length
        let (from, to) = (corners[index], corners[index + 1])
        return FrozenPath.Point(x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part)
      }
      rest -= length
    }
    return corners.last ?? FrozenPath.Point(x: 0, y: 0)
  }
}
