extension PathwayPicture {
  /// Draws the figures of a file: shapes and lines below the network, texts above it.
  mutating func paintFigures(isText: Bool) {
    guard let stored else { return }
    let processes = graph.nodes.filter { $0.kind == .process && isDrawnAsFigure($0) }
    let lined = Dictionary(processes.map { ($0.id, $0) }) { first, _ in first }
    for figure in graph.figures {
      let frame = stored.frame(figure.frame)
      guard frame.x.isFinite, frame.y.isFinite, frame.width.isFinite, frame.height.isFinite else { continue }
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
    if let mark = process.flatMap({ mark(ofProcess: $0) }) {
      style.stroke = mark.colour
      style.strokeWidth = (1.1 + 3 * mark.share) * unit
      return [.path(line, style)]
    }
    return [.path(line, styled(style, by: figure.style))]
  }

  private func outline(of figure: GraphFigure, _ frame: GraphFrame) -> [PictureShape] {
    let outline = figure.style?.outline ?? (figure.text.isEmpty ? .roundedRectangle : .none)
    if outline == .none { return [] }
    let style = styled(PictureStyle(stroke: theme.wall, strokeWidth: 0.8 * unit), by: figure.style)
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
    let own = theme.keepsFileColours ? figure.style?.text : nil
    return label.texts(around: center, colour: own ?? theme.quietText, anchor: isFree ? .start : .middle)
  }

  /// Returns whether a point is represented by a line of its file.
  func isDrawnAsFigure(_ node: GraphNode) -> Bool { node.isPoint && lined.contains(node.id) }

  // MARK: The look that files give

  /// Returns a style with the colors and dashes of a file.
  func styled(_ usual: PictureStyle, by own: GraphStyle?) -> PictureStyle {
    guard let own else { return usual }
    var style = usual
    if theme.keepsFileColours {
      if let stroke = own.stroke { style.stroke = stroke }
      if let fill = own.fill { style.fill = fill }
    }
    if own.line == .dashed { style.dashes = GraphStyle.dashes.map { $0 * unit } }
    return style
  }

  /// Returns the color of a node's name.
  func textColour(of node: GraphNode) -> PictureColour {
    (theme.keepsFileColours && mark(ofPool: node)?.colour == nil ? node.style?.text : nil) ?? theme.text
  }

  /// Returns the inner line of a double border.
  func secondBorder(_ glyph: NodeGlyph, _ node: GraphNode, _ style: PictureStyle) -> [PictureShape] {
    guard node.style?.line == .double else { return [] }
    var inner = glyph
    inner.frame.width = max(0, glyph.frame.width - 4 * unit)
    inner.frame.height = max(0, glyph.frame.height - 4 * unit)
    return inner.path.map { [.path($0, PictureStyle(stroke: style.stroke, strokeWidth: style.strokeWidth / 2))] } ?? []
  }
}
