import PluginAPI

/// A table, with the search above it while there is one.
struct SearchedTableView: View {
  var table: TableView
  /// The search; nil if there is none.
  var search: SearchLine?

  /// Returns the rectangle of the table in a screen of a given size.
  static func tableRect(of size: Size, isSearching: Bool) -> Rect {
    Rect(size).split(top: isSearching && size.height > 1 ? 1 : 0).rest
  }

  func draw(into frame: inout TextFrame) {
    let rect = Self.tableRect(of: frame.size, isSearching: search != nil)
    frame.draw(table, in: rect)
    if let search, rect.y > 0 { frame.draw(search, in: Rect(x: 0, y: 0, width: frame.size.width, height: 1)) }
  }

  var outline: Outline {
    var outline = table.outline
    if let search { outline.fields.append(.init("Search", search.line.text)) }
    return outline
  }
}
