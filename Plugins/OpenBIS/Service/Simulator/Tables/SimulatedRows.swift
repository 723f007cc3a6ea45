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
      for place in position..<end {
        let index = members[place]
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
