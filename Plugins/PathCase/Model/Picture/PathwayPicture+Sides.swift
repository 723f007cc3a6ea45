extension PathwayPicture {
  /// Draws the molecules beside a process.
  mutating func paintSides(of process: Int, _ glyph: NodeGlyph) {
    guard let sides = parts.sides[process] else { return }
    let center = FrozenPath.Point(x: glyph.frame.x, y: glyph.frame.y)
    let half = glyph.frame.width / 2
    // Consumed molecules are placed where the line comes from, and join it.
    let ports = ports[process] ?? ProcessPorts([])
    let (above, below) = ports.isUpwards ? (sides.made, sides.used) : (sides.used, sides.made)
    for (list, sign, hasLine) in [(above, -1.0, ports.hasUpper), (below, 1.0, ports.hasLower)] where !list.isEmpty {
      let end = FrozenPath.Point(x: center.x, y: center.y + sign * (half + ProcessPorts.reach))
      if !hasLine { paintPort(of: process, from: center, to: end, half) }
      for isInside in [false, true] {
        paint(list.filter { $0.isInside == isInside }, sign, end: end, process, glyph)
      }
    }
    let isNameAbove = (sides.used + sides.made).contains(where: \.isInside)
    if isNameAbove || ports.turnsUp != ports.turnsDown {
      let sign = isNameAbove || ports.turnsUp ? 1.0 : -1.0
      return paintModifiers(sides.helpers + sides.inhibitors, of: process, glyph, sign: sign)
    }
    paintModifiers(sides.helpers, of: process, glyph, sign: -1)
    paintModifiers(sides.inhibitors, of: process, glyph, sign: 1)
  }

  /// Draws molecules in a column, the first nearest to the height of the square.
  ///
  /// - Parameters:
  ///   - sign: −1 for molecules above, 1 for molecules below.
  ///   - end: The point where their lines join that of the process.
  private mutating func paint(
    _ list: [PictureParts.Side], _ sign: Double, end: FrozenPath.Point, _ process: Int, _ glyph: NodeGlyph
  ) {
    var y = glyph.frame.y + sign * PictureParts.sideStart
    for side in list {
      let outward = side.isInside ? 1.0 : -1
      let border = glyph.frame.x + outward * (glyph.frame.width / 2 + PictureParts.reach)
      let frame = GraphFrame(
        x: border + outward * side.width / 2, y: y + sign * side.height / 2, width: side.width, height: side.height)
      y += sign * (side.height + PictureParts.sideGap)
      let start = FrozenPath.Point(x: border - outward, y: frame.y)
      let bow = outward * PictureParts.reach * 0.62
      let piece = PictureCurve.Piece(
        start: start, first: .init(x: start.x - bow, y: start.y), second: .init(x: end.x + bow, y: end.y), end: end)
      paint(side, at: frame, PictureCurve(pieces: [piece]), process)
    }
  }

  /// Draws the line from a square to the point where its side molecules join, on a side without a main-chain line.
  private mutating func paintPort(
    of process: Int, from center: FrozenPath.Point, to end: FrozenPath.Point, _ half: Double
  ) {
    guard let side = parts.sides[process]?.all.first(where: { $0.edge.kind == .flow }) else { return }
    let look = look(of: side.edge, (graph.nodes[side.edge.source], graph.nodes[side.edge.source]))
    let start = FrozenPath.Point(x: center.x, y: center.y + (end.y > center.y ? half : -half))
    let line = PicturePath.line([start, end])
    add(.edge, "", [.path(line, PictureStyle(stroke: look.colour, strokeWidth: look.width))])
  }

  /// Draws a molecule that a process consumes or produces, and the line between them.
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
    // The direction toward the molecule.
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
            text: text, place: .init(x: start.x + (side.isInside ? -8 : 8), y: start.y - 2.5), size: 7.5,
            colour: theme.quietText, anchor: side.isInside ? .end : .start, halo: picture.background)))
    }
    add(.edge, pool.shownName + (isMade ? " is made" : " is used"), shapes)
    paintSide(side, at: frame)
  }

  /// Draws the modifiers of a process: lines that join, and one head.
  private mutating func paintModifiers(
    _ list: [PictureParts.Side], of process: Int, _ glyph: NodeGlyph, sign: Double
  ) {
    if list.isEmpty { return }
    let half = glyph.frame.width / 2
    let corner = FrozenPath.Point(x: glyph.frame.x + half * 0.95, y: glyph.frame.y + sign * half * 0.95)
    var kinds: [GraphEdge.Kind] = []
    for side in list where !kinds.contains(side.edge.kind) { kinds.append(side.edge.kind) }
    var y = glyph.frame.y + modifierStart(of: process, sign)
    let left = glyph.frame.x + half + PictureParts.reach * 0.8
    for side in list {
      let edge = side.edge
      let head: EdgeHead = edge.kind == .inhibition ? .inhibition : edge.kind == .catalysis ? .catalysis : .activation
      let look = look(of: edge, (graph.nodes[edge.source], graph.nodes[edge.target]))
      let frame = GraphFrame(
        x: left + side.width / 2, y: y + sign * side.height / 2, width: side.width, height: side.height)
      y += sign * (side.height + PictureParts.sideGap)
      // The heads of several kinds are drawn side by side.
      let shift = Double(kinds.firstIndex(of: edge.kind) ?? 0) * 7
      let tip = FrozenPath.Point(x: corner.x + 1 + shift, y: corner.y + sign)
      let base = FrozenPath.Point(x: tip.x + 0.75 * head.length, y: tip.y + sign * 0.66 * head.length)
      let piece = PictureCurve.Piece(
        start: .init(x: left, y: frame.y), first: .init(x: left - 9, y: frame.y),
        second: .init(x: base.x + 5, y: base.y + sign * 5), end: base)
      let line = PictureCurve(pieces: [piece]).path
      add(
        .edge, graph.nodes[side.node].shownName + " acts",
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

}
