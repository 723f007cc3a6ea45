extension PathwayPicture {
  /// Returns the shape of the node at a place.
  func glyph(at place: GraphLayout.Place) -> NodeGlyph {
    let node = graph.nodes[place.node]
    let isStored = stored != nil && node.frame != nil && place.clone == 0
    return isStored ? storedGlyph(node, place) : freshGlyph(node, place)
  }

  private func freshGlyph(_ node: GraphNode, _ place: GraphLayout.Place) -> NodeGlyph {
    let label = parts.labels[place.node]
    if node.isPoint { return pointGlyph(place.frame) }
    guard node.kind == .process else {
      let size = parts.shapeSize(place.node)
      return NodeGlyph(
        frame: GraphFrame(x: place.frame.x, y: place.frame.y, width: size.width, height: size.height),
        shape: shape(of: node), label: label)
    }
    let isCarrier = parts.transports.contains(place.node)
    let width = (isCarrier ? 1.15 : 1) * PictureParts.square * unit
    return NodeGlyph(
      frame: GraphFrame(x: place.frame.x, y: place.frame.y + squareShift(place), width: width, height: width),
      shape: isCarrier ? .circle : shape(of: node), label: label.lines.isEmpty ? nil : label, isBeside: true)
  }

  /// Returns the shape of a point where lines meet or end.
  private func pointGlyph(_ frame: GraphFrame) -> NodeGlyph {
    NodeGlyph(frame: GraphFrame(x: frame.x, y: frame.y, width: 0, height: 0), shape: .bare)
  }

  /// Returns a node of the size given by its file, with the name in it if that fits.
  private func storedGlyph(_ node: GraphNode, _ place: GraphLayout.Place) -> NodeGlyph {
    var frame = place.frame
    let name = showsIDs ? node.subject.text : node.label
    if node.isPoint { return pointGlyph(frame) }
    let size = (node.kind == .pool ? PictureParts.letters.main : PictureParts.letters.process) * unit
    let inside = fitted(name, into: frame, usual: size, outline: node.style?.outline)
    // Symbols, such as logical operators, hold their short names.
    let isSymbol = node.kind == .other && !name.isEmpty && inside.map { $0.size > size / 2 } ?? false
    let isSmall =
      min(frame.width, frame.height) < 0.9 * PictureParts.letters.side * unit || frame.width < 26 * unit && !isSymbol
    let isRound = abs(frame.width - frame.height) < 1e-6
    // Maps of whole metabolisms have dots without names for compounds; thousands of names would overlap.
    if isSmall, !lined.isEmpty { return NodeGlyph(frame: frame, shape: .circle) }
    if node.labelPlace != nil || isSmall {
      let isProcess = node.kind == .process
      let label = PictureLabel(
        name, size: PictureParts.letters.main * (isProcess && node.labelPlace != nil ? 1.2 : 1) * unit,
        width: 150 * unit, most: 2, isBold: !isProcess && node.isPrimary && node.kind == .pool)
      if isProcess || frame.width < 4 * unit {
        let width = min(max(frame.width, 7 * unit), PictureParts.square * unit)
        frame = GraphFrame(x: frame.x, y: frame.y, width: width, height: width)
      }
      let isPlain = node.style?.outline == nil
      var glyph = NodeGlyph(
        frame: frame, shape: isPlain && isProcess ? .box(unit) : isPlain && isRound ? .circle : shape(of: node),
        label: label.lines.isEmpty ? nil : label, isBeside: true)
      glyph.labelStart = node.labelPlace.flatMap { stored?.point($0) }
      return glyph
    }
    return NodeGlyph(frame: frame, shape: shape(of: node), label: inside)
  }

  /// Returns a name fitted into a box, in smaller letters if it is long.
  func fitted(
    _ name: String, into frame: GraphFrame, usual: Double, isBold: Bool = false, outline: GraphStyle.Outline? = nil
  ) -> PictureLabel? {
    var best: PictureLabel?
    // The sides of a hexagon are slanted: at its top and bottom it is half as wide as in its middle.
    let slant = outline == .hexagon ? 0.5 : 0
    for share in [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.42] {
      let size = usual * share
      let most = max(1, Int(min(frame.height / (size * PictureLabel.leading), 4)))
      for part in slant > 0 ? [1, 1 - slant / 2] : [1] {
        let width = max(frame.width * part - 4 * unit, size)
        let label = PictureLabel(name, size: size, width: width, most: most, isBold: isBold)
        best = label
        let isWhole = !label.lines.contains { $0.hasSuffix("…") }
        let room = frame.width * (1 - slant * min(1, label.height / max(frame.height, 1))) - 2 * unit
        if label.width <= room, label.height <= frame.height, isWhole { return label }
      }
    }
    return best?.lines.isEmpty == true ? nil : best
  }

  private func shape(of node: GraphNode) -> NodeGlyph.Shape {
    if let outline = node.style?.outline { return .outline(outline) }
    return switch node.kind {
    case .pool: .pill
    case .process: .box(1.5 * unit)
    case .macromolecule: .box(5 * unit)
    case .pathway: .way
    case .other: .box(2 * unit)
    }
  }

  mutating func paint(_ glyph: NodeGlyph, _ node: GraphNode, isWhole: Bool) {
    var shapes: [PictureShape] = []
    if let path = glyph.path {
      var style = styles.style(of: node)
      if isWhole { style.fill?.cover = 0.35 }
      shapes.append(.path(path, style))
      shapes += secondBorder(glyph, node, style)
      shapes += cloneMarker(path, glyph.frame, node, style)
    }
    if node.kind == .pathway {
      // SBGN draws a second line around a link to another map.
      let inner = PicturePath.rounded(glyph.frame.shrunk(by: 5 * unit), radius: 2)
      shapes.append(.path(inner, PictureStyle(stroke: theme.pathwayBorder, strokeWidth: 0.6 * unit)))
    }
    if let label = glyph.label, !glyph.isBeside {
      var center = glyph.frame.center
      // The name of a container is placed at its lower border.
      if isWhole { center.y += (glyph.frame.height - label.height) / 2 - 3 * unit }
      shapes += label.texts(around: center, color: styles.textColor(of: node))
    }
    shapes += badge(of: node, glyph)
    shapes += decorations(of: node, glyph)
    let kind: PictureItem.Kind =
      switch node.kind {
      case .pool: .pool
      case .process: .process
      case .macromolecule: .macromolecule
      case .pathway: .pathway
      case .other: .other
      }
    add(kind, node.shownName, shapes)
  }

  /// Returns a pool's level in a small box at its upper right.
  private func badge(of node: GraphNode, _ glyph: NodeGlyph) -> [PictureShape] {
    guard node.kind == .pool, let mark = styles.mark(ofPool: node), let text = mark.text else { return [] }
    let size = 8.5 * unit
    let shown = LetterWidths.cut(PictureLabel.shown(text), to: 80 * unit, size: size, isBold: true)
    let width = LetterWidths.width(shown, size: size, isBold: true) + 6 * unit
    let frame = GraphFrame(
      x: glyph.frame.x + glyph.frame.width / 2, y: glyph.frame.y - glyph.frame.height / 2, width: width,
      height: size + 3 * unit)
    return [
      .path(
        .rounded(frame, radius: 3 * unit),
        PictureStyle(fill: theme.background, stroke: theme.poolBorder, strokeWidth: 0.9 * unit)),
      .text(
        PictureText(
          text: shown, position: .init(x: frame.x, y: frame.y + size * 0.34), size: size, color: theme.text,
          anchor: .middle, isBold: true)),
    ]
  }

  /// Returns the inner line of a double border.
  private func secondBorder(_ glyph: NodeGlyph, _ node: GraphNode, _ style: PictureStyle) -> [PictureShape] {
    guard node.style?.line == .double else { return [] }
    var inner = glyph
    inner.frame = glyph.frame.shrunk(by: 4 * unit)
    return inner.path.map { [.path($0, PictureStyle(stroke: style.stroke, strokeWidth: style.strokeWidth / 2))] } ?? []
  }

  /// Returns the filled lower part of a node that SBGN marks as drawn several times.
  ///
  /// - Source: Systems Biology Graphical Notation, Process Description level 1 version 2.0, "Clone marker".
  private func cloneMarker(
    _ path: PicturePath, _ frame: GraphFrame, _ node: GraphNode, _ style: PictureStyle
  ) -> [PictureShape] {
    guard node.style?.hasCloneMarker == true, var color = style.stroke else { return [] }
    // The name remains legible where it reaches into the marker.
    color.cover *= 0.5
    return [.path(path.below(frame.y + 0.2 * frame.height), PictureStyle(fill: color))]
  }

  /// Draws the links to other pathways beside a pool: the first on its right, then alternating.
  mutating func paintLinks(of pool: Int, _ glyph: NodeGlyph) {
    guard let ways = parts.links[pool] else { return }
    for (number, way) in ways.enumerated() {
      let sign = number % 2 == 0 ? 1.0 : -1.0
      let rows = sign > 0 ? (ways.count + 1) / 2 : ways.count / 2
      let label = parts.labels[way]
      let (width, height) = (label.width + PictureParts.wayMargin.width, label.height + PictureParts.wayMargin.height)
      let border = glyph.frame.x + sign * glyph.frame.width / 2
      let y = glyph.frame.y + (Double(number / 2) - Double(rows - 1) / 2) * (height + PictureParts.sideGap)
      let near = border + sign * PictureParts.wayGap
      let line = PicturePath.line([.init(x: border, y: glyph.frame.y), .init(x: near, y: y)])
      add(.edge, "", [.path(line, PictureStyle(stroke: theme.pathwayBorder, strokeWidth: 1, dashes: [2.5, 2]))])
      let frame = GraphFrame(x: near + sign * width / 2, y: y, width: width, height: height)
      paint(NodeGlyph(frame: frame, shape: .way, label: label), graph.nodes[way], isWhole: false)
    }
  }

  // MARK: Names beside nodes

  /// Draws a name where it covers least.
  mutating func paintLabel(of glyph: NodeGlyph, _ place: GraphLayout.Place) {
    guard var label = glyph.label else { return }
    let node = graph.nodes[place.node]
    let mark = node.kind == .process ? styles.mark(ofProcess: node) : nil
    if let text = mark?.text, stored != nil { label.lines.append(text) }
    let color =
      mark.map { $0.isActive ? theme.text : theme.idle } ?? (node.kind == .process ? theme.quietText : theme.text)
    let title = node.shownName
    let halo = picture.background
    if let start = glyph.labelStart {
      let shapes: [PictureShape] = label.lines.enumerated().map { index, line in
        .text(
          PictureText(
            text: line, position: .init(x: start.x, y: start.y + Double(index) * label.size * PictureLabel.leading),
            size: label.size, color: color, isBold: label.isBold, halo: halo))
      }
      return add(.label, title, shapes)
    }
    if stored == nil {
      let offset = labelOffset(place.node)
      let position = FrozenPath.Point(x: glyph.frame.x + offset.x, y: glyph.frame.y + offset.y)
      return add(.label, title, label.texts(around: position, color: color, anchor: .start, halo: nil))
    }
    let spots = Self.spots(beside: glyph.frame, label, gap: 4 * unit)
    let spot = spots[labels.take(spots.map { $0.box })]
    let center = FrozenPath.Point(x: spot.anchorX, y: spot.box.frame.y)
    add(.label, title, label.texts(around: center, color: color, anchor: spot.anchor, halo: halo))
  }

  /// A candidate position of a name.
  private struct Spot {
    var box: LayoutBounds
    var anchorX: Double
    var anchor: PictureText.Anchor
  }

  /// Returns positions around a frame: right and left first, then above and below, then further away.
  private static func spots(beside frame: GraphFrame, _ label: PictureLabel, gap: Double) -> [Spot] {
    let (width, height) = (label.width, label.height)
    var spots: [Spot] = []
    for step in [1.0, 2.5, 4.5] {
      let reach = gap * step
      let (right, left) = (frame.x + frame.width / 2 + reach, frame.x - frame.width / 2 - reach)
      let shift = height / 2 + frame.height / 2
      for y in [frame.y, frame.y - shift, frame.y + shift] {
        spots.append(
          Spot(
            box: LayoutBounds(left: right, top: y - height / 2, right: right + width, bottom: y + height / 2),
            anchorX: right, anchor: .start))
        spots.append(
          Spot(
            box: LayoutBounds(left: left - width, top: y - height / 2, right: left, bottom: y + height / 2),
            anchorX: left, anchor: .end))
      }
      for y in [frame.y - shift - reach, frame.y + shift + reach] {
        spots.append(
          Spot(
            box: LayoutBounds(
              left: frame.x - width / 2, top: y - height / 2, right: frame.x + width / 2, bottom: y + height / 2),
            anchorX: frame.x, anchor: .middle))
      }
    }
    return spots
  }
}

