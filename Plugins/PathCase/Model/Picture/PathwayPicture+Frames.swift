extension PathwayPicture {
  /// Draws the compartments, the outermost first, and their names on top.
  mutating func paintFrames() {
    let glyphs = graph.compartments.indices.map { index in
      frame(ofCompartment: index).map {
        NodeGlyph(frame: $0, shape: .outline(graph.compartments[index].style?.outline ?? .roundedRectangle))
      }
    }
    for (index, compartment) in graph.compartments.enumerated() {
      guard let glyph = glyphs[index], case .outline(let outline) = glyph.shape, outline != .none else { continue }
      let room = theme.rooms.isEmpty ? nil : theme.rooms[index % theme.rooms.count]
      let style = compartment.style
      let outer = styles.styled(PictureStyle(fill: room, stroke: theme.wall, strokeWidth: 1.2 * unit), by: style)
      // The border has two lines, as a membrane has two layers.
      var shapes = doubleBorder(outline, glyph.frame, radius: 14 * unit, outer)
      shapes += compartment.decorations.flatMap { decoration($0, on: glyph.frame, index: 0, of: 1) }
      add(.frame, compartment.name, shapes)
    }
    for (index, compartment) in graph.compartments.enumerated() {
      guard let glyph = glyphs[index] else { continue }
      let room = glyph.frame.shrunk(by: 12 * unit)
      guard var name = fitted(compartment.name, into: room, usual: 10.5 * unit, isBold: true) else { continue }
      name.lines = name.lines.map {
        LetterWidths.cut($0, to: max(room.width, 20 * unit), size: name.size, isBold: true)
      }
      let box = LayoutBounds(glyph.frame)
      // In a frame that does not enclose this one, the name would seem to belong to that frame.
      let others = glyphs.compactMap { $0.map { LayoutBounds($0.frame) } }.filter { $0.joined(box) != $0 }
      add(.frame, compartment.name, placed(name, in: glyph, off: others))
    }
  }

  /// Returns the two lines of a double border; the outer one has the fill.
  private func doubleBorder(
    _ outline: GraphStyle.Outline, _ frame: GraphFrame, radius: Double, _ style: PictureStyle
  ) -> [PictureShape] {
    [
      .path(.outline(outline, frame, radius: radius), style),
      .path(
        .outline(outline, frame.shrunk(by: 5 * unit), radius: radius - 2 * unit),
        PictureStyle(stroke: style.stroke, strokeWidth: style.strokeWidth / 2)),
    ]
  }

  /// Returns the frame of a compartment; nil if it has none.
  private func frame(ofCompartment index: Int) -> GraphFrame? {
    var frame = layout.compartments.indices.contains(index) ? layout.compartments[index] : nil
    if let stored, let own = graph.compartments[index].frame { frame = stored.frame(own) }
    guard let frame, frame.width.isFinite, frame.height.isFinite else { return nil }
    return frame
  }

  /// Returns the name of a compartment at its upper or else its lower side, where the fewest lines cross it.
  ///
  /// The name is outside other compartments, and further inside its own if necessary.
  private mutating func placed(
    _ name: PictureLabel, in glyph: NodeGlyph, off others: [LayoutBounds]
  ) -> [PictureShape] {
    let box = LayoutBounds(glyph.frame)
    let margin = min(11 * unit, (glyph.frame.width - name.width) / 2)
    let (left, right) = (box.left + margin, box.right - name.width - margin)
    // The distance from the first baseline to the last.
    let drop = name.height - name.size
    func room(_ position: FrozenPath.Point) -> LayoutBounds {
      // The box is slightly larger than the letters, since a line that touches them makes them hard to read.
      LayoutBounds(
        left: position.x - 3 * unit, top: position.y - 0.8 * name.size - 2 * unit,
        right: position.x + name.width + 3 * unit,
        bottom: position.y + drop + 0.22 * name.size + 2 * unit)
    }
    func places(_ rows: [Double]) -> [FrozenPath.Point] {
      rows.flatMap { y in [0, 0.5, 1, 0.25, 0.75].map { FrozenPath.Point(x: left + (right - left) * $0, y: y) } }
    }
    func isFree(_ position: FrozenPath.Point) -> Bool {
      let room = room(position)
      let corners = [room.left, room.right].flatMap { x in
        [room.top, room.bottom].map { FrozenPath.Point(x: x, y: $0) }
      }
      return corners.allSatisfy { glyph.contains($0, gap: 0) } && !others.contains { $0.overlaps(room) }
    }
    let edges = places([box.top + 16 * unit, box.bottom - 8 * unit - drop])
    var free = edges.filter(isFree)
    if free.isEmpty {
      free = places([0.5, 0.25, 0.75].map { box.top + (box.bottom - box.top - drop) * $0 }).filter(isFree)
    }
    let chosen = free.isEmpty ? edges : free
    let position = chosen[labels.take(chosen.map(room))]
    let center = FrozenPath.Point(x: position.x, y: position.y + name.height / 2 - PictureLabel.ascent * name.size)
    return name.texts(around: center, color: theme.quietText, anchor: .start)
  }

  /// Draws the name of the network above it.
  mutating func paintHeading() {
    guard options.hasHeading else { return }
    let box = bounds ?? LayoutBounds(left: 0, top: 0, right: 200, bottom: 0)
    let size = 17 * unit
    var name = PictureLabel.shown(picture.title)
    if let overlay = options.overlay, !overlay.title.isEmpty { name += ": " + PictureLabel.shown(overlay.title) }
    name = LetterWidths.cut(name, to: max(box.right - box.left, 260 * unit), size: size, isBold: true)
    if name.isEmpty { return }
    let position = FrozenPath.Point(x: box.left, y: box.top - 14 * unit)
    add(
      .heading, "",
      [.text(PictureText(text: name, position: position, size: size, color: theme.text, isBold: true))])
  }

  /// Draws the legend of an overlay's colors and widths.
  mutating func paintLegend() {
    let largest = styles.largest.process
    guard let box = bounds, largest > 0 else { return }
    let (left, y, width) = (box.left, box.bottom + 22 * unit, 150 * unit)
    var shapes: [PictureShape] = []
    let steps = 30
    for step in 0..<steps {
      let share = (Double(step) + 0.5) / Double(steps)
      let color = PictureColor.between(theme.flow, theme.above, 0.25 + 0.75 * share)
      let (from, to) = (left + width * Double(step) / Double(steps), left + width * Double(step + 1) / Double(steps))
      let line = PicturePath.line([.init(x: from, y: y), .init(x: to + 0.2, y: y)])
      shapes.append(.path(line, PictureStyle(stroke: color, strokeWidth: (1.4 + 4 * share) * unit)))
    }
    let size = PictureParts.letters.process * unit
    shapes.append(
      .text(
        PictureText(
          text: "0", position: .init(x: left, y: y + 16 * unit), size: size, color: theme.quietText)))
    shapes.append(
      .text(
        PictureText(
          text: PictureNumber.short(largest), position: .init(x: left + width, y: y + 16 * unit), size: size,
          color: theme.quietText, anchor: .end)))
    add(.legend, "from 0 to the largest value", shapes)
  }
}

