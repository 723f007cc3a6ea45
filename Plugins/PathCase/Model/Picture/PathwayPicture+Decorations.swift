extension PathwayPicture {
  /// Returns the shapes of the decorations on a node's border: states, units of information.
  ///
  /// - Source: Systems Biology Graphical Notation, Process Description level 1 version 2.0, sections 2.4.2 and 2.4.3.
  func decorations(of node: GraphNode, _ glyph: NodeGlyph) -> [PictureShape] {
    let own = node.decorations
    return own.enumerated().flatMap { decoration($0.element, on: glyph.frame, place: $0.offset, of: own.count) }
  }

  /// Returns the shapes of the decorations on a line, such as a number of molecules.
  func decorations(of edge: GraphEdge, on line: PictureCurve) -> [PictureShape] {
    guard let stored else { return [] }
    return edge.decorations.flatMap { decoration in
      guard decoration.frame.map({ stored.frame($0).isUsable }) ?? false else { return [PictureShape]() }
      return self.decoration(decoration, on: GraphFrame(x: 0, y: 0, width: 0, height: 0), place: 0, of: 1)
    }
  }

  /// Returns the shapes of a decoration, at its position in the file or else on the upper border of its owner.
  ///
  /// - Parameters:
  ///   - place: The number of the decoration among those on the border, from 0.
  ///   - count: The number of decorations on the border.
  func decoration(
    _ decoration: GraphDecoration, on owner: GraphFrame, place: Int, of count: Int
  ) -> [PictureShape] {
    let size = 8 * unit
    let text = PictureLabel.shown(decoration.text)
    let usual = GraphFrame(
      x: owner.x - owner.width / 2 + owner.width * (Double(place) + 0.5) / Double(max(count, 1)),
      y: owner.y - owner.height / 2, width: LetterWidths.width(text, size: size) + 8 * unit, height: size + 4 * unit)
    let own = decoration.frame.flatMap { frame in stored.map { $0.frame(frame) } }
    let frame = own.flatMap { $0.isUsable ? $0 : nil } ?? usual
    let outline = decoration.style?.outline ?? (decoration.category == "state variable" ? nil : .rectangle)
    let path = outline.map { PicturePath.outline($0, frame, radius: 3 * unit) }
    let style = styled(
      PictureStyle(fill: theme.background, stroke: theme.processBorder, strokeWidth: 0.8 * unit), by: decoration.style)
    var shapes: [PictureShape] =
      outline == GraphStyle.Outline.none
      ? [] : [.path(path ?? .rounded(frame, radius: frame.height / 2), style)]
    if let label = PictureLabel.fitted(text, into: frame, usual: size) {
      let own = theme.keepsFileColours ? decoration.style?.text : nil
      shapes += label.texts(around: .init(x: frame.x, y: frame.y), colour: own ?? theme.text)
    }
    return shapes
  }
}

extension GraphFrame {
  /// A Boolean value indicating whether the frame is large enough for a drawing.
  fileprivate var isUsable: Bool {
    x.isFinite && y.isFinite && width.isFinite && height.isFinite && width > 0 && height > 0
  }
}

extension PictureLabel {
  /// Returns a text on one line in a frame, in smaller letters if it is long.
  static func fitted(_ text: String, into frame: GraphFrame, usual: Double) -> PictureLabel? {
    if text.isEmpty { return nil }
    let width = max(LetterWidths.width(text, size: usual), 1e-9)
    let share = min(1, frame.height / (usual * 1.15), max(frame.width - usual * 0.4, usual * 0.5) / width)
    return PictureLabel(text, size: usual * max(share, 0.4), width: max(frame.width, usual), most: 1)
  }
}
