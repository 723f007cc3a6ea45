extension EscherNetwork {
  /// Returns the network on Escher's canvas, whose letters and circles are larger than those of other maps.
  ///
  /// Names are placed beside their circles where they cover least, and modifiers beside processes.
  func onPaper() -> ReactionGraph {
    var graph = graph.enlarged(by: 3)
    for index in graph.nodes.indices {
      guard let frame = graph.nodes[index].frame, !graph.nodes[index].isPoint else { continue }
      let isProcess = graph.nodes[index].kind == .process
      let width = isProcess ? EscherReader.widths.marker : EscherReader.widths.primary
      graph.nodes[index].frame = GraphFrame(x: frame.x, y: frame.y, width: width, height: width)
    }
    graph.placeNames(and: regulators)
    return graph
  }
}

extension ReactionGraph {
  /// Returns the graph with all positions and sizes multiplied.
  func enlarged(by scale: Double) -> ReactionGraph {
    func point(_ point: FrozenPath.Point) -> FrozenPath.Point { .init(x: point.x * scale, y: point.y * scale) }
    func frame(_ frame: GraphFrame) -> GraphFrame {
      GraphFrame(x: frame.x * scale, y: frame.y * scale, width: frame.width * scale, height: frame.height * scale)
    }
    var graph = self
    for index in nodes.indices {
      graph.nodes[index].frame = nodes[index].frame.map(frame)
      graph.nodes[index].labelPlace = nodes[index].labelPlace.map(point)
    }
    for (index, edge) in edges.enumerated() {
      graph.edges[index].bends = edge.bends.map(point)
      graph.edges[index].curves = edge.curves.map {
        GraphCurve(first: $0.first.map(point), second: $0.second.map(point))
      }
    }
    for index in figures.indices {
      graph.figures[index].frame = frame(figures[index].frame)
      graph.figures[index].points = figures[index].points.map(point)
    }
    for index in compartments.indices { graph.compartments[index].frame = compartments[index].frame.map(frame) }
    graph.canvas = canvas.map(frame)
    return graph
  }

  /// Places the names of nodes that have no label position away from circles, lines and other names; then places texts
  /// beside processes.
  fileprivate mutating func placeNames(and texts: [Identifier: [String]]) {
    var places = LabelPlaces(cell: 120)
    for node in nodes { if let frame = node.frame { places.block(LayoutBounds(frame)) } }
    for edge in edges {
      let ends = [nodes[edge.source].frame, nodes[edge.target].frame].compactMap { $0 }
      guard ends.count == 2 else { continue }
      let corners = [FrozenPath.Point(x: ends[0].x, y: ends[0].y)] + edge.bends + [.init(x: ends[1].x, y: ends[1].y)]
      places.block(line: PictureCurve(corners: corners, radius: 0).samples(step: 15))
    }
    for index in nodes.indices where nodes[index].labelPlace == nil {
      guard let frame = nodes[index].frame, !nodes[index].isPoint else { continue }
      let isProcess = nodes[index].kind == .process
      let size = isProcess ? EscherPlacement.letters.reaction : EscherPlacement.letters.metabolite
      nodes[index].labelPlace = Self.place(nodes[index].subject.text, size, !isProcess, beside: frame, &places)
    }
    for node in nodes {
      guard let frame = node.frame else { continue }
      for text in texts[node.id] ?? [] {
        let start = Self.place(text, EscherPlacement.letters.text, true, beside: frame, &places)
        figures.append(
          GraphFigure(
            id: Identifier("text\(figures.count)"), category: "text", text: text,
            frame: GraphFrame(x: start.x, y: start.y, width: 0, height: 0)))
      }
    }
  }

  /// Reserves a position for a text beside a circle; returns the start of its baseline.
  private static func place(
    _ text: String, _ size: Double, _ isBold: Bool, beside frame: GraphFrame, _ places: inout LabelPlaces
  ) -> FrozenPath.Point {
    let spots = spots(around: frame, width: LetterWidths.width(text, size: size, isBold: isBold), height: size)
    let box = spots[places.take(spots)]
    return FrozenPath.Point(x: box.left, y: box.bottom - 0.22 * size)
  }

  /// Returns rectangles for a name around a circle: right, left, below, above, then further away.
  private static func spots(around frame: GraphFrame, width: Double, height: Double) -> [LayoutBounds] {
    [1.0, 3, 6, 10].flatMap { step in
      let (x, y) = (frame.width / 2 + 8 * step, frame.height / 2 + 8 * step)
      let centers = [
        (x + width / 2, 0), (-x - width / 2, 0), (0, y + height / 2), (0, -y - height / 2),
        (x + width / 2, y), (-x - width / 2, y), (x + width / 2, -y), (-x - width / 2, -y),
      ]
      return centers.map {
        LayoutBounds(GraphFrame(x: frame.x + $0.0, y: frame.y + $0.1, width: width, height: height))
      }
    }
  }
}
