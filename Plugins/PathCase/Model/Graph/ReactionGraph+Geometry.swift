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

  /// The processes in membranes, by node index: transports, and those that reduce or oxidize a quinone.
  var membraneProcesses: Set<Int> {
    let quinones = Set(nodes.indices.filter { CarrierMolecules.isQuinone(nodes[$0]) })
    return edges.reduce(into: transports) { found, edge in
      for (process, pool) in [(edge.source, edge.target), (edge.target, edge.source)]
      where edge.kind == .flow && quinones.contains(pool) && nodes.indices.contains(process) {
        if nodes[process].kind == .process { found.insert(process) }
      }
    }
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

// MARK: - Points

extension FrozenPath.Point {
  /// Returns the point at a fraction of a line's length, between 0 and 1; the origin for a line without vertices.
  static func along(_ corners: [FrozenPath.Point], at share: Double) -> FrozenPath.Point {
    let lengths = zip(corners, corners.dropFirst()).map { $0.distance(to: $1) }
    var remaining = lengths.reduce(0, +) * share
    for (index, length) in lengths.enumerated() {
      if remaining <= length, length > 0 { return corners[index].towards(corners[index + 1], remaining / length) }
      remaining -= length
    }
    return corners.last ?? FrozenPath.Point(x: 0, y: 0)
  }

  func distance(to other: FrozenPath.Point) -> Double {
    let (dx, dy) = (other.x - x, other.y - y)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// Returns the point at a fraction of the way to another.
  func towards(_ other: FrozenPath.Point, _ share: Double) -> FrozenPath.Point {
    FrozenPath.Point(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
  }

  /// Returns the point at a distance on the way to another.
  func moved(_ length: Double, towards other: FrozenPath.Point) -> FrozenPath.Point {
    let whole = distance(to: other)
    return whole > 0 ? towards(other, length / whole) : self
  }
}

// MARK: - Placed graphs

extension ReactionGraph {
  /// Returns the same network with the positions of a layout, for formats that store drawings.
  ///
  /// Nodes come in the order of their places. A node that is drawn several times becomes several nodes; all but the
  /// first get ids of their own and are marked as representing the same thing.
  func placed(by layout: GraphLayout) -> ReactionGraph {
    var graph = self
    graph.nodes = []
    graph.edges = []
    var ids = Set(nodes.map(\.id))
    var places: [Int] = []
    let clones = Set(layout.places.filter { $0.clone > 0 }.map(\.node))
    for place in layout.places {
      var node = nodes[place.node]
      node.frame = place.frame
      if clones.contains(place.node) {
        node.entity = node.subject
        node.isClone = true
      }
      var number = place.clone
      while place.clone > 0, !ids.insert(node.id).inserted {
        node.id = Identifier("\(nodes[place.node].id)_\(number)")
        number += layout.places.count
      }
      node.labelPlace = nil
      places.append(graph.nodes.count)
      graph.nodes.append(node)
    }
    // The first place of a group contains the places of its members; a group without a place contains none.
    let firstPlaces = Dictionary(
      layout.places.enumerated().map { ($0.element.node, $0.offset) }, uniquingKeysWith: { first, _ in first })
    for index in graph.nodes.indices {
      graph.nodes[index].parent = graph.nodes[index].parent.flatMap { firstPlaces[$0] }
    }
    for route in layout.routes {
      for (number, isOpposite) in [(route.edge, false), (route.opposite, true)] {
        guard let number else { continue }
        var edge = edges[number]
        let (start, end) = isOpposite ? (route.target, route.source) : (route.source, route.target)
        (edge.source, edge.target) = (places[start], places[end])
        let bends = Array(route.points.dropFirst().dropLast())
        (edge.bends, edge.curves) = (isOpposite ? Array(bends.reversed()) : bends, [])
        (edge.start, edge.end, edge.sourcePort, edge.targetPort) = (nil, nil, nil, nil)
        graph.edges.append(edge)
      }
    }
    for index in graph.compartments.indices where layout.compartments.indices.contains(index) {
      graph.compartments[index].frame = layout.compartments[index]
    }
    graph.canvas = GraphFrame(
      x: layout.width / 2, y: layout.height / 2, width: layout.width + 100, height: layout.height + 100)
    graph.relations = []
    // Figures have the coordinates of the file.
    graph.figures = []
    return graph
  }

  /// A Boolean value indicating whether every node that needs a position in drawing formats has one.
  var isPlaced: Bool { nodes.allSatisfy { $0.frame != nil || $0.category == "undrawn" } && !nodes.isEmpty }
}
