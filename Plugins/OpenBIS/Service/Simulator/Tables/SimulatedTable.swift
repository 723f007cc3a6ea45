/// A table under construction, for responses small enough to be held in memory.
struct SimulatedTable: Sendable {
  /// A cell.
  enum Cell: Sendable, Hashable, ExpressibleByStringLiteral {
    case text(String)
    case number(Int)
    /// JSON that replaces the whole cell.
    case raw(String)
    /// A cell with that JSON as its value.
    case odd(String)

    init(stringLiteral value: String) { self = .text(value) }

    var text: String {
      switch self {
      case .text(let text), .raw(let text), .odd(let text): text
      case .number(let number): String(number)
      }
    }
  }

  var columns: [String]
  var rows: [[Cell]] = []

  /// The response to an unknown request: no rows, and the two columns that every table has.
  static let empty = SimulatedTable(columns: ["PERM_ID", "REFCON"])

  /// Changes the cells of a column; `change` receives the index of each row.
  mutating func change(_ column: String, _ change: (Int, Cell) -> Cell) {
    guard let place = columns.firstIndex(of: column) else { return }
    for row in rows.indices where rows[row].count > place { rows[row][place] = change(row, rows[row][place]) }
  }
}

/// The syntax of tables, that of V1 or of V3.
enum SimulatedTableSyntax: Sendable {
  case v1, v3

  /// Writes the beginning of the table; ids continue from `nextID`.
  func begin(_ columns: [String], _ nextID: inout Int, _ buffer: inout WireBuffer) {
    switch self {
    case .v1: buffer.add(#"{"@type":"QueryTableModel","@id":"#)
    case .v3: buffer.add(#"{"@type":"as.dto.common.TableModel","@id":"#)
    }
    buffer.add(nextID)
    nextID += 1
    buffer.add(#","columns":["#)
    for (index, title) in columns.enumerated() {
      if index > 0 { buffer.add(",") }
      switch self {
      case .v1: buffer.add(#"{"@type":"QueryTableColumn","@id":"#)
      case .v3: buffer.add(#"{"@type":"as.dto.common.TableColumn","@id":"#)
      }
      buffer.add(nextID)
      nextID += 1
      buffer.add(#","title":"#)
      buffer.add(quoted: title)
      switch self {
      case .v1: buffer.add(#","dataType":"STRING"}"#)
      case .v3: buffer.add("}")
      }
    }
    buffer.add(#"],"rows":["#)
  }

  func end(_ buffer: inout WireBuffer) { buffer.add("]}") }

  /// Writes the bytes before the text of a cell.
  func beginTextCell(_ nextID: inout Int, _ buffer: inout WireBuffer) {
    switch self {
    case .v1:
      buffer.add(#"{"@id":"#)
      buffer.add(nextID)
      buffer.add(#","type":"STRING","value":""#)
    case .v3:
      buffer.add(#"{"@type":"as.dto.common.TableStringCell","@id":"#)
      buffer.add(nextID)
      buffer.add(#","value":""#)
    }
    nextID += 1
  }

  /// Writes a row.
  func add(_ cells: [SimulatedTable.Cell], _ nextID: inout Int, _ buffer: inout WireBuffer) {
    buffer.add("[")
    for (index, cell) in cells.enumerated() {
      if index > 0 { buffer.add(",") }
      add(cell, &nextID, &buffer)
    }
    buffer.add("]")
  }

  private func add(_ cell: SimulatedTable.Cell, _ nextID: inout Int, _ buffer: inout WireBuffer) {
    switch (cell, self) {
    case (.text(let text), _):
      beginTextCell(&nextID, &buffer)
      buffer.add(escaped: text)
      buffer.add(#""}"#)
    case (.number(let number), .v1):
      buffer.add(#"{"@id":"#)
      buffer.add(nextID)
      nextID += 1
      buffer.add(#","type":"LONG","value":""#)
      buffer.add(number)
      buffer.add(#""}"#)
    case (.number(let number), .v3):
      buffer.add(#"{"@type":"as.dto.common.TableLongCell","@id":"#)
      buffer.add(nextID)
      nextID += 1
      buffer.add(#","value":"#)
      buffer.add(number)
      buffer.add("}")
    case (.raw(let json), _): buffer.add(raw: json)
    case (.odd(let json), _):
      buffer.add(#"{"@id":"#)
      buffer.add(nextID)
      nextID += 1
      buffer.add(#","type":"STRING","value":"#)
      buffer.add(raw: json)
      buffer.add("}")
    }
  }
}
