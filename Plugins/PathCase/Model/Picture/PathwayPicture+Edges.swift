extension PathwayPicture {
  /// Returns the line of a route between the borders of the nodes that it connects.
  func curve(of route: GraphLayout.Route) -> PictureCurve {
    let (source, target) = (glyphs[route.source], glyphs[route.target])
    let edge = graph.edges[route.edge]
    var curve: PictureCurve
    if let stored, edge.curves.count == edge.bends.count + 1, !edge.curves.isEmpty {
      curve = storedCurve(edge, source, target, stored)
    } else {
      var corners = route.points
      let frames = (layout.places[route.source].frame, layout.places[route.target].frame)
      let isModifier = edge.kind != .flow && edge.kind != .association
      let meeting = (meeting(route.source, edge: route.edge), meeting(route.target, edge: route.edge))
      corners = reaching(source, in: frames.0, corners, meeting.0)
      corners = Array(reaching(target, in: frames.1, Array(corners.reversed()), meeting.1).reversed())
      let flowing = stored == nil && !isModifier ? PictureCurve(flowing: corners) : nil
      curve = flowing ?? PictureCurve(corners: corners, radius: (stored == nil ? 14 : 8) * unit)
    }
    curve = curve.cut { target.contains($0, gap: 0.6 * unit) }
    return curve.reversed.cut { source.contains($0, gap: 0.6 * unit) }.reversed
  }

  /// The point at which a line meets a node.
  private enum Meeting: Equatable {
    /// Above or below the node.
    case straight
    /// At the right or left side of a process's square, at a distance from its center.
    case turned(Double)
    /// At a corner of a process's square.
    case corner
  }

  private func meeting(_ index: Int, edge: Int) -> Meeting {
    let kind = graph.edges[edge].kind
    if kind != .flow, kind != .association { return .corner }
    guard let ports = ports[layout.places[index].node], ports.turned.contains(edge) else { return .straight }
    return .turned(ports.lane)
  }

  /// Returns a line extended to the center of a node whose border its first vertex touches.
  ///
  /// Lines leave nodes vertically. Lines of a process meet its square above and below or go around to its right, and
  /// modifiers end at a corner.
  private func reaching(
    _ glyph: NodeGlyph, in frame: GraphFrame, _ corners: [FrozenPath.Point], _ meeting: Meeting
  ) -> [FrozenPath.Point] {
    var corners = corners
    let center = glyph.frame.center
    guard stored == nil, let first = corners.first, corners.count > 1,
      abs(first.y - frame.y) > frame.height / 2 - 0.5
    else { return [center] + corners }
    let sign = first.y > frame.y ? 1.0 : -1.0
    if glyph.isBeside, meeting == .corner {
      let side = corners[1].x < frame.x - 1 ? -1.0 : 1.0
      corners[0].x = center.x + side * 20
      corners.insert(.init(x: center.x + side * 4, y: center.y + sign * 4), at: 0)
      return corners
    }
    let reach = glyph.isBeside ? 0 : max(0, glyph.frame.width / 2 - 8)
    var x = min(max(first.x, center.x - reach), center.x + reach)
    if case .turned(let lane) = meeting { x = center.x + lane }
    // The straight run past taller nodes of the same layer is moved with it.
    var run = 1
    while run + 1 < corners.count, abs(corners[run].x - first.x) < 0.01 { run += 1 }
    let base = corners[run - 1]
    let stub = min(PathwayPicture.stub, abs(corners[run].y - base.y) / 2)
    var line: [FrozenPath.Point] = meeting == .straight ? [] : [center]
    line.append(FrozenPath.Point(x: x, y: center.y))
    line.append(FrozenPath.Point(x: x, y: base.y + sign * stub))
    line += corners[run...]
    return line
  }

  /// The distance that lines run vertically before they turn.
  static let stub = 9.0

  private func storedCurve(
    _ edge: GraphEdge, _ source: NodeGlyph, _ target: NodeGlyph, _ stored: StoredPlaces
  ) -> PictureCurve {
    let corners = [source.frame.center] + edge.bends.map { stored.point($0) } + [target.frame.center]
    let pieces = zip(zip(corners, corners.dropFirst()), edge.curves).map { ends, curve in
      guard let first = curve.first ?? curve.second else { return PictureCurve.Piece.line(ends.0, ends.1) }
      return PictureCurve.Piece(
        start: ends.0, first: stored.point(first), second: stored.point(curve.second ?? first), end: ends.1)
    }
    return PictureCurve(pieces: pieces)
  }

  mutating func paint(_ route: GraphLayout.Route, _ curve: PictureCurve) {
    if curve.pieces.isEmpty { return }
    let edge = graph.edges[route.edge]
    let nodes = (graph.nodes[layout.places[route.source].node], graph.nodes[layout.places[route.target].node])
    if edge.kind == .flow, isDrawnAsFigure(nodes.0) || isDrawnAsFigure(nodes.1) { return }
    let look = styles.look(of: edge, nodes)
    var heads = heads(of: route, nodes)
    if let state = look.state { heads = self.heads(in: state, nodes) }
    var line = curve
    var shapes: [PictureShape] = []
    for isEnd in [true, false] {
      let head = isEnd ? heads.end : heads.start
      let length = head.length * look.headScale * unit
      let directed = isEnd ? line : line.reversed
      guard head != .none, let tip = directed.pieces.last?.end else { continue }
      // The line ends where the head begins; a head longer than its line is left out.
      let cut = directed.shortened(by: length)
      guard let base = cut.pieces.last?.end else { continue }
      shapes.append(head.shape(from: base, to: tip, look, theme, unit: unit))
      line = isEnd ? cut : cut.reversed
    }
    let style = PictureStyle(stroke: look.color, strokeWidth: look.width * unit, dashes: look.dashes.map { $0 * unit })
    shapes.insert(.path(line.path, style), at: 0)
    shapes += amount(of: edge, line, isOverlaid: look.state != nil)
    shapes += decorations(of: edge, on: curve)
    let title = PictureLabel.shown(nodes.0.shownName) + " → " + PictureLabel.shown(nodes.1.shownName)
    add(.edge, title, shapes)
  }

  /// Returns the text of the stoichiometry of an edge, if it is not 1.
  private mutating func amount(of edge: GraphEdge, _ line: PictureCurve, isOverlaid: Bool) -> [PictureShape] {
    guard edge.kind == .flow, edge.stoichiometry != 1, edge.stoichiometry.isFinite, stored == nil, !isOverlaid else {
      return []
    }
    let points = line.samples(step: 3 * unit)
    guard points.count > 2 else { return [] }
    let size = 8.5 * unit
    let text = PictureNumber.short(edge.stoichiometry)
    let width = LetterWidths.width(text, size: size)
    let boxes = [0.5, 0.35, 0.65].flatMap { share -> [(LayoutBounds, FrozenPath.Point)] in
      let point = points[Int(Double(points.count - 1) * share)]
      return [1.0, -1.0].map { side in
        let center = FrozenPath.Point(x: point.x + side * (width / 2 + 4 * unit), y: point.y)
        let frame = GraphFrame(x: center.x, y: center.y, width: width, height: size)
        return (LayoutBounds(frame), center)
      }
    }
    let center = boxes[labels.take(boxes.map(\.0))].1
    return [
      .text(
        PictureText(
          text: text, position: .init(x: center.x, y: center.y + size * 0.34), size: size, color: theme.quietText,
          anchor: .middle, halo: picture.background))
    ]
  }

  /// Returns the heads at the two ends of a line.
  private func heads(of route: GraphLayout.Route, _ nodes: (GraphNode, GraphNode)) -> (start: EdgeHead, end: EdgeHead) {
    let edge = graph.edges[route.edge]
    switch edge.kind {
    case .flow:
      let isTwoWay = edge.isReversible || route.opposite != nil
      let isFree = (nodes.0.isPoint, nodes.1.isPoint)
      return (
        isTwoWay && nodes.0.kind != .process && !isFree.0 ? .flow : .none,
        nodes.1.kind != .process && !isFree.1 ? .flow : .none
      )
    case .activation, .inhibition, .catalysis, .association: return (.none, EdgeHead(effectOf: edge))
    }
  }

  /// Returns the heads of a line whose process runs in a given direction: only at products.
  private func heads(in state: ProcessState, _ nodes: (GraphNode, GraphNode)) -> (start: EdgeHead, end: EdgeHead) {
    let isMadeAtEnd = nodes.0.kind == .process
    switch state {
    case .idle: return (.none, .none)
    case .forward: return (.none, isMadeAtEnd ? .flow : .none)
    case .backward: return (isMadeAtEnd ? .none : .flow, .none)
    }
  }
}

