import PluginAPI

/// Paints the visible cells of a picture, with the styles of kinds, overlay, search and selection.
struct GraphPainter {
  let state: GraphState
  let picture: GraphPicture
  /// True for each node found by the search.
  private let isFound: Set<Int>

  init(state: GraphState, picture: GraphPicture) {
    self.state = state
    self.picture = picture
    isFound = state.find.isActive ? Set(state.find.nodes) : []
  }

  private var isASCII: Bool { state.place.isASCII }
  private var marks: GraphMarks? { state.marks }

  func paint(_ frame: inout TextFrame) {
    if picture.zoom == .map { return paintMap(&frame) }
    let window = TextDrawing.Window(
      column: state.origin.x, row: state.origin.y, width: frame.size.width, height: frame.size.height)
    let canvas = picture.drawing.canvas(window)
    for row in 0..<canvas.height {
      for column in 0..<canvas.width {
        let cell = canvas[column, row]
        if cell.owner == .nothing { continue }
        let style = style(cell.owner)
        if let character = cell.character {
          frame[column, row] = Cell(character, style: style)
        } else {
          frame[column, row] = Cell(glyph: Cell.continuation, style: style)
        }
      }
    }
    paintMarks(window, &frame)
  }

  // MARK: Styles

  private static let line = Style.secondary
  private static let compartment = Style(foreground: .palette(4))
  private static let link = Style(foreground: .palette(5), attributes: .underline)

  private func style(_ owner: TextCanvas.Owner) -> Style {
    switch owner {
    case .nothing: .plain
    case .compartment: Self.compartment
    case .route(let route): marks?.routes[route]?.style ?? Self.line
    case .place(let place): style(ofPlace: place)
    }
  }

  private func style(ofPlace place: Int) -> Style {
    let node = picture.layout.places[place].node
    var style: Style
    if let marks {
      style = marks.places[place]?.style ?? Self.line
    } else {
      switch picture.graph.nodes[node].kind {
      case .process: style = .accent
      case .pathway: style = Self.link
      default: style = .plain
      }
    }
    if isFound.contains(node) { style = Style.match.adding(style.attributes.subtracting(.dim)) }
    if place == state.selected {
      style = Style(
        foreground: style.foreground, attributes: style.attributes.union([.reverse, .bold]).subtracting(.dim))
    }
    return style
  }

  // MARK: Marks

  private func paintMarks(_ window: TextDrawing.Window, _ frame: inout TextFrame) {
    guard let marks else { return }
    let items = picture.drawing.index.items(rows: window.row...window.row + max(0, window.height - 1))
    for number in items.heads { paint(picture.drawing.heads[number], marks, window, &frame) }
    for number in items.boxes {
      let box = picture.drawing.boxes[number]
      if let mark = marks.places[box.place] { paint(mark, box, window, &frame) }
    }
  }

  /// Removes a head that points against the flow, and adds none.
  private func paint(
    _ head: TextDrawing.Head, _ marks: GraphMarks, _ window: TextDrawing.Window, _ frame: inout TextFrame
  ) {
    guard let heads = marks.routes[head.route]?.heads, window.contains(head.column, head.row) else { return }
    let beside = head.direction == .down ? head.row + 1 : head.row - 1
    guard let place = picture.drawing.place(column: head.column, row: beside) else { return }
    let isEnd = place == picture.layout.routes[head.route].target
    if isEnd ? heads.end : heads.start { return }
    let glyph = isASCII ? "|" : "│"
    frame.put(glyph, x: head.column - window.column, y: head.row - window.row, style(.route(head.route)))
  }

  /// Writes the label into the upper border and the value into the lower one; a dot becomes the label if that is a
  /// letter.
  private func paint(
    _ mark: GraphMarks.Place, _ box: TextDrawing.Box, _ window: TextDrawing.Window, _ frame: inout TextFrame
  ) {
    let (x, y) = (box.window.column - window.column, box.window.row - window.row)
    let look = style(ofPlace: box.place)
    if picture.zoom == .dots {
      if let letter = mark.letter { frame.put(String(letter), x: x, y: y, look) }
      return
    }
    guard picture.zoom == .full, box.window.height >= 3 else { return }
    let room = box.window.width - 2
    for (text, row) in [(mark.label, y), (mark.value, y + box.window.height - 1)] where !text.isEmpty && room > 0 {
      let shown = TextWidth.truncated(text, to: room)
      frame.put(shown, x: x + 1 + room - TextWidth.columns(shown), y: row, look)
    }
  }

  // MARK: Map

  /// Paints dots in the cells that contain nodes; pools cover processes, and found or selected nodes cover all others.
  private func paintMap(_ frame: inout TextFrame) {
    let window = frame.size
    let map = GraphMap(picture.layout, window: window)
    for name in GraphMapNames(picture, window: window).names {
      frame.put(name.text, x: name.place.x, y: name.place.y, Self.compartment)
    }
    let order = picture.layout.places.indices.map { (weight($0), $0) }.sorted(by: <)
    for (_, index) in order {
      let point = map.point(picture.layout.places[index].frame)
      frame.put(dot(index), x: point.x, y: point.y, style(ofPlace: index))
    }
  }

  private func weight(_ place: Int) -> Int {
    let node = picture.layout.places[place].node
    if place == state.selected { return 4 }
    if isFound.contains(node) { return 3 }
    if let mark = marks?.places[place] { return mark.style == GraphMarks.idle ? 1 : 2 }
    return picture.graph.nodes[node].kind == .process ? 0 : 1
  }

  private func dot(_ place: Int) -> String {
    if place == state.selected { return isASCII ? "@" : "◉" }
    if let letter = marks?.places[place]?.letter { return String(letter) }
    return picture.node(place).kind == .process ? (isASCII ? "." : "·") : (isASCII ? "o" : "•")
  }
}
