import PluginAPI

/// Navigation between nodes, and hit testing.
extension GraphState {
  /// The direction in which another node is searched.
  enum Direction: String, Sendable, CaseIterable {
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
  var nearestToMiddle: Int? {
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
  var readingOrder: [Int] {
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
