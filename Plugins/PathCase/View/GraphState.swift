import PluginAPI

/// The state of the graph screen: a picture, its visible part, the selection, the search and the overlay.
struct GraphState: Sendable {
  var place: GraphPlace
  /// The picture; nil until the graph is laid out.
  var picture: GraphPicture?
  /// The selected place of the layout.
  private(set) var selected: Int?
  /// The message shown without a picture, or in addition to it; "" for none.
  var message = ""
  var find = GraphFind()
  var overlay: GraphOverlay?
  /// The marks of the overlay; nil without one.
  private(set) var marks: GraphMarks?
  /// The size of the whole view.
  var size = Size(width: 0, height: 0)

  init(_ place: GraphPlace) { self.place = place }

  /// The number of rows below the picture.
  var footRows: Int {
    let wanted = 1 + (overlay == nil ? 0 : 1)
    return size.height >= 6 ? wanted : size.height >= 3 && (find.isOpen || overlay != nil) ? 1 : 0
  }

  /// The size of the area for the picture.
  var window: Size { Size(width: max(0, size.width), height: max(0, size.height - footRows)) }

  /// The first visible column and row of the picture.
  var origin: Point { place.origin ?? Point(x: 0, y: 0) }

  // MARK: Pictures

  /// Shows a picture, with the same thing at the same position as before; at the start if the view was there.
  mutating func show(_ new: GraphPicture) {
    let wasAtStart = place.origin == nil || selected == nil && isAtStart
    let anchor = anchor
    let subject = selectedNode?.subject ?? place.selected
    let clone = selected.flatMap { picture?.layout.places[$0].clone } ?? 0
    picture = new
    find.update(new)
    marks = overlay.map { GraphMarks($0, new) }
    selected = subject.flatMap { find(subject: $0, clone: clone, in: new) }
    if wasAtStart {
      goToStart()
    } else if let anchor, let index = find(subject: anchor.subject, clone: anchor.clone, in: new) {
      let center = new.center(ofPlace: index, in: window)
      place.origin = Point(x: center.x - anchor.seen.x, y: center.y - anchor.seen.y)
    }
    if new.zoom == .map { place.origin = Point(x: 0, y: 0) }
    clamp()
  }

  /// The thing that keeps its position when the picture changes.
  private struct Anchor {
    var subject: Identifier
    var clone: Int
    var seen: Point
  }

  /// The selected node if it is visible, or else the one nearest to the middle.
  private var anchor: Anchor? {
    guard let picture, let index = selected.flatMap({ isSeen($0) ? $0 : nil }) ?? nearestToMiddle else { return nil }
    let center = picture.center(ofPlace: index, in: window)
    return Anchor(
      subject: picture.node(index).subject, clone: picture.layout.places[index].clone,
      seen: Point(x: center.x - origin.x, y: center.y - origin.y))
  }

  private func find(subject: Identifier, clone: Int, in picture: GraphPicture) -> Int? {
    let places = picture.layout.places
    let found = places.indices.filter { picture.graph.nodes[places[$0].node].subject == subject }
    return found.first { places[$0].clone == clone } ?? found.first
  }

  mutating func show(_ overlay: GraphOverlay?) {
    self.overlay = overlay
    marks = overlay.flatMap { overlay in picture.map { GraphMarks(overlay, $0) } }
    clamp()
  }

  // MARK: Selection

  /// The selected node; nil if there is none.
  var selectedNode: GraphNode? { selected.flatMap { picture?.node($0) } }

  mutating func select(_ index: Int?) {
    selected = index
    place.selected = selectedNode?.subject
  }

  /// Selects a place and brings it into view.
  mutating func go(to index: Int) {
    select(index)
    reveal(index)
  }

  /// Selects the first node that satisfies a condition, and centers it.
  ///
  /// - Returns: True if there is one.
  mutating func focus(where passes: (GraphNode) -> Bool) -> Bool {
    guard let picture, let index = picture.layout.places.indices.first(where: { passes(picture.node($0)) }) else {
      return false
    }
    select(index)
    center(on: index)
    return true
  }

