/// The state of a table: its columns, the selected row, and the scroll position in both directions.
public struct TableState: Sendable, Hashable {
  /// The table; setting it keeps the index of the selected row.
  public var table: Table {
    didSet {
      measure()
      cursor.selected = min(cursor.selected, max(0, table.rowCount - 1))
    }
  }

  /// The selected row and the scroll position.
  public var cursor = RowCursor()
  /// The first column drawn, 0-based.
  public private(set) var firstColumn = 0

  private(set) var widths: [Int] = []
  private(set) var areNumeric: [Bool] = []

  /// The maximum width of a drawn column.
  static let widest = 48

  /// Creates the state of a table.
  public init(_ table: Table) {
    self.table = table
    measure()
  }

  /// The selected row, 0-based; nil if the table has none.
  public var selectedRow: Int? { table.rowCount == 0 ? nil : min(cursor.selected, table.rowCount - 1) }

  /// Handles an event.
  ///
  /// - Parameters:
  ///   - event: The event; mouse positions in cells of the screen's frame.
  ///   - rect: The table's rectangle in the screen's frame.
  /// - Returns: The outcome, with a chosen row given by its 0-based index; nil if a table does not handle the event.
  public mutating func handle(_ event: Event, in rect: Rect) -> ViewOutcome? {
    let height = max(1, rect.height - 1)
    switch event {
    case .key(let key):
      switch key.code {
      case .enter where key.modifiers.isEmpty: return selectedRow.map { .chosen("\($0)") }
      case .left where key.modifiers.isEmpty: firstColumn = max(0, firstColumn - 1)
      case .right where key.modifiers.isEmpty: firstColumn = min(lastFirstColumn(rect.width), firstColumn + 1)
      default: return cursor.handle(key, count: table.rowCount, height: height) ? .changed : nil
      }
      return .changed
    case .mouse(let mouse): return handle(mouse, in: rect, height: height)
    default: return nil
    }
  }

  private mutating func handle(_ mouse: Mouse, in rect: Rect, height: Int) -> ViewOutcome? {
    guard rect.contains(mouse.position) else { return nil }
    switch mouse.action {
    case .scroll(let rows) where mouse.modifiers.contains(.shift):
      firstColumn = min(lastFirstColumn(rect.width), max(0, firstColumn + rows))
    case .scroll(let rows): cursor.scroll(by: 3 * rows, count: table.rowCount, height: height)
    case .press(let clicks) where mouse.button == .left:
      let row = cursor.visibleTop(count: table.rowCount, height: height) + mouse.position.y - rect.y - 1
      if mouse.position.y > rect.y, row < table.rowCount {
        cursor.selected = row
        if clicks >= 2 { return .chosen("\(row)") }
      }
    default: return nil
    }
    return .changed
  }

  /// Returns the first column to draw so that the last one is still completely visible.
  func lastFirstColumn(_ width: Int) -> Int {
    var room = width - 3
    var column = widths.count
    while column > 0, room >= widths[column - 1] {
      room -= widths[column - 1] + 2
      column -= 1
    }
    return min(column, max(0, widths.count - 1))
  }

  private mutating func measure() {
    widths = table.columns.map {
      max(1, min(Self.widest, max(TextWidth.columns($0.heading), $0.values.width(limit: Self.widest))))
    }
    areNumeric = table.columns.map(\.values.isNumeric)
    firstColumn = min(firstColumn, max(0, widths.count - 1))
  }
}
