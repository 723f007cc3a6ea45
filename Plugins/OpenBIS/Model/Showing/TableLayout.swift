import PluginAPI
import PluginText

/// A layout of a table's rows as text with aligned columns; long cells take several lines.
struct TableLayout {
  /// The largest width of a column, in terminal columns.
  static let widest = 40
  /// The largest number of columns; further cells of a row are joined to the last one.
  static let mostColumns = 64

  private var rows: [[String]] = []

  /// A Boolean value indicating whether the table has no rows.
  var isEmpty: Bool { rows.isEmpty }

  /// Adds a row of cells.
  mutating func add(_ cells: [String]) {
    guard cells.count > Self.mostColumns else {
      rows.append(cells)
      return
    }
    let last = cells[(Self.mostColumns - 1)...].joined(separator: " ")
    rows.append(cells.prefix(Self.mostColumns - 1) + [last])
  }

  /// The lines of the table.
  var lines: [String] {
    let widths = self.widths
    return rows.flatMap { Self.lines(of: $0, widths) }
  }

  private var widths: [Int] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        let width = min(Self.widest, TextWidth.columns(cell))
        if column < widths.count { widths[column] = max(widths[column], width) } else { widths.append(width) }
      }
    }
    return widths
  }

  private static func lines(of row: [String], _ widths: [Int]) -> [String] {
    let cells = zip(row, widths).map { $0.isEmpty ? [] : TextWidth.wrapped($0, to: max(1, $1)) }
    let height = max(1, cells.reduce(0) { max($0, $1.count) })
    return (0..<height).map { line in
      var text = ""
      // Padding is written before a part, not after it: most lines of a long cell have nothing in the other columns.
      var blanks = 0
      for (cell, width) in zip(cells, widths) {
        if line < cell.count, !cell[line].isEmpty {
          text += String(repeating: " ", count: blanks) + cell[line]
          blanks = max(0, width - TextWidth.columns(cell[line]))
        } else {
          blanks += width
        }
        blanks += 2
      }
      return text.trimmedAtEnd()
    }
  }
}