  func isSeen(_ index: Int) -> Bool {
    guard let picture else { return false }
    let rect = picture.rect(ofPlace: index, in: window)
    let seen = Rect(x: origin.x, y: origin.y, width: window.width, height: window.height).intersection(rect)
    return seen.width == rect.width && seen.height == rect.height
  }

  // MARK: View

  /// Moves the window, but not beyond the picture.
  mutating func pan(x: Int, y: Int) {
    place.origin = Point(x: origin.x + x, y: origin.y + y)
    clamp()
  }

  /// Moves the window by some columns or rows, or by a page.
  mutating func pan(_ direction: Direction, isPage: Bool) {
    let (columns, rows) = isPage ? (max(1, window.width - 8), max(1, window.height - 2)) : (6, 3)
    pan(x: direction.step.x * columns, y: direction.step.y * rows)
  }

  /// Resizes the view around its center, or returns it to the start if it was there; something always stays in view.
  mutating func resize(to size: Size) {
    let (before, wasAtStart) = (window, isAtStart)
    self.size = size
    guard before.width > 0, before.height > 0, let origin = place.origin else { return }
    place.origin = Point(
      x: origin.x + (before.width - window.width) / 2, y: origin.y + (before.height - window.height) / 2)
    clamp()
    if let selected {
      reveal(selected)
    } else if wasAtStart {
      goToStart()
    }
    revealSomething()
  }

  mutating func center(on index: Int) {
    guard let picture else { return }
    let center = picture.center(ofPlace: index, in: window)
    place.origin = Point(x: center.x - window.width / 2, y: center.y - window.height / 2)
    clamp()
  }

  /// Moves the window as little as necessary to show a place and its surroundings.
  private mutating func reveal(_ index: Int) {
    guard let picture else { return }
    let rect = picture.rect(ofPlace: index, in: window)
    place.origin = Point(
      x: Self.revealed(rect.x, rect.width, in: window.width, from: origin.x),
      y: Self.revealed(rect.y, rect.height, in: window.height, from: origin.y))
    clamp()
  }

  private static func revealed(_ start: Int, _ length: Int, in room: Int, from origin: Int) -> Int {
    let margin = min(4, max(0, (room - length) / 2))
    if start - margin < origin { return start - margin }
    return max(origin, start + length + margin - room)
  }

  /// Keeps the window on the picture; a picture smaller than the window is centered.
  mutating func clamp() {
    guard let picture else { return }
    let whole = picture.size(in: window)
    func clamped(_ value: Int, _ length: Int, _ room: Int) -> Int {
      length <= room ? -((room - length) / 2) : min(max(0, value), length - room)
    }
    place.origin = Point(
      x: clamped(origin.x, whole.width, window.width), y: clamped(origin.y, whole.height, window.height))
  }

  /// Goes to the start of the main chain, with the upper left corner of the picture if both fit.
  private mutating func goToStart() {
    guard let start = startOrigin else { return }
    place.origin = start
    clamp()
  }

  /// True if the window is where ``goToStart()`` puts it.
  private var isAtStart: Bool {
    guard let picture, picture.zoom != .map else { return false }
    var other = self
    other.goToStart()
    return other.place.origin == place.origin
  }

  /// A position of the window for the start.
  private struct FirstView {
    var origin: Point
    /// The number of nodes in the window.
    var seen: Int
    /// The number of lines and boxes that the left and upper edges of the window cut.
    var cuts: Int
  }

  /// The origin of the window at the start.
  ///
  /// The window begins at the first start, another start in its row, any other start, or else any node: the first of
  /// these that cuts few lines. In large graphs there may be only lines around the first start.
  private var startOrigin: Point? {
    guard let picture, picture.zoom != .map else { return nil }
    func rects(_ places: [Int]) -> [Rect] {
      places.map { picture.rect(ofPlace: $0, in: window) }.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
    }
    let starts = rects(picture.starts)
    let nodes = rects(picture.layout.places.indices.filter { !picture.node($0).isPoint })
    guard let first = starts.first else { return nil }
    let (few, lines) = (Self.fewNodes, max(Self.fewLines, window.height / 8))
    let groups = [
      ([first], nodes.count >= Self.manyNodes ? few : 1, lines), (starts.filter { $0.y == first.y }, few, lines),
      (starts, few, lines), (nodes, 1, Int.max),
    ]
    for (group, least, most) in groups {
      let views = Self.sample(group).map { firstView($0, in: picture) }.filter { $0.seen >= least && $0.cuts <= most }
      if let best = views.min(by: { $0.cuts < $1.cuts }) { return best.origin }
    }
    return firstView(first, in: picture).origin
  }