// MARK: - Decorations

extension PathwayPicture {
  /// Returns the shapes of the decorations on a node's border: states, units of information.
  ///
  /// - Source: Systems Biology Graphical Notation, Process Description level 1 version 2.0, sections 2.4.2 and 2.4.3.
  func decorations(of node: GraphNode, _ glyph: NodeGlyph) -> [PictureShape] {
    let own = node.decorations
    return own.enumerated().flatMap { decoration($0.element, on: glyph.frame, index: $0.offset, of: own.count) }
  }

  /// Returns the shapes of the decorations on a line, such as a number of molecules.
  func decorations(of edge: GraphEdge, on line: PictureCurve) -> [PictureShape] {
    guard let stored else { return [] }
    return edge.decorations.flatMap { decoration in
      guard decoration.frame.map({ stored.frame($0).isUsable }) ?? false else { return [PictureShape]() }
      return self.decoration(decoration, on: GraphFrame(x: 0, y: 0, width: 0, height: 0), index: 0, of: 1)
    }
  }

  /// Returns the shapes of a decoration, at its position in the file or else on the upper border of its owner.
  ///
  /// - Parameters:
  ///   - index: The number of the decoration among those on the border, from 0.
  ///   - count: The number of decorations on the border.
  func decoration(
    _ decoration: GraphDecoration, on owner: GraphFrame, index: Int, of count: Int
  ) -> [PictureShape] {
    let size = 8 * unit
    let text = PictureLabel.shown(decoration.text)
    let usual = GraphFrame(
      x: owner.x - owner.width / 2 + owner.width * (Double(index) + 0.5) / Double(max(count, 1)),
      y: owner.y - owner.height / 2, width: LetterWidths.width(text, size: size) + 8 * unit, height: size + 4 * unit)
    let own = decoration.frame.flatMap { frame in stored.map { $0.frame(frame) } }
    let frame = own.flatMap { $0.isUsable ? $0 : nil } ?? usual
    let outline = decoration.style?.outline ?? (decoration.category == "state variable" ? nil : .rectangle)
    let path = outline.map { PicturePath.outline($0, frame, radius: 3 * unit) }
    let style = styles.styled(
      PictureStyle(fill: theme.background, stroke: theme.processBorder, strokeWidth: 0.8 * unit), by: decoration.style)
    var shapes: [PictureShape] =
      outline == GraphStyle.Outline.none
      ? [] : [.path(path ?? .rounded(frame, radius: frame.height / 2), style)]
    if let label = PictureLabel.fitted(text, into: frame, usual: size) {
      let own = theme.keepsFileColors ? decoration.style?.text : nil
      shapes += label.texts(around: frame.center, color: own ?? theme.text)
    }
    return shapes
  }
}