// MARK: - Figures

extension PathwayPicture {
  /// Draws the figures of a file: shapes and lines below the network, texts above it.
  mutating func paintFigures(isText: Bool) {
    guard let stored else { return }
    let processes = graph.nodes.filter { $0.kind == .process && isDrawnAsFigure($0) }
    let lined = Dictionary(processes.map { ($0.id, $0) }) { first, _ in first }
    for figure in graph.figures {
      let frame = stored.frame(figure.frame)
      guard frame.isFinite else { continue }
      if isText {
        add(.figure, figure.text, text(of: figure, frame))
      } else if figure.points.count > 1 {
        add(.figure, figure.text, line(of: figure, lined[figure.id], stored))
      } else if frame.width > 0, frame.height > 0 {
        add(.figure, figure.text, outline(of: figure, frame))
      }
    }
  }

  /// - Parameter process: The process that the line represents, whose overlay it shows; nil for none.
  private func line(of figure: GraphFigure, _ process: GraphNode?, _ stored: StoredPlaces) -> [PictureShape] {
    let line = PicturePath.line(figure.points.map { stored.point($0) })
    var style = PictureStyle(stroke: theme.sideFlow, strokeWidth: 1.1 * unit)
    if let mark = process.flatMap({ styles.mark(ofProcess: $0) }) {
      style.stroke = mark.color
      style.strokeWidth = (1.1 + 3 * mark.share) * unit
      return [.path(line, style)]
    }
    style = styles.styled(style, by: figure.style)
    // A line has no inside, but KGML gives lines a background too.
    style.fill = nil
    return [.path(line, style)]
  }

  private func outline(of figure: GraphFigure, _ frame: GraphFrame) -> [PictureShape] {
    let outline = figure.style?.outline ?? (figure.category == "text" ? .none : .roundedRectangle)
    if outline == .none { return [] }
    let style = styles.styled(PictureStyle(stroke: theme.wall, strokeWidth: 0.8 * unit), by: figure.style)
    if figure.style?.line == .double { return doubleBorder(outline, frame, radius: 6 * unit, style) }
    return [.path(.outline(outline, frame, radius: 6 * unit), style)]
  }

  private func text(of figure: GraphFigure, _ frame: GraphFrame) -> [PictureShape] {
    if figure.text.isEmpty { return [] }
    let isFree = frame.width <= 0
    // Escher's texts have no box; they are large, because they name regions.
    let size = (isFree ? 26 : PictureParts.letters.process) * unit
    let label = PictureLabel(
      figure.text, size: size, width: isFree ? 900 * unit : max(frame.width, 40 * unit), most: isFree ? 1 : 4)
    let center = FrozenPath.Point(x: frame.x, y: frame.y - (isFree ? size * 0.34 : 0))
    let own = theme.keepsFileColors ? figure.style?.text : nil
    return label.texts(around: center, color: own ?? theme.quietText, anchor: isFree ? .start : .middle)
  }

  /// Returns true if a point is represented by a line of its file.
  func isDrawnAsFigure(_ node: GraphNode) -> Bool { node.isPoint && lined.contains(node.id) }
}
