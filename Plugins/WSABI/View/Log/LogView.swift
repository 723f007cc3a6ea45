import PluginAPI

/// A log as a table, or the reason there is none.
struct LogView: View {
  var title: String
  var table: TableState
  /// The message shown if there are no entries; may be long.
  var message: String

  func draw(into frame: inout TextFrame) {
    if table.table.rowCount > 0 { return frame.draw(TableView(title, table), in: frame.bounds) }
    for (line, text) in TextWidth.wrapped(message, to: max(1, frame.size.width - 4)).enumerated() {
      frame.put(text, x: 2, y: 1 + line, .secondary)
    }
  }

  var outline: Outline { TableView(title, table, emptyText: message).outline }
}
