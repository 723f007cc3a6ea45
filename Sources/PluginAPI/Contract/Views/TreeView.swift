/// A tree of nodes that open and close.
public struct TreeView: View {
  /// The heading in the outline.
  public var title: String
  /// The nodes, the open ones, the selection and the scroll position.
  public var state: TreeState
  /// The screen action performed when a node is chosen, with the node's id as its argument `id`; nil for none.
  public var action: String?
  /// The text shown if there are no nodes.
  public var emptyText: String
  /// A Boolean value indicating whether this tree receives keys.
  public var isActive: Bool

  /// Creates a tree.
  public init(
    _ title: String, _ state: TreeState, action: String? = nil, emptyText: String = "Nothing here",
    isActive: Bool = true
  ) {
    self.title = title
    self.state = state
    self.action = action
    self.emptyText = emptyText
    self.isActive = isActive
  }

  /// Draws the visible nodes.
  public func draw(into frame: inout TextFrame) {
    let (width, height) = (frame.size.width, frame.size.height)
    guard width > 0, height > 0 else { return }
    if state.lines.isEmpty { frame.put(TextWidth.truncated(emptyText, to: width - 2), x: 2, y: 0, .secondary) }
    let top = state.cursor.visibleTop(count: state.lines.count, height: height)
    let isLong = state.lines.count > height
    let rowWidth = isLong ? width - 1 : width
    for row in 0..<max(0, min(height, state.lines.count - top)) {
      draw(index: top + row, in: Rect(x: 0, y: row, width: rowWidth, height: 1), into: &frame)
    }
    if isLong { frame.scrollBar(x: width - 1, rows: 0..<height, top: top, count: state.lines.count) }
  }

  /// The title and all nodes, including closed ones, with their depth in words.
  public var outline: Outline {
    var items: [Outline.Item] = []
    var waiting = state.roots.reversed().map { (node: $0, depth: 1) }
    while let (node, depth) = waiting.popLast() {
      let text = [node.title, node.detail].filter { !$0.isEmpty }.joined(separator: "  ")
      items.append(
        Outline.Item(
          id: node.id, text: depth == 1 ? text : "level \(depth): \(text)",
          action: action.map { ActionInvocation($0, ["id": .text(node.id)]) }))
      waiting += node.children.reversed().map { ($0, depth + 1) }
    }
    return Outline(title: title, text: items.isEmpty ? [emptyText] : [], items: items)
  }

  private func draw(index: Int, in rect: Rect, into frame: inout TextFrame) {
    let line = state.lines[index]
    let isSelected = index == state.cursor.selected
    let x = min(2 + 2 * line.depth, max(2, rect.width / 2))
    frame.put(line.hasChildren ? (line.isOpen ? "▾" : "▸") : " ", x: x, y: rect.y, .accent)
    let title = TextWidth.truncated(line.title, to: rect.width - x - 3)
    let end = frame.put(
      title, x: x + 2, y: rect.y, isSelected && !isActive ? Style.inactiveSelection : .plain)
    frame.put(TextWidth.truncated(line.detail, to: rect.width - end - 3), x: end + 2, y: rect.y, .secondary)
    if isSelected { frame.selectRow(rect, isActive: isActive) }
  }
}