  /// Returns the view that begins with a node: at the left and top of the picture if the node fits there, or else where
  /// the edges of the window cut the fewest lines.
  private func firstView(_ rect: Rect, in picture: GraphPicture) -> FirstView {
    let drawing = picture.drawing
    let hasLeft = rect.x + rect.width + 4 <= window.width
    let hasTop = rect.y + rect.height + 1 <= window.height && window.height >= 12
    let columns = hasLeft ? 0...0 : Self.origins(rect.x, rect.width, in: window.width, of: drawing.width)
    let rows = hasTop ? 0...0 : Self.origins(rect.y, rect.height, in: window.height, of: drawing.height)
    let centered = rect.x + rect.width / 2 - window.width / 2
    var seen = TextDrawing.Window(row: rows.upperBound, width: window.width, height: window.height)
    seen.column = Self.best(columns, drawing.cutsAtLeft(of: seen, columns: columns), near: centered)
    seen.row = Self.best(rows, drawing.cutsAtTop(of: seen, rows: rows), near: rows.upperBound)
    return FirstView(
      origin: Point(x: seen.column, y: seen.row),
      seen: drawing.places(in: seen).count { !picture.node($0).isPoint }, cuts: drawing.cuts(of: seen))
  }

  /// Returns the origins of windows that show a box, in one dimension.
  private static func origins(_ start: Int, _ length: Int, in room: Int, of whole: Int) -> ClosedRange<Int> {
    let last = min(max(0, start - 1), max(0, whole - room))
    return min(max(0, start + length + 1 - room), last)...last
  }

  /// Returns the origin with the fewest cuts, and of several the nearest to another.
  private static func best(_ origins: ClosedRange<Int>, _ cuts: [TextDrawing.Cuts], near other: Int) -> Int {
    let best = zip(origins, cuts).min { ($0.1, abs($0.0 - other)) < ($1.1, abs($1.0 - other)) }
    return best?.0 ?? origins.lowerBound
  }

  /// The number of nodes in a large graph, whose first start may have only lines around it.
  private static let manyNodes = 200
  /// The minimum number of nodes in the first view of a large graph, or of a different start.
  private static let fewNodes = 4
  /// The maximum number of lines that a first view may cut in low windows.
  private static let fewLines = 3

  /// Returns fifty to a hundred elements, spread evenly; all if there are fewer.
  private static func sample(_ rects: [Rect]) -> [Rect] {
    stride(from: 0, to: rects.count, by: max(1, rects.count / 50)).map { rects[$0] }
  }

  /// Moves the window to the nearest node if none is in view.
  private mutating func revealSomething() {
    guard let picture, picture.zoom != .map else { return }
    let seen = Rect(x: origin.x, y: origin.y, width: window.width, height: window.height)
    let isEmpty = !picture.layout.places.indices.contains { index in
      let common = seen.intersection(picture.rect(ofPlace: index, in: window))
      return common.width > 0 && common.height > 0
    }
    if isEmpty, let nearest = nearestToMiddle { reveal(nearest) }
  }
}

/// Navigation between nodes, and hit testing.
extension GraphState {
  /// The direction in which another node is searched.
  enum Direction: String, CaseIterable, ParameterValue {
    case left, right, up, down

    /// The step in columns and rows.
    var step: (x: Int, y: Int) {
      switch self {
      case .left: (-1, 0)
      case .right: (1, 0)
      case .up: (0, -1)
      case .down: (0, 1)
      }
    }
  }

  /// The approximate ratio of a cell's height to its width.
  private static let aspect = 2

