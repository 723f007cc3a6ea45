/// A node of a tree.
public struct TreeNode: Sendable, Hashable {
  /// The id of the node in outcomes and actions; unique in its tree.
  public var id: String
  /// The title.
  public var title: String
  /// A second, less prominent text.
  public var detail: String
  /// The child nodes.
  public var children: [TreeNode]

  /// Creates a node.
  public init(id: String, title: String, detail: String = "", children: [TreeNode] = []) {
    self.id = id
    self.title = title
    self.detail = detail
    self.children = children
  }
}

/// The state of a tree: its nodes, the open nodes, the selection and the scroll position.
public struct TreeState: Sendable, Hashable {
  /// A visible node.
  struct Line: Sendable, Hashable {
    var id: String
    var title: String
    var detail: String
    var depth: Int
    var hasChildren: Bool
    var isOpen: Bool
  }

  /// The top-level nodes; setting them keeps the selected id if it is still present.
  public var roots: [TreeNode] {
    didSet { layOut(keeping: selectedID) }
  }

  /// The ids of the open nodes.
  public var open: Set<String> {
    didSet { layOut(keeping: selectedID) }
  }

  /// The selected line and the scroll position, among the visible nodes.
  public private(set) var cursor = RowCursor()
  private(set) var lines: [Line] = []

  /// Creates the state of a tree.
  public init(_ roots: [TreeNode] = [], open: Set<String> = []) {
    self.roots = roots
    self.open = open
    layOut(keeping: nil)
  }

  /// The id of the selected node; nil if there is none.
  public var selectedID: String? { lines.indices.contains(cursor.selected) ? lines[cursor.selected].id : nil }

  /// Handles an event: arrows and pages move, Right and Left or Space open and close, Enter chooses.
  ///
  /// - Parameters:
  ///   - event: The event; mouse positions in cells of the screen's frame.
  ///   - rect: The tree's rectangle in the screen's frame.
  /// - Returns: The outcome; nil if a tree does not handle the event.
  public mutating func handle(_ event: Event, in rect: Rect) -> ViewOutcome? {
    let height = max(1, rect.height)
    switch event {
    case .key(let key): return handle(key, height: height)
    case .mouse(let mouse) where rect.contains(mouse.position): return handle(mouse, in: rect, height: height)
    default: return nil
    }
  }

  private mutating func handle(_ key: Key, height: Int) -> ViewOutcome? {
    let line = lines.indices.contains(cursor.selected) ? lines[cursor.selected] : nil
    switch (key.code, key.modifiers) {
    case (.enter, []): return line.map { .chosen($0.id) }
    case (.right, []), (.character("l"), []): return line.flatMap { expand($0) }
    case (.left, []), (.character("h"), []): return line.flatMap { collapse($0) }
    case (.character(" "), []):
      if let line { toggle(line) }
      return .changed
    default: return cursor.handle(key, count: lines.count, height: height) ? .changed : nil
    }
  }

  private mutating func expand(_ line: Line) -> ViewOutcome? {
    guard line.hasChildren else { return nil }
    if line.isOpen { cursor.selected += 1 } else { open.insert(line.id) }
    return .changed
  }

  /// Closes an open node, or else selects its parent; does not handle the key for a closed top-level node.
  private mutating func collapse(_ line: Line) -> ViewOutcome? {
    if line.isOpen {
      open.remove(line.id)
      return .changed
    }
    guard let parent = lines[..<cursor.selected].lastIndex(where: { $0.depth < line.depth }) else { return nil }
    cursor.selected = parent
    return .changed
  }

  private mutating func toggle(_ line: Line) {
    guard line.hasChildren else { return }
    if line.isOpen { open.remove(line.id) } else { open.insert(line.id) }
  }

  private mutating func handle(_ mouse: Mouse, in rect: Rect, height: Int) -> ViewOutcome? {
    switch mouse.action {
    case .scroll(let rows): cursor.scroll(by: 3 * rows, count: lines.count, height: height)
    case .press(let clicks) where mouse.button == .left:
      let index = cursor.visibleTop(count: lines.count, height: height) + mouse.position.y - rect.y
      guard lines.indices.contains(index) else { return .changed }
      cursor.selected = index
      let line = lines[index]
      let mark = rect.x + 2 + 2 * line.depth
      if line.hasChildren, (mark - 1...mark + 1).contains(mouse.position.x) {
        toggle(line)
      } else if clicks >= 2 {
        return .chosen(line.id)
      }
    default: return nil
    }
    return .changed
  }

  private mutating func layOut(keeping id: String?) {
    lines = []
    var waiting = roots.reversed().map { (node: $0, depth: 0) }
    while let (node, depth) = waiting.popLast() {
      let isOpen = !node.children.isEmpty && open.contains(node.id)
      lines.append(
        Line(
          id: node.id, title: node.title, detail: node.detail, depth: depth, hasChildren: !node.children.isEmpty,
          isOpen: isOpen))
      if isOpen { waiting += node.children.reversed().map { ($0, depth + 1) } }
    }
    if let id, let index = lines.firstIndex(where: { $0.id.utf8.elementsEqual(id.utf8) }) { cursor.selected = index }
    cursor.selected = min(cursor.selected, max(0, lines.count - 1))
  }
}
