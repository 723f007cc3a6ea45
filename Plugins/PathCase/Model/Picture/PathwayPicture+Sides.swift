extension PathwayPicture {
  /// Draws what stands beside a process.
  mutating func paintSides(of process: Int, _ glyph: NodeGlyph) {
    guard let sides = parts.sides[process] else { return }
    let center = FrozenPath.Point(x: glyph.frame.x, y: glyph.frame.y)
    let half = glyph.frame.width / 2
    // What is used stands where the line comes from.
    let isUpwards = runsUpwards(process)
    let (above, below) = isUpwards ? (sides.made, sides.used) : (sides.used, sides.made)
    for (list, sign) in [(above, -1.0), (below, 1.0)] {
      var y = center.y + sign * PictureParts.sideGap / 2
      for side in list {
        let right = center.x - half - PictureParts.reach
        let frame = GraphFrame(
          x: right - side.width / 2, y: y + sign * side.height / 2, width: side.width, height: side.height)
        y += sign * (side.height + PictureParts.sideGap)
        let start = FrozenPath.Point(x: right + 1, y: frame.y)
        let end = FrozenPath.Point(x: center.x - half, y: center.y)
        let bow = PictureParts.reach * 0.62
        let piece = PictureCurve.Piece(
          start: start, first: .init(x: start.x + bow, y: start.y), second: .init(x: end.x - bow, y: end.y), end: end)
        paint(side, at: frame, PictureCurve(pieces: [piece]), process)
      }
    }
    paintModifiers(sides.helpers, of: process, glyph, sign: -1)
    paintModifiers(sides.inhibitors, of: process, glyph, sign: 1)
  }

  /// Whether the main line through a process leads up the page.
  private func runsUpwards(_ process: Int) -> Bool {
    var (from, to): ((sum: Double, count: Double), (sum: Double, count: Double)) = ((0, 0), (0, 0))
    for index in routesOfProcess[process] ?? [] {
      let route = layout.routes[index]
      guard graph.edges[route.edge].kind == .flow else { continue }
      let isMade = layout.places[route.source].node == process
      let y = layout.places[isMade ? route.target : route.source].frame.y
      if isMade { to = (to.sum + y, to.count + 1) } else { from = (from.sum + y, from.count + 1) }
    }
    guard let place = placeOfNode[process] else { return false }
    let own = layout.places[place].frame.y
    let start = from.count > 0 ? from.sum / from.count : own
    let end = to.count > 0 ? to.sum / to.count : own
    return end < start
  }

  /// Draws a molecule that a process uses or makes, and the line between them.
  private mutating func paint(
    _ side: PictureParts.Side, at frame: GraphFrame, _ curve: PictureCurve, _ process: Int
  ) {
    let edge = side.edge
    let isMade = edge.source == process
    var pool = graph.nodes[side.node]
    pool.isPrimary = false
    var look = look(of: edge, (isMade ? graph.nodes[process] : pool, isMade ? pool : graph.nodes[process]))
    look.headScale *= 0.85
    var hasHead = isMade || edge.isReversible
    switch look.turn {
    case .idle?: hasHead = false
    case .forward?: hasHead = isMade
    case .backward?: hasHead = !isMade
    case nil: break
    }
    // Towards the molecule.
    var line = curve.reversed
    var shapes: [PictureShape] = []
    if hasHead, let tip = line.pieces.last?.end {
      let cut = line.shortened(by: EdgeHead.flow.length * look.headScale)
      if let base = cut.pieces.last?.end {
        shapes.append(EdgeHead.flow.shape(from: base, to: tip, look, theme, unit: 1))
        line = cut
      }
    }
    shapes.insert(.path(line.path, PictureStyle(stroke: look.colour, strokeWidth: look.width)), at: 0)
    if edge.stoichiometry != 1, edge.stoichiometry.isFinite {
      let text = PictureNumber.short(edge.stoichiometry)
      let start = curve.pieces.first?.start ?? .init(x: frame.x, y: frame.y)
      shapes.append(
        .text(
          PictureText(
            text: text, place: .init(x: start.x + 8, y: start.y - 2.5), size: 7.5, colour: theme.quietText,
            halo: picture.background)))
    }
    add(.edge, Self.title(pool) + (isMade ? " is made" : " is used"), shapes)
    paintSide(side, at: frame)
  }

  /// Draws what acts on a process: lines that join, and one head.
  private mutating func paintModifiers(
    _ list: [PictureParts.Side], of process: Int, _ glyph: NodeGlyph, sign: Double
  ) {
    if list.isEmpty { return }
    let half = glyph.frame.width / 2
    let corner = FrozenPath.Point(x: glyph.frame.x + half * 0.95, y: glyph.frame.y + sign * half * 0.95)
    var kinds: [GraphEdge.Kind] = []
    for side in list where !kinds.contains(side.edge.kind) { kinds.append(side.edge.kind) }
    var y = glyph.frame.y + sign * (parts.labels[process].height / 2 + PictureParts.sideGap)
    let left = glyph.frame.x + half + PictureParts.reach * 0.8
    for side in list {
      let edge = side.edge
      let head: EdgeHead = edge.kind == .inhibition ? .inhibition : edge.kind == .catalysis ? .catalysis : .activation
      let look = look(of: edge, (graph.nodes[edge.source], graph.nodes[edge.target]))
      let frame = GraphFrame(
        x: left + side.width / 2, y: y + sign * side.height / 2, width: side.width, height: side.height)
      y += sign * (side.height + PictureParts.sideGap)
      // Several kinds have heads one beside the other.
      let shift = Double(kinds.firstIndex(of: edge.kind) ?? 0) * 7
      let tip = FrozenPath.Point(x: corner.x + 1 + shift, y: corner.y + sign)
      let base = FrozenPath.Point(x: tip.x + 0.75 * head.length, y: tip.y + sign * 0.66 * head.length)
      let piece = PictureCurve.Piece(
        start: .init(x: left, y: frame.y), first: .init(x: left - 9, y: frame.y),
        second: .init(x: base.x + 5, y: base.y + sign * 5), end: base)
      let line = PictureCurve(pieces: [piece]).path
      add(
        .edge, Self.title(graph.nodes[side.node]) + " acts",
        [
          .path(line, PictureStyle(stroke: look.colour, strokeWidth: look.width)),
          head.shape(from: base, to: tip, look, theme, unit: 1),
        ])
      paintSide(side, at: frame)
    }
  }

  private mutating func paintSide(_ side: PictureParts.Side, at frame: GraphFrame) {
    var node = graph.nodes[side.node]
    node.isPrimary = false
    let glyph = NodeGlyph(frame: frame, shape: .pill, label: side.label)
    paint(glyph, node, isWhole: false)
  }

  static func title(_ node: GraphNode) -> String { node.label.isEmpty ? node.id.text : node.label }
}