  /// Selects the nearest node in a direction; the one in the middle if none is selected or it is out of view.
  mutating func selectNext(_ direction: Direction) {
    guard let picture, !picture.layout.places.isEmpty else { return }
    guard let selected, isSeen(selected) || picture.zoom == .map else {
      if let middle = nearestToMiddle { go(to: middle) }
      return
    }
    let start = picture.center(ofPlace: selected, in: window)
    let step = direction.step
    var best: (index: Int, score: Int)?
    for index in picture.layout.places.indices where index != selected {
      let center = picture.center(ofPlace: index, in: window)
      let (dx, dy) = (center.x - start.x, (center.y - start.y) * Self.aspect)
      let along = dx * step.x + dy * step.y
      let across = abs(dx * step.y) + abs(dy * step.x)
      // A node that is further sideways than ahead is reached in another direction.
      guard along > 0, across <= 2 * along else { continue }
      let score = along + 2 * across
      if score < best?.score ?? .max { best = (index, score) }
    }
    if let best { go(to: best.index) }
  }

  /// The place whose center is nearest to that of the window; nil if there is none.
  private var nearestToMiddle: Int? {
    guard let picture else { return nil }
    let middle = Point(x: origin.x + window.width / 2, y: origin.y + window.height / 2)
    return picture.layout.places.indices.min {
      distance(picture.center(ofPlace: $0, in: window), middle)
        < distance(picture.center(ofPlace: $1, in: window), middle)
    }
  }

  private func distance(_ one: Point, _ other: Point) -> Int {
    let (x, y) = (one.x - other.x, Self.aspect * (one.y - other.y))
    return x * x + y * y
  }

  /// The places from top to bottom, and from left to right.
  private var readingOrder: [Int] {
    guard let picture else { return [] }
    let corners = picture.layout.places.indices.map { index in
      let rect = picture.rect(ofPlace: index, in: window)
      return (rect.y, rect.x, index)
    }
    return corners.sorted(by: <).map(\.2)
  }

  /// Goes to the next or previous node found; of all nodes if there is no search.
  mutating func step(_ step: Int) {
    guard let picture else { return }
    let found = find.isActive ? Set(find.nodes) : nil
    let order = readingOrder.filter { found?.contains(picture.layout.places[$0].node) ?? true }
    guard !order.isEmpty else { return }
    guard let current = selected.flatMap({ order.firstIndex(of: $0) }) else {
      return go(to: nextInReading(order, step))
    }
    go(to: order[((current + step) % order.count + order.count) % order.count])
  }

  /// Returns the next place in reading order if the selected one is not in the list.
  private func nextInReading(_ order: [Int], _ step: Int) -> Int {
    guard let picture, let selected else { return step > 0 ? order[0] : order[order.count - 1] }
    let start = picture.rect(ofPlace: selected, in: window)
    func isBehind(_ index: Int) -> Bool {
      let rect = picture.rect(ofPlace: index, in: window)
      return (rect.y, rect.x) > (start.y, start.x)
    }
    if step > 0 { return order.first(where: isBehind) ?? order[0] }
    return order.last { !isBehind($0) } ?? order[order.count - 1]
  }

  /// Returns the place at a cell of the window; nil if there is none.
  func placeIndex(at point: Point) -> Int? {
    guard let picture, point.x >= 0, point.y >= 0, point.x < window.width, point.y < window.height else { return nil }
    let cell = Point(x: point.x + origin.x, y: point.y + origin.y)
    if picture.zoom != .map { return picture.drawing.place(column: cell.x, row: cell.y) }
    return picture.layout.places.indices.first { picture.center(ofPlace: $0, in: window) == cell }
  }

  /// Returns whether the whole graph is in the window at a picture's zoom.
  func fits(_ picture: GraphPicture) -> Bool {
    picture.drawing.width <= window.width && picture.drawing.height <= window.height
  }
}

