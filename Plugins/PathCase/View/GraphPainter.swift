import PluginAPI
import PluginText

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
    paintSigns(window, &frame)
  }

  // MARK: Signs

  /// Writes a sign at the selected node and at those found, which stand out by their style alone otherwise: into the
  /// upper left corner of a box, before a label, or in place of a dot.
  private func paintSigns(_ window: TextDrawing.Window, _ frame: inout TextFrame) {
    if state.selected == nil, isFound.isEmpty { return }
    let items = picture.drawing.index.items(rows: window.row...window.row + max(0, window.height - 1))
    for number in items.boxes {
      let box = picture.drawing.boxes[number]
      guard let sign = sign(box.place) else { continue }
      let (x, y) = (box.window.column - window.column, box.window.row - window.row)
      frame.put(sign, x: picture.zoom == .names ? x - 1 : x, y: y, style(ofPlace: box.place))
    }
  }

  /// Returns the sign of a place; nil for one that is neither selected nor found.
  private func sign(_ place: Int) -> String? {
    if place == state.selected { return isASCII ? "@" : "◉" }
    return isFound.contains(picture.layout.places[place].node) ? (isASCII ? "*" : "◆") : nil
  }

  // MARK: Styles

  private static let line = Style.secondary
  private static let compartment = Style(foreground: GraphMarks.blue)
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
      case .pool, .macromolecule, .other: style = .plain
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

  /// Writes the label into the upper border and the value into the lower one.
  ///
  /// A dot becomes the label if that is a letter.
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
    if let sign = sign(place) { return sign }
    if let letter = marks?.places[place]?.letter { return String(letter) }
    return picture.node(place).kind == .process ? (isASCII ? "." : "·") : (isASCII ? "o" : "•")
  }
}

/// The marks of an overlay on each place and line of a picture, computed once rather than per frame.
struct GraphMarks: Sendable {
  /// The mark of a place.
  struct Place: Sendable, Hashable {
    var style: Style
    /// The text in its upper border, such as `A|C`; "" for none.
    var label = ""
    /// The text in its lower border, such as `12.5`; "" for none.
    var value = ""

    /// The label if there is room for one letter; nil if it contains several.
    var letter: Character? { label.contains("|") ? nil : label.first }
  }

  /// The mark of a line.
  struct Route: Sendable, Hashable {
    var style: Style
    /// The presence of arrow heads at its end and at its beginning; nil to keep them unchanged.
    var heads: (end: Bool, start: Bool)?

    static func == (one: Route, other: Route) -> Bool {
      one.style == other.style && one.heads?.end == other.heads?.end && one.heads?.start == other.heads?.start
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(style)
      hasher.combine(heads?.end)
      hasher.combine(heads?.start)
    }
  }

  /// The marks by place; nil without data in the overlay.
  private(set) var places: [Place?]
  /// The marks by route; nil without data in the overlay.
  private(set) var routes: [Route?]

  init(_ overlay: GraphOverlay, _ picture: GraphPicture) {
    let largest = overlay.largestValue
    let graph = picture.graph
    places = picture.layout.places.map { place in
      let node = graph.nodes[place.node]
      if let mark = overlay.processes[node.subject] {
        return Place(
          style: Self.style(mark, largest: largest),
          label: mark.state.map { Self.label($0, isForced: mark.isForced) } ?? "",
          value: mark.value.map(Self.number) ?? "")
      }
      guard let mark = overlay.pools[node.subject] else { return nil }
      return Place(style: Self.style(mark), label: mark.label, value: mark.value.map(Self.number) ?? "")
    }
    routes = picture.layout.routes.map { route in
      let edge = graph.edges[route.edge]
      let ends = [graph.nodes[edge.source], graph.nodes[edge.target]]
      guard let process = ends.first(where: { $0.kind == .process }), let mark = overlay.processes[process.subject]
      else { return nil }
      return Route(
        style: Self.style(mark, largest: largest),
        heads: edge.kind == .flow && route.opposite == nil ? Self.heads(mark) : nil)
    }
  }

  /// Returns the presence of arrow heads for the direction of a process.
  private static func heads(_ mark: GraphOverlay.ProcessMark) -> (end: Bool, start: Bool)? {
    switch mark.state {
    case .forward: (true, false)
    case .backward: (false, true)
    case .idle: nil
    case nil: mark.value.flatMap { $0 == 0 || $0.isNaN ? nil : ($0 > 0, $0 < 0) }
    }
  }

  /// Returns the label of a process's state: `+`, `-` or `0`, with `!` if it is the same in every scenario.
  private static func label(_ state: ProcessState, isForced: Bool) -> String {
    String(state.character) + (isForced ? "!" : "")
  }

  // MARK: Styles

  /// The bright blue of the terminal: its dark blue cannot be read on black.
  static let blue = Color.palette(12)
  private static let colors: [Color] = [blue, .palette(2), .palette(3), .palette(1)]
  /// The style of an idle process.
  static let idle = Style(foreground: .palette(8), attributes: .dim)
  static let forward = Style(foreground: .palette(2), attributes: .bold)
  static let backward = Style(foreground: .palette(5), attributes: .bold)

  private static func style(_ mark: GraphOverlay.ProcessMark, largest: Double) -> Style {
    var style: Style
    switch mark.state {
    case .idle: style = idle
    case .forward: style = forward
    case .backward: style = backward
    case nil: style = Self.style(mark.value ?? 0, largest: largest)
    }
    if mark.isForced { style = style.adding(.underline) }
    return style
  }

