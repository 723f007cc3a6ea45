/// A table of columns with headings and units; numbers are right-aligned.
public struct TableView: View {
  /// The heading in the outline.
  public var title: String
  /// Columns, selected row and scroll position.
  public var state: TableState
  /// The screen action performed when a row is chosen, with its 0-based index as its argument `row`; nil for none.
  public var action: String?
  /// The text shown if there are no rows.
  public var emptyText: String
  /// A Boolean value indicating whether this table receives keys.
  public var isActive: Bool

  /// Creates a table.
  public init(
    _ title: String, _ state: TableState, action: String? = nil, emptyText: String = "No rows", isActive: Bool = true
  ) {
    self.title = title
    self.state = state
    self.action = action
    self.emptyText = emptyText
    self.isActive = isActive
  }

  /// Draws headings and visible rows.
  public func draw(into frame: inout TextFrame) {
    let (head, body) = frame.bounds.split(top: 1)
    let first = min(state.firstColumn, state.lastFirstColumn(frame.size.width))
    let isLong = state.table.rowCount > body.height
    let width = frame.size.width - (isLong ? 1 : 0)
    frame.inside(Rect(x: 0, y: 0, width: width, height: head.height)) { drawHeadings(&$0, from: first) }
    frame.inside(body) { frame in
      if state.table.rowCount == 0 { frame.put(emptyText, x: 2, y: 0, .secondary) }
      let top = state.cursor.visibleTop(count: state.table.rowCount, height: body.height)
      for line in 0..<max(0, min(body.height, state.table.rowCount - top)) {
        let rect = Rect(x: 0, y: line, width: width, height: 1)
        frame.inside(rect) { drawRow(&$0, row: top + line, from: first) }
        if state.selectedRow == top + line { frame.selectRow(rect, isActive: isActive) }
      }
      if isLong { frame.scrollBar(x: width, rows: 0..<body.height, top: top, count: state.table.rowCount) }
    }
  }

  /// The title and one numbered item per row, with every value under its heading.
  public var outline: Outline {
    let columns = state.table.columns
    let items = (0..<state.table.rowCount).map { row in
      let values = columns.compactMap { column in
        let text = column.values.text(at: row)
        return text.isEmpty ? nil : "\(column.title) \(text)" + (column.unit.map { " \($0)" } ?? "")
      }
      return Outline.Item(
        id: "\(row)", text: values.joined(separator: ", "),
        action: action.map { ActionInvocation($0, ["row": .integer(row)]) })
    }
    return Outline(title: title, text: items.isEmpty ? [emptyText] : [], items: items)
  }

  private func drawHeadings(_ frame: inout TextFrame, from first: Int) {
    var x = 2
    for index in state.table.columns.indices.dropFirst(first) where x < frame.size.width {
      let heading = TextWidth.padded(
        state.table.columns[index].heading, to: state.widths[index], right: state.areNumeric[index])
      frame.put(heading, x: x, y: 0, Style.heading.adding(.underline))
      x += state.widths[index] + 2
    }
    if first > 0 { frame.put("‹", x: 0, y: 0, .accent) }
    if x - 2 > frame.size.width { frame.put("›", x: frame.size.width - 1, y: 0, .accent) }
  }

  private func drawRow(_ frame: inout TextFrame, row: Int, from first: Int) {
    var x = 2
    for index in state.table.columns.indices.dropFirst(first) where x < frame.size.width {
      let text = state.table.columns[index].values.text(at: row)
      frame.put(
        TextWidth.padded(text, to: state.widths[index], right: state.areNumeric[index]), x: x, y: 0)
      x += state.widths[index] + 2
    }
  }
}