extension GraphState {
  /// Handles a key or pasted text of the search.
  ///
  /// - Returns: True if the search uses it.
  mutating func handleFind(_ event: Event) -> Bool {
    if event == .key(Key(.escape)), find.isOpen {
      find.end()
      return true
    }
    guard find.isTyping else { return false }
    switch event {
    case .key(Key(.enter)):
      find.isTyping = false
      if !find.isActive { find.end() }
    case .key(Key(.backspace)) where find.line.text.isEmpty: find.end()
    case .key(Key(.down)): step(1)
    case .key(Key(.up)): step(-1)
    default: return type(event)
    }
    return true
  }

  private mutating func type(_ event: Event) -> Bool {
    let before = find.line.text
    guard find.line.handle(event) else { return false }
    if find.line.text == before { return true }
    find.update(picture)
    let isOnFound = selected.flatMap { index in picture.map { find.nodes.contains($0.layout.places[index].node) } }
    if isOnFound != true { step(1) }
    return true
  }
}

/// The search for nodes of a graph.
struct GraphFind: Sendable {
  var line = InputLine()
  /// A Boolean value indicating whether typed text goes to the search.
  var isTyping = false
  /// The indices of the nodes found, ascending.
  private(set) var nodes: [Int] = []

  /// A Boolean value indicating whether a search is active.
  var isActive: Bool { !line.text.isEmpty }
  /// A Boolean value indicating whether the search is visible.
  var isOpen: Bool { isTyping || isActive }

  /// Searches in a picture.
  mutating func update(_ picture: GraphPicture?) {
    nodes = isActive ? picture?.words.nodes(with: line.text) ?? [] : []
  }

  /// Ends the search.
  mutating func end() { self = GraphFind() }
}

/// The zoom of a graph.
enum GraphZoom: Int, Sendable, CaseIterable {
  /// The whole graph in the window, with a dot for the contents of each cell and without lines.
  case map
  /// A dot for each node.
  case dots
  /// A short label for each node.
  case names
  /// Boxes with labels.
  case full

  /// The zoom of its drawing; nil for the map, which has no drawing.
  var drawing: TextDrawing.Zoom? {
    switch self {
    case .map: nil
    case .dots: .overview
    case .names: .names
    case .full: .full
    }
  }

  /// The name in the toolbar.
  var title: String {
    switch self {
    case .map: "map"
    case .dots: "dots"
    case .names: "short labels"
    case .full: "labels"
    }
  }
}

/// The treatment of common molecules, such as ATP.
enum CommonChoice: Int, Sendable, CaseIterable {
  case hidden
  /// They are hidden, as are molecules not marked as common that have very many processes here.
  case hiddenWithBusy
  /// They are drawn beside each of their processes.
  case beside
}

/// The user's view of a graph, which can be restored later.
struct GraphPlace: Sendable, Hashable {
  var zoom = GraphZoom.full
  /// The first visible column and row of the drawing; nil if it was never shown.
  var origin: Point?
  /// The id of the thing that the selected node represents; nil if none is selected.
  var selected: Identifier?
  var common = CommonChoice.hidden
  var isASCII = false

  /// The picture that it shows of a layout.
  var pictureKey: GraphPicture.Key { GraphPicture.Key(zoom: zoom, isASCII: isASCII) }
}

extension GraphPlace {
  /// Creates a view from its value form; missing or malformed fields get their defaults.
  init(_ value: Value) {
    zoom = value["zoom"].integer.flatMap(GraphZoom.init) ?? .full
    if let x = value["x"].integer, let y = value["y"].integer, abs(x) < 1 << 30, abs(y) < 1 << 30 {
      origin = Point(x: x, y: y)
    }
    selected = value["selected"].text.map { Identifier($0) }
    common = value["common"].integer.flatMap(CommonChoice.init) ?? .hidden
    isASCII = value["ascii"].bool ?? false
  }

  /// The view as a record.
  var value: Value {
    var record: Record = [
      "zoom": .integer(zoom.rawValue), "common": .integer(common.rawValue), "ascii": .bool(isASCII),
    ]
    if let origin { (record["x"], record["y"]) = (.integer(origin.x), .integer(origin.y)) }
    if let selected { record["selected"] = .text(selected.text) }
    return .record(record)
  }
}