/// The shape at the end of a line.
enum EdgeHead: Sendable, Hashable {
  case none
  /// Production: a filled triangle.
  case flow
  /// Activation: an open triangle.
  case activation
  /// Activation without which nothing happens: a bar before an open triangle.
  case necessity
  /// Inhibition: a bar.
  case inhibition
  /// Catalysis: an open circle.
  case catalysis

  /// Creates the head of an effect.
  init(effectOf edge: GraphEdge) {
    switch edge.kind {
    case .activation: self = edge.isNecessary ? .necessity : .activation
    case .inhibition: self = .inhibition
    case .catalysis: self = .catalysis
    case .flow, .association: self = .none
    }
  }

  /// The distance from the end of the line to the tip.
  var length: Double {
    switch self {
    case .none: 0
    case .flow: 8
    case .activation: 7
    case .necessity: 10
    case .inhibition: 2.5
    case .catalysis: 7
    }
  }

  /// Returns the head between the end of its line and its tip.
  func shape(
    from base: FrozenPath.Point, to tip: FrozenPath.Point, _ look: EdgeLook, _ theme: PictureTheme, unit: Double
  ) -> PictureShape {
    let length = max(base.distance(to: tip), 1e-9)
    let (x, y) = ((tip.x - base.x) / length, (tip.y - base.y) / length)
    func side(_ along: FrozenPath.Point, _ reach: Double) -> FrozenPath.Point {
      .init(x: along.x - y * reach, y: along.y + x * reach)
    }
    let half = 0.42 * length
    switch self {
    case .inhibition:
      let reach = 5 * unit * look.headScale
      return .path(
        .line([side(tip, -reach), side(tip, reach)]),
        PictureStyle(stroke: look.color, strokeWidth: max(2, look.width) * unit))
    case .catalysis:
      return .path(
        .circle(base.towards(tip, 0.5), radius: length / 2),
        PictureStyle(fill: theme.background, stroke: look.color, strokeWidth: 1.3 * unit))
    case .activation:
      return .path(
        .line([side(base, -half), tip, side(base, half)], isClosed: true),
        PictureStyle(fill: theme.background, stroke: look.color, strokeWidth: 1.3 * unit))
    case .necessity:
      let start = base.towards(tip, 0.3)
      var path = PicturePath.line([side(base, -half), side(base, half)])
      path.steps += PicturePath.line([base, start]).steps
      path.steps += PicturePath.line([side(start, -0.7 * half), tip, side(start, 0.7 * half)], isClosed: true).steps
      return .path(path, PictureStyle(fill: theme.background, stroke: look.color, strokeWidth: 1.3 * unit))
    case .flow, .none:
      return .path(.line([side(base, -half), tip, side(base, half)], isClosed: true), PictureStyle(fill: look.color))
    }
  }
}
