extension PathwayPicture {
  /// Draws the molecules beside a process.
  mutating func paintSides(of process: Int, _ glyph: NodeGlyph) {
    guard let sides = parts.sides[process] else { return }
    let center = glyph.frame.center
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
    let look = styles.look(of: side.edge, (graph.nodes[side.edge.source], graph.nodes[side.edge.source]))
    let start = FrozenPath.Point(x: center.x, y: center.y + (end.y > center.y ? half : -half))
    let line = PicturePath.line([start, end])
    add(.edge, "", [.path(line, PictureStyle(stroke: look.color, strokeWidth: look.width))])
  }

  /// Draws a molecule that a process consumes or produces, and the line between them.
  private mutating func paint(
    _ side: PictureParts.Side, at frame: GraphFrame, _ curve: PictureCurve, _ process: Int
  ) {
    let edge = side.edge
    let isMade = edge.source == process
    var pool = graph.nodes[side.node]
    pool.isPrimary = false
    var look = styles.look(of: edge, (isMade ? graph.nodes[process] : pool, isMade ? pool : graph.nodes[process]))
    look.headScale *= 0.85
    var hasHead = isMade || edge.isReversible
    switch look.state {
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
    shapes.insert(.path(line.path, PictureStyle(stroke: look.color, strokeWidth: look.width)), at: 0)
    if edge.stoichiometry != 1, edge.stoichiometry.isFinite {
      let text = PictureNumber.short(edge.stoichiometry)
      let start = curve.pieces.first?.start ?? frame.center
      shapes.append(
        .text(
          PictureText(
            text: text, position: .init(x: start.x + (side.isInside ? -8 : 8), y: start.y - 2.5), size: 7.5,
            color: theme.quietText, anchor: side.isInside ? .end : .start, halo: picture.background)))
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
      let head = edge.kind == .association ? EdgeHead.activation : EdgeHead(effectOf: edge)
      let look = styles.look(of: edge, (graph.nodes[edge.source], graph.nodes[edge.target]))
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
          .path(line, PictureStyle(stroke: look.color, strokeWidth: look.width)),
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

/// The sides of a process's square at which its lines meet it.
///
/// Consumed molecules arrive on one side and produced ones leave on another: above and below where the layout permits.
/// If both are on one side, one of them goes around to the right side of the square, or to the left.
struct ProcessPorts: Sendable, Hashable {
  /// True if products leave at the upper side.
  private(set) var isUpwards = false
  /// The edges that go around, by index.
  private(set) var turned: Set<Int> = []
  /// The distance from the center of the square to the lines that go around; negative on its left.
  private(set) var lane = 20.0
  /// True if a line that goes around leads up, or down.
  private(set) var turnsUp = false
  private(set) var turnsDown = false
  /// True if a line meets the upper side, or the lower one.
  private(set) var hasUpper = false
  private(set) var hasLower = false

  /// The distance from the border of the square to the point where side molecules' lines join.
  static let reach = 6.0

  /// An end of a line at a process.
  struct End {
    var edge: Int
    var isMade: Bool
    var isUpper: Bool
    /// The position of the line's other end, at the process's side of the page.
    var towards: Double
  }

  /// - Parameter isLeft: True if lines go around to the left side.
  init(_ ends: [End], isLeft: Bool = false) {
    if isLeft { lane.negate() }
    // If both sides have lines of both kinds, the same kind goes around above and below.
    var first: Bool?
    for isUpper in [true, false] {
      let own = ends.filter { $0.isUpper == isUpper }
      guard let isMadeTurned = turnsMade(own, ends.filter { $0.isUpper != isUpper }).map({ first ?? $0 }) else {
        continue
      }
      first = isMadeTurned
      for end in own where end.isMade == isMadeTurned {
        turned.insert(end.edge)
        if isUpper { turnsUp = true } else { turnsDown = true }
      }
    }
    let kept = ends.filter { !turned.contains($0.edge) }
    let upper = kept.filter(\.isUpper)
    (hasUpper, hasLower) = (!upper.isEmpty, upper.count < kept.count)
    isUpwards = hasUpper ? upper.allSatisfy(\.isMade) : hasLower && kept.allSatisfy { !$0.isMade }
  }

  /// Returns true if products go around, false if reactants do; nil if all lines on one side of the page are of one
  /// kind.
  private func turnsMade(_ own: [End], _ other: [End]) -> Bool? {
    let (made, used) = (own.filter(\.isMade), own.filter { !$0.isMade })
    guard !made.isEmpty, !used.isEmpty else { return nil }
    // The kind that has lines on the other side too goes around, so that the sides keep their meaning.
    let kinds = Set(other.map(\.isMade))
    if kinds.count == 1, let kind = kinds.first { return kind }
    func mean(_ ends: [End]) -> Double { ends.reduce(0) { $0 + $1.towards } / Double(ends.count) }
    return lane > 0 ? mean(made) >= mean(used) : mean(made) <= mean(used)
  }
}

extension PathwayPicture {
  /// Returns the ports of each process, by node index.
  static func ports(_ parts: PictureParts, _ layout: GraphLayout) -> [Int: ProcessPorts] {
    let graph = parts.graph
    var ends: [Int: [ProcessPorts.End]] = [:]
    for route in layout.routes where graph.edges[route.edge].kind == .flow && route.points.count > 1 {
      for isMade in [true, false] {
        let place = layout.places[isMade ? route.source : route.target]
        guard graph.nodes[place.node].kind == .process else { continue }
        let points = isMade ? route.points : Array(route.points.reversed())
        guard let first = points.first, let last = points.last else { continue }
        let towards = points.first { abs($0.x - first.x) > 0.5 } ?? last
        ends[place.node, default: []].append(
          .init(edge: route.edge, isMade: isMade, isUpper: first.y < place.frame.y, towards: towards.x))
      }
    }
    var ports: [Int: ProcessPorts] = [:]
    for (process, ends) in ends {
      let left = ProcessPorts(ends, isLeft: true)
      ports[process] = hasRoomAtLeft(left, parts.sides[process]) ? left : ProcessPorts(ends)
    }
    return ports
  }

  /// Returns whether lines go around on the left: the left is empty, and molecules inside a wall are on the right.
  private static func hasRoomAtLeft(_ ports: ProcessPorts, _ sides: PictureParts.Sides?) -> Bool {
    guard let sides, ports.turnsUp != ports.turnsDown else { return false }
    let beside = ports.turnsUp == ports.isUpwards ? sides.made : sides.used
    return (sides.used + sides.made).contains(where: \.isInside) && beside.allSatisfy(\.isInside)
  }

  /// Returns the center of a process's name relative to the center of its square: below or above a line that goes
  /// around.
  func labelOffset(_ process: Int) -> FrozenPath.Point {
    let gap = parts.labelGap(process)
    if let inner = innerHeight(process, isUpper: true) {
      let isBesideLane = ports[process].map { !$0.turned.isEmpty && $0.lane > 0 } ?? false
      return .init(x: isBesideLane ? 26 : gap, y: -inner - parts.labels[process].height / 2)
    }
    guard let ports = ports[process], !ports.turned.isEmpty else { return .init(x: gap, y: 0) }
    if ports.turnsUp, ports.turnsDown { return .init(x: ports.lane + 6, y: 0) }
    let height = parts.labels[process].height / 2 + PictureParts.square / 2 + 2
    return .init(x: gap, y: ports.turnsUp ? height : -height)
  }

  /// Returns the distance that the molecules inside the wall extend up or down from the square; nil if there are none.
  private func innerHeight(_ process: Int, isUpper: Bool) -> Double? {
    guard let sides = parts.sides[process], (sides.used + sides.made).contains(where: \.isInside) else { return nil }
    let isUpwards = ports[process]?.isUpwards ?? false
    let list = (isUpper == isUpwards ? sides.made : sides.used).filter(\.isInside)
    return max(PictureParts.height(list), PictureParts.square / 2 + 2)
  }

  /// Returns the distance from the square at which the modifiers of its process begin.
  private func modifierStart(of process: Int, _ sign: Double) -> Double {
    if let inner = innerHeight(process, isUpper: false) { return sign * inner }
    return labelOffset(process).y + sign * (parts.labels[process].height / 2 + PictureParts.sideGap)
  }

  /// Returns the distance by which a square moves from the middle of its space to make room beside a line that goes
  /// around.
  func squareShift(_ place: GraphLayout.Place) -> Double {
    guard let ports = ports[place.node], ports.turnsUp != ports.turnsDown,
      innerHeight(place.node, isUpper: true) == nil
    else { return 0 }
    let sides = parts.sides[place.node] ?? PictureParts.Sides()
    let sign = ports.turnsUp ? 1.0 : -1.0
    let modifiers = PictureParts.height(sides.helpers) + PictureParts.height(sides.inhibitors)
    let needed = PictureParts.square / 2 + 2 + parts.labels[place.node].height + modifiers
    let isUsedOpposite = ports.isUpwards != ports.turnsUp
    let opposite = PictureParts.height(isUsedOpposite ? sides.used : sides.made)
    let half = place.frame.height / 2
    return -sign * max(0, min(needed - half, half - max(opposite, PictureParts.square)))
  }
}
