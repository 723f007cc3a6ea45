extension GPMLReader {
  /// A vertex or an end of a line.
  private struct Corner {
    var place: FrozenPath.Point
    var reference: String?
    var head: String
  }

  /// A line with its vertices and, between 0 and 1 along it, its anchors.
  private struct Line {
    var index: Int
    var corners: [Corner]
    var anchors: [(node: Int, position: Double)]
  }

  /// Adds the lines: all anchors come first, because lines end at anchors of others.
  mutating func addLines() throws(MapError) {
    var lines: [Line] = []
    for index in elements("Interaction", "GraphicalLine", "Line") {
      let name = tree[index].name
      let corners = try tree[index].placing { () throws(MapError) in try self.corners(of: index) }
      guard let first = corners.first, let last = corners.last, corners.count > 1 else {
        builder.warn("map-simplified", "the line '\(id(of: index))' has less than two points; it is left out")
        continue
      }
      if name != "Interaction", first.reference == nil || last.reference == nil {
        addFigure(index, corners)
        continue
      }
      let anchors = try tree[index].placing { () throws(MapError) in try self.anchors(of: index, corners) }
      lines.append(Line(index: index, corners: corners, anchors: anchors))
    }
    counts["dangling_point_refs"] = 0
    for line in lines { addEdges(of: line) }
  }

  private func corners(of index: Int) throws(MapError) -> [Corner] {
    var corners: [Corner] = []
    for place in tree.descendants(of: index) where tree[place].name == "Point" {
      let element = tree[place]
      let point = try element.placing { () throws(MapError) in
        guard let x = try number(element, version.x), let y = try number(element, version.y) else {
          throw .number(text: element[version.x] ?? "", of: "a point of '\(id(of: index))'")
        }
        return FrozenPath.Point(x: x, y: y)
      }
      let reference = element[version.reference]
      corners.append(
        Corner(
          place: point, reference: reference.flatMap { $0.isEmpty ? nil : $0 },
          head: element[version.arrowHead] ?? ""))
    }
    return corners
  }

  /// Adds a figure for a line that is not attached to anything.
  private mutating func addFigure(_ index: Int, _ corners: [Corner]) {
    let xs = corners.map(\.place.x)
    let ys = corners.map(\.place.y)
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return }
    let frame = GraphFrame(x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top)
    builder.graph.figures.append(
      GraphFigure(
        id: id(of: index), category: "line", frame: frame, points: corners.map(\.place), style: lineStyle(of: index)))
  }

  /// Adds the anchors of a line as processes, in their order along it.
  private mutating func anchors(of index: Int, _ corners: [Corner]) throws(MapError) -> [(node: Int, position: Double)]
  {
    var found: [(id: Identifier, position: Double)] = []
    for place in tree.descendants(of: index) where tree[place].name == "Anchor" {
      let position = try number(tree[place], version.position) ?? 0.5
      found.append((id(of: place), min(max(position, 0), 1)))
    }
    found.sort { ($0.position, $0.id) < ($1.position, $1.id) }
    var anchors: [(node: Int, position: Double)] = []
    for anchor in found {
      // The meeting point of other lines shows the anchor's position, which cannot be derived from the vertices of
      // curves.
      let place = ends[anchor.id] ?? FrozenPath.Point.along(corners.map(\.place), at: anchor.position)
      let node = GraphNode(
        id: anchor.id, label: "", kind: .process, frame: GraphFrame(x: place.x, y: place.y, width: 0, height: 0),
        category: "Anchor", isPoint: true)
      anchors.append((try builder.add(node, what: "an anchor"), anchor.position))
    }
    return anchors
  }

  /// Returns the node at an end, creating a free end if there is none.
  private mutating func node(at corner: Corner, of line: Int) -> Int {
    if let reference = corner.reference, let node = builder.indices[Identifier(reference)] { return node }
    if corner.reference != nil { counts["dangling_point_refs", default: 0] += 1 }
    return builder.addFreeEnd("\(id(of: line)) end", at: corner.place, reference: corner.reference)
  }

  /// Adds a line's edges, from anchor to anchor; an effect has its head at the last of them.
  private mutating func addEdges(of line: Line) {
    let first = line.corners[0]
    let last = line.corners[line.corners.count - 1]
    let nodes = [node(at: first, of: line.index)] + line.anchors.map(\.node) + [node(at: last, of: line.index)]
    let isBackwards = !Self.isHead(last.head) && Self.isHead(first.head)
    let head = isBackwards ? first.head : last.head
    let style = lineStyle(of: line.index)
    for (index, pair) in zip(nodes, nodes.dropFirst()).enumerated() {
      var edge = GraphEdge(source: pair.0, target: pair.1, kind: Self.kind(of: head))
      edge.isReversible = Self.isHead(first.head) && Self.isHead(last.head) && edge.kind == .flow
      edge.id = id(of: line.index)
      edge.category = head.isEmpty ? "Line" : head
      edge.style = style
      edge.start = index == 0 ? first.place : nil
      edge.end = index == nodes.count - 2 ? last.place : nil
      // For lines with bends and anchors, the format does not give the segment of an anchor.
      if line.anchors.isEmpty { edge.bends = line.corners.dropFirst().dropLast().map(\.place) }
      builder.graph.edges.append(isBackwards ? edge.reversed : edge)
    }
  }

  private static func isHead(_ head: String) -> Bool { !head.isEmpty && head != "Undirected" && head != "Line" }

  /// Returns the meaning of a line with a head.
  private static func kind(of head: String) -> GraphEdge.Kind {
    switch head {
    case "mim-catalysis", "Catalysis": .catalysis
    case "mim-inhibition", "TBar", "Inhibition": .inhibition
    case "mim-stimulation", "mim-necessary-stimulation", "Stimulation": .activation
    case "", "Undirected", "Line", "mim-binding", "Binding", "mim-covalent-bond", "LigandRound", "ReceptorRound",
      "LigandSquare", "ReceptorSquare", "Receptor":
      .association
    default: .flow
    }
  }
}

extension GraphEdge {
  /// The same line in the opposite direction.
  var reversed: GraphEdge {
    var edge = self
    swap(&edge.source, &edge.target)
    swap(&edge.start, &edge.end)
    swap(&edge.sourcePort, &edge.targetPort)
    edge.bends.reverse()
    edge.curves = edge.curves.reversed().map(\.reversed)
    return edge
  }
}