extension GraphFrame {
  /// A Boolean value indicating whether the frame is large enough for a drawing.
  fileprivate var isUsable: Bool { isFinite && width > 0 && height > 0 }
}

extension PictureLabel {
  /// Returns a text on one line in a frame, in smaller letters if it is long.
  fileprivate static func fitted(_ text: String, into frame: GraphFrame, usual: Double) -> PictureLabel? {
    if text.isEmpty { return nil }
    let width = max(LetterWidths.width(text, size: usual), 1e-9)
    let share = min(1, frame.height / (usual * 1.15), max(frame.width - usual * 0.4, usual * 0.5) / width)
    return PictureLabel(text, size: usual * max(share, 0.4), width: max(frame.width, usual), most: 1)
  }
}

/// The drawn shape of a node at its place.
struct NodeGlyph: Sendable, Hashable {
  enum Shape: Sendable, Hashable {
    /// A rectangle with round ends.
    case pill
    case circle
    /// A rectangle with corners of a radius.
    case box(Double)
    /// A link to another pathway.
    case way
    /// Only the name.
    case bare
    /// An outline given by the file.
    case outline(GraphStyle.Outline)
  }

  /// The frame that is drawn and at which lines end.
  var frame: GraphFrame
  var shape: Shape
  var label: PictureLabel?
  /// A Boolean value indicating whether the name stands beside the shape rather than in it.
  var isBeside = false
  /// The start of the name's baseline, as given by the file.
  var labelStart: FrozenPath.Point?

