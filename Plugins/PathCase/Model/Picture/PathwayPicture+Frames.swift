extension PathwayPicture {
  /// Draws the compartments, the outermost first, and their names on top.
  mutating func paintFrames() {
    let frames = graph.compartments.indices.map { frame(ofCompartment: $0) }
    for (index, compartment) in graph.compartments.enumerated() {
      guard let frame = frames[index] else { continue }
      let wall = PicturePath.rounded(frame, radius: 14 * unit)
      let room = theme.rooms.isEmpty ? nil : theme.rooms[index % theme.rooms.count]
      let style = compartment.style
      let outer = styled(PictureStyle(fill: room, stroke: theme.wall, strokeWidth: 1.2 * unit), by: style)
      var inner = frame
      inner.width = max(0, frame.width - 5 * unit)
      inner.height = max(0, frame.height - 5 * unit)
      var shapes: [PictureShape] = [
        // The border has two lines, as a membrane has two layers.
        .path(wall, outer),
        .path(.rounded(inner, radius: 12 * unit), PictureStyle(stroke: outer.stroke, strokeWidth: 0.6 * unit)),
      ]
      shapes += compartment.decorations.flatMap { decoration($0, on: frame, place: 0, of: 1) }
      add(.frame, compartment.name, shapes)
    }
    for (index, compartment) in graph.compartments.enumerated() {
      guard let frame = frames[index] else { continue }
      let size = 10.5 * unit
      let name = LetterWidths.cut(
        PictureLabel.shown(compartment.name),
        to: max(frame.width - 24 * unit, 20 * unit), size: size, isBold: true)
      let text = PictureText(
        text: name, place: .init(x: 0, y: 0), size: size, colour: theme.quietText, isBold: true)
      let box = LayoutBounds(frame)
      // In a frame that does not enclose this one, the name would seem to belong to that frame.
      let others = frames.compactMap { $0.map { LayoutBounds($0) } }.filter { $0.joined(box) != $0 }
      add(.frame, compartment.name, [.text(placed(text, in: box, off: others))])
    }
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
  private mutating func placed(_ text: PictureText, in box: LayoutBounds, off others: [LayoutBounds]) -> PictureText {
    let own = text.bounds
    let (left, right) = (box.left + 11 * unit, max(box.left, box.right - own.right - 11 * unit))
    func room(_ place: FrozenPath.Point) -> LayoutBounds {
      // The box is slightly larger than the letters, since a line that touches them makes them hard to read.
      LayoutBounds(
        left: own.left + place.x - 3 * unit, top: own.top + place.y - 2 * unit, right: own.right + place.x + 3 * unit,
        bottom: own.bottom + place.y + 2 * unit)
    }
    func places(_ rows: [Double]) -> [FrozenPath.Point] {
      rows.flatMap { y in [0, 0.5, 1, 0.25, 0.75].map { FrozenPath.Point(x: left + (right - left) * $0, y: y) } }
    }
    func isFree(_ place: FrozenPath.Point) -> Bool { !others.contains { $0.overlaps(room(place)) } }
    let edges = places([box.top + 16 * unit, box.bottom - 8 * unit])
    var free = edges.filter(isFree)
    if free.isEmpty { free = places([0.5, 0.25, 0.75].map { box.top + (box.bottom - box.top) * $0 }).filter(isFree) }
    let chosen = free.isEmpty ? edges : free
    var text = text
    text.place = chosen[labels.take(chosen.map(room))]
    return text
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
    let place = FrozenPath.Point(x: box.left, y: box.top - 14 * unit)
    add(
      .heading, "",
      [.text(PictureText(text: name, place: place, size: size, colour: theme.text, isBold: true))])
  }

  /// Draws the legend of an overlay's colors and widths.
  mutating func paintLegend() {
    let largest = largest.process
    guard let box = bounds, largest > 0 else { return }
    let (left, y, width) = (box.left, box.bottom + 22 * unit, 150 * unit)
    var shapes: [PictureShape] = []
    let steps = 30
    for step in 0..<steps {
      let share = (Double(step) + 0.5) / Double(steps)
      let colour = PictureColour.between(theme.flow, theme.above, 0.25 + 0.75 * share)
      let (from, to) = (left + width * Double(step) / Double(steps), left + width * Double(step + 1) / Double(steps))
      let line = PicturePath.line([.init(x: from, y: y), .init(x: to + 0.2, y: y)])
      shapes.append(.path(line, PictureStyle(stroke: colour, strokeWidth: (1.4 + 4 * share) * unit)))
    }
    let size = PictureParts.letters.process * unit
    shapes.append(
      .text(
        PictureText(
          text: "0", place: .init(x: left, y: y + 16 * unit), size: size, colour: theme.quietText)))
    shapes.append(
      .text(
        PictureText(
          text: PictureNumber.short(largest), place: .init(x: left + width, y: y + 16 * unit), size: size,
          colour: theme.quietText, anchor: .end)))
    add(.legend, "from nothing to the largest value", shapes)
  }
}
