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
    guard let index = columns.firstIndex(of: column) else { return }
    for row in rows.indices where rows[row].count > index { rows[row][index] = change(row, rows[row][index]) }
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

/// Rows of ROOT that are generated while they are sent, so that a million of them need no memory.
struct SimulatedRows: Sendable {
  let view: SimulatedView
  let columns: [String]
  /// The first rows, those of the category itself.
  var first: [[SimulatedTable.Cell]] = []
  let members: SimulatedIndexes
  /// The time after which rows changed, in milliseconds since 1970.
  let since: Int
  /// The last rows, those of deleted entities.
  var last: [[SimulatedTable.Cell]] = []

  /// The whole table, held in memory.
  var table: SimulatedTable {
    var table = SimulatedTable(columns: columns, rows: first)
    for position in 0..<members.count {
      if let entity = entity(members[position]) { table.rows.append(view.cells(of: entity, columns)) }
    }
    table.rows += last
    return table
  }

  private func entity(_ index: Int) -> SimulatedEntity? {
    view.modified(index) > since ? view.entity(index) : nil
  }

  /// Writes the table, and passes the output on whenever there is enough of it.
  func write(
    _ syntax: SimulatedTableSyntax, _ buffer: inout WireBuffer,
    _ hand: (_ buffer: inout WireBuffer) async throws -> Void
  ) async throws {
    var nextID = 1
    var isFirst = true
    syntax.begin(columns, &nextID, &buffer)
    func add(_ cells: [SimulatedTable.Cell]) {
      if !isFirst { buffer.add(",") }
      isFirst = false
      syntax.add(cells, &nextID, &buffer)
    }
    for row in first { add(row) }
    let quick = since <= 0 && view.hidden.isEmpty ? view.lab as? PlainLab : nil
    let touched = quick == nil ? [] : view.touchedBlocks
    var position = 0
    while position < members.count {
      let end = min(members.count, position + 200)
      for memberIndex in position..<end {
        let index = members[memberIndex]
        if let quick, index < quick.count, touched.isEmpty || !touched.contains(index / 10) {
          addQuickly(quick, index, syntax, &nextID, &isFirst, &buffer)
        } else if let entity = entity(index) {
          add(view.cells(of: entity, columns))
        }
      }
      position = end
      if buffer.count > 1 << 17 { try await hand(&buffer) }
    }
    for row in last { add(row) }
    syntax.end(&buffer)
  }

  private func addQuickly(
    _ lab: PlainLab, _ index: Int, _ syntax: SimulatedTableSyntax, _ nextID: inout Int, _ isFirst: inout Bool,
    _ buffer: inout WireBuffer
  ) {
    buffer.add(isFirst ? "[" : ",[")
    isFirst = false
    var cells = 0
    lab.addRootCells(
      index,
      { buffer in
        if cells > 0 { buffer.add(#""},"#) }
        cells += 1
        syntax.beginTextCell(&nextID, &buffer)
      }, &buffer)
    if columns.last == "DELETED" {
      buffer.add(#""},"#)
      syntax.beginTextCell(&nextID, &buffer)
    }
    buffer.add(#""}]"#)
  }
}