  /// Returns whether a point lies in the glyph, or within a gap of it.
  func contains(_ point: FrozenPath.Point, gap: Double) -> Bool {
    let (dx, dy) = (abs(point.x - frame.x), abs(point.y - frame.y))
    let (halfWidth, halfHeight) = (frame.width / 2 + gap, frame.height / 2 + gap)
    if case .circle = shape { return (dx * dx + dy * dy).squareRoot() < halfWidth }
    if shape == .outline(.oval) || shape == .outline(.disc) {
      let (x, y) = (dx / max(halfWidth, 1e-9), dy / max(halfHeight, 1e-9))
      return x * x + y * y < 1
    }
    if dx >= halfWidth || dy >= halfHeight { return false }
    let radius: Double =
      switch shape {
      case .pill: min(halfWidth, halfHeight)
      case .box(let radius): min(radius + gap, halfWidth, halfHeight)
      case .circle, .way, .bare, .outline: 0
      }
    let (inX, inY) = (dx - (halfWidth - radius), dy - (halfHeight - radius))
    return inX <= 0 || inY <= 0 || (inX * inX + inY * inY).squareRoot() < radius
  }

  /// The outline of its shape.
  var path: PicturePath? {
    switch shape {
    case .pill: .rounded(frame, radius: frame.height / 2)
    case .circle: .rounded(frame, radius: frame.width / 2)
    case .box(let radius): .rounded(frame, radius: radius)
    case .way: .rounded(frame, radius: 4)
    case .outline(.none), .bare: nil
    case .outline(let outline): .outline(outline, frame, radius: min(frame.width, frame.height) / 5)
    }
  }
}
