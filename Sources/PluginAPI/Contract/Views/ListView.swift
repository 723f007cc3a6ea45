/// A list of rows with a selection: title, detail in a column of its own, badge and disclosure mark at the right.
public struct ListView: View {
  /// The heading in the outline.
  public var title: String
  /// Rows, selection, scroll position and filter.
  public var state: ListState
  /// The screen action performed when a row is chosen, with the row's id as its argument `id`; nil for none.
  public var action: String?
  /// The text shown if there are no rows.
  public var emptyText: String
  /// A Boolean value indicating whether this list receives keys; false for the unfocused list of a split.
  public var isActive: Bool

  /// Creates a list.
  public init(
    _ title: String, _ state: ListState, action: String? = nil, emptyText: String = "Nothing here",
    isActive: Bool = true
  ) {
    self.title = title
    self.state = state
    self.action = action
    self.emptyText = emptyText
    self.isActive = isActive
  }

  /// Draws the visible rows.
  public func draw(into frame: inout TextFrame) {
    let (head, body) = frame.bounds.split(top: state.showsFilter ? 1 : 0)
    if state.showsFilter { frame.inside(head, drawFilter) }
    frame.inside(body, drawRows)
  }

  /// The title and the numbered rows.
  public var outline: Outline {
    let rows = (0..<state.visibleCount).compactMap { state.visibleRow($0) }
    return Outline(
      title: title, text: rows.isEmpty ? [emptyShown] : [],
      items: rows.map { row in
        Outline.Item(id: row.id, text: row.spoken, action: action.map { ActionInvocation($0, ["id": .text(row.id)]) })
      })
  }

  private var emptyShown: String {
    state.filter.text.isEmpty ? emptyText : "No matches for '\(state.filter.text)'"
  }

  private func drawFilter(_ frame: inout TextFrame) {
    let count = "\(state.visibleCount)/\(state.rows.count)"
    let room = max(0, frame.size.width - 3 - TextWidth.columns(count))
    frame.put("/ ", x: 0, y: 0, .accent)
    if state.isFiltering {
      state.filter.draw(into: &frame, x: 2, y: 0, width: room)
    } else {
      frame.put(TextWidth.truncated(state.filter.text, to: room), x: 2, y: 0)
    }
    if frame.size.width > count.count + 4 { frame.put(count, x: frame.size.width - count.count, y: 0, .secondary) }
  }

  private func drawRows(_ frame: inout TextFrame) {
    let (width, height) = (frame.size.width, frame.size.height)
    guard width > 0, height > 0 else { return }
    if state.visibleCount == 0 {
      frame.put(TextWidth.truncated(emptyShown, to: width - 2), x: 2, y: 0, .secondary)
      return
    }
    let top = state.cursor.visibleTop(count: state.visibleCount, height: height)
    let isLong = state.visibleCount > height
    let rowWidth = isLong ? width - 1 : width
    for line in 0..<min(height, state.visibleCount - top) {
      draw(index: top + line, in: Rect(x: 0, y: line, width: rowWidth, height: 1), into: &frame)
    }
    if isLong { frame.scrollBar(x: width - 1, rows: 0..<height, top: top, count: state.visibleCount) }
  }

  private func draw(index: Int, in rect: Rect, into frame: inout TextFrame) {
    guard let row = state.visibleRow(index) else { return }
    let isSelected = index == state.cursor.selected
    let positions = state.hits?[index].positions ?? []
    let titleLength = row.title.count
    let end = drawEnd(row, rect, into: &frame)
    let room = max(0, end - 2)
    // A title matters more than its detail: the detail column gives way to a longer title.
    let column = max(min(state.titleWidth, room * 3 / 5), 8, TextWidth.columns(row.title))
    let titleRoom = row.detail.isEmpty ? room : min(room, column)
    let titleStyle = isSelected && !isActive ? Style.inactiveSelection : .plain
    frame.put(
      row.title, matching: positions.filter { $0 < titleLength }, x: 2, y: rect.y, width: titleRoom, titleStyle)
    let detailRoom = room - titleRoom - 2
    if detailRoom > 3 {
      frame.put(
        row.detail, matching: positions.filter { $0 > titleLength }.map { $0 - titleLength - 1 },
        x: 4 + titleRoom, y: rect.y, width: detailRoom, .secondary)
    }
    if isSelected { frame.selectRow(rect, isActive: isActive) }
  }

  /// Draws the badge and the disclosure mark; returns the column at which title and detail must end.
  private func drawEnd(_ row: ListRow, _ rect: Rect, into frame: inout TextFrame) -> Int {
    var end = rect.width - 1
    if state.hasDisclosures, rect.width > 8 {
      if row.hasDisclosure { frame.put("›", x: end - 1, y: rect.y, .accent) }
      end -= 3
    }
    let badgeWidth = TextWidth.columns(row.badge)
    // The badge is omitted where it would leave too little room for titles.
    if badgeWidth > 0, end - state.badgeWidth - 4 >= min(state.titleWidth, 24) {
      frame.put(row.badge, x: end - badgeWidth, y: rect.y, .secondary)
      end -= state.badgeWidth + 2
    }
    return end
  }
}