  /// Returns a color from dim over blue, green and yellow to red, by the fraction of the largest number.
  ///
  /// Without colors the larger half is bold.
  static func style(_ value: Double, largest: Double) -> Style {
    guard value.isFinite, largest > 0, value != 0 else { return idle }
    let share = abs(value) / largest
    let index = min(colors.count - 1, Int(share * Double(colors.count)))
    return Style(foreground: colors[max(0, index)], attributes: share >= 0.5 ? .bold : [])
  }

  /// Returns a color by the highest level of the label: unavailable blue, available green, accumulated yellow, severely
  /// accumulated red.
  private static func style(_ mark: GraphOverlay.PoolMark) -> Style {
    let levels = mark.label.compactMap { MetaboliteLevel(letter: String($0)) }
    let color = levels.max().map { colors[Int($0.rawValue)] } ?? .standard
    return Style(foreground: color, attributes: mark.isObserved ? [.bold, .underline] : .bold)
  }

  /// Returns a number in few columns.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "\(value)" }
    if value == value.rounded(), abs(value) < 1e6 { return "\(Int(value))" }
    if abs(value) >= 1e6 || abs(value) < 1e-3 { return "\(value)" }
    let decimals = abs(value) >= 100 ? 10.0 : abs(value) >= 1 ? 100.0 : 1000.0
    return "\((value * decimals).rounded() / decimals)"
  }
}

/// The positions of compartment names in the map, away from the dots of nodes and from each other.
struct GraphMapNames {
  /// A name and the cell of its first letter.
  struct Name {
    var compartment: Int
    var text: String
    var place: Point
  }

  private(set) var names: [Name] = []
  private let window: Size
  /// True for each cell, row by row, with a dot or a name.
  private var isTaken: [Bool]
  /// The maximum number of named compartments: more names do not help in a window.
  private static let most = 48

  init(_ picture: GraphPicture, window: Size) {
    self.window = window
    isTaken = [Bool](repeating: false, count: max(0, window.width * window.height))
    let map = GraphMap(picture.layout, window: window)
    if isTaken.isEmpty { return }
    for place in picture.layout.places {
      let point = map.point(place.frame)
      isTaken[point.y * window.width + point.x] = true
    }
    let dots = isTaken
    for (index, shape) in picture.layout.compartments.enumerated() where names.count < Self.most {
      guard let shape else { continue }
      let upper = GraphFrame(x: shape.x - shape.width / 2, y: shape.y - shape.height / 2, width: 0, height: 0)
      let lower = GraphFrame(x: shape.x + shape.width / 2, y: shape.y + shape.height / 2, width: 0, height: 0)
      add(index, of: picture, from: map.point(upper), to: map.point(lower))
    }
    isTaken = dots
    for name in names { take(cells(of: name)) }
    for index in names.indices { widen(index, in: picture) }
  }

  private func cells(of name: Name) -> Range<Int> {
    let first = name.place.y * window.width + name.place.x
    return first..<first + TextWidth.columns(name.text)
  }

  private mutating func take(_ cells: Range<Int>) { for cell in cells { isTaken[cell] = true } }

  /// Returns the name of a compartment, truncated to a number of columns.
  private func text(_ compartment: Int, in picture: GraphPicture, columns: Int) -> String {
    let name = SanitizedText.line(picture.graph.compartments[compartment].name)
    return NodeLabel.cut(name, to: columns, isASCII: picture.key.isASCII)
  }

  /// Shows as much of a truncated name as fits before the next dot or name; a space stays between them.
  private mutating func widen(_ index: Int, in picture: GraphPicture) {
    let place = names[index].place
    func isFree(_ column: Int) -> Bool { column >= window.width || !isTaken[place.y * window.width + column] }
    var end = place.x + TextWidth.columns(names[index].text)
    while end < window.width, isFree(end), isFree(end + 1) { end += 1 }
    names[index].text = text(names[index].compartment, in: picture, columns: end - place.x)
    take(cells(of: names[index]))
  }

  /// Adds a name in the first free stretch of a compartment's cells, if there is room.
  ///
  /// The cells are searched from the top, then the row above and the row below.
  private mutating func add(_ compartment: Int, of picture: GraphPicture, from: Point, to: Point) {
    let text = text(compartment, in: picture, columns: min(16, max(0, window.width - from.x)))
    let width = TextWidth.columns(text)
    if width == 0 { return }
    let bottom = max(from.y, to.y)
    let rows = Array(from.y...bottom) + [from.y - 1, bottom + 1].filter { (0..<window.height).contains($0) }
    for row in rows {
      // A name may be wider than its compartment; a node on the wall may take its first cell.
      let last = max(from.x + 1, to.x - width + 1)
      var column = from.x
      while column <= last, column + width <= window.width {
        let cells = row * window.width + column..<row * window.width + column + width
        guard let blocked = cells.last(where: { isTaken[$0] }) else {
          // A space separates it from the next name.
          take(cells.lowerBound..<min(cells.upperBound + 1, (row + 1) * window.width))
          return names.append(Name(compartment: compartment, text: text, place: Point(x: column, y: row)))
        }
        column = blocked % window.width + 1
      }
    }
  }
}
