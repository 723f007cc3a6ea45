extension SimulatorFault {
  /// Applies the fault to a table; tables without PERM_ID stay unchanged, except for faults of the preferences.
  func spoil(_ table: inout SimulatedTable, requestKey: String, view: SimulatedView) {
    if self == .oddInterval, table.columns == ["KEY", "VALUE"] { table.rows[0][1] = .text("abc") }
    if self == .hostileStrings, requestKey == "CLIENT_PREFS" { return }
    guard table.columns.contains("PERM_ID") else { return }
    if spoilCells(&table, view) { return }
    switch self {
    case .emptyNavigation: if requestKey == "NAVIGATION" { table.rows = [] }
    case .duplicateRows:
      var copy = table
      copy.change("SUMMARY") { _, cell in .text(cell.text + " again") }
      table.rows += copy.rows
    case .raggedRows:
      for row in table.rows.indices where row % 3 == 1 { table.rows[row].removeLast() }
      for row in table.rows.indices where row % 3 == 2 { table.rows[row].append("too much") }
    case .duplicateTitles: add("SUMMARY", "second", to: &table)
    case .missingPermIDColumn: remove("PERM_ID", from: &table)
    case .extraColumns:
      for name in ["WEATHER", "", "perm_id"] { add(name, "unknown", to: &table) }
    case .deepChain where requestKey == "ROOT": table = Self.chain(table.columns, view.largeSize / 20)
    case .oldImageColumn:
      table.change("IMAGES") { row, _ in .text(view.base + "/images/molecule/\(row).png") }
      if let place = table.columns.firstIndex(of: "IMAGES") { table.columns[place] = "IMAGE_URL" }
    case .oddDeletions where requestKey == "ROOT" || requestKey == "NAVIGATION": addDeletions(&table, view)
    case .oddDeletedWords where requestKey == "ROOT":
      if !table.columns.contains("DELETED") { add("DELETED", "", to: &table) }
      let words = ["TRUE", "1", "false", "yes", "0", ""]
      table.change("DELETED") { row, _ in .text(words[row % words.count]) }
    case .noDetails where requestKey == "DETAIL": table.rows = []
    case .otherDetails where requestKey == "DETAIL":
      table.change("PERM_ID") { _, cell in .text(cell.text + "-other") }
    case .extraDetails where requestKey == "DETAIL":
      for index in 0..<min(3, view.count) {
        if let entity = view.entity(index) { table.rows.append(view.cells(of: entity, table.columns)) }
      }
    default: break
    }
  }

  /// Applies a fault within cells; returns false if the fault is of another type.
  private func spoilCells(_ table: inout SimulatedTable, _ view: SimulatedView) -> Bool {
    let ids = table.columns.firstIndex(of: "PERM_ID").map { place in table.rows.map { $0[place].text } } ?? []
    switch self {
    case .emptyPermID: table.change("PERM_ID") { row, cell in row % 4 == 1 ? "" : row % 4 == 3 ? .odd("null") : cell }
    case .bareCells:
      table.change("SUMMARY") { row, cell in .raw(row % 2 == 0 ? cell.text.asSimulatedJSON : "\(row)") }
      table.change("SUMMARY_HEADER") { _, cell in .raw(cell.text.asSimulatedJSON) }
    case .badChildren: table.change("CHILDREN") { _, _ in #"["A","# }
    case .oddChildren:
      table.change("CHILDREN") { row, _ in .text("[null,7,[\"nested\"],\(ids[(row + 1) % ids.count].asSimulatedJSON)]")
      }
    case .objectChildren: table.change("CHILDREN") { row, _ in row % 2 == 0 ? #"{"A":"B"}"# : "" }
    case .danglingChildren:
      table.change("CHILDREN") { row, _ in .text(#"["NOBODY-\#(row)",\#(ids[row].asSimulatedJSON),"NOBODY"]"#) }
    case .selfChildren:
      table.change("CHILDREN") { row, _ in
        .text("[\(ids[row].asSimulatedJSON),\(ids[(row + 1) % ids.count].asSimulatedJSON)]")
      }
    case .hugeCell: table.change("CHILDREN") { row, cell in row == 0 ? .text(Self.hugeList(view.largeSize)) : cell }
    case .badRefcon: table.change("REFCON") { row, _ in row % 2 == 0 ? "{broken" : "" }
    case .oddRefcon: table.change("REFCON") { row, _ in .text(Self.oddRefcons[row % Self.oddRefcons.count]) }
    case .badProperties: table.change("PROPERTIES") { row, _ in .text(Self.badLists[row % Self.badLists.count]) }
    case .objectProperties: table.change("PROPERTIES") { _, _ in #"{"NAME":"a name","SIZE":7}"# }
    case .hugeProperty:
      table.change("PROPERTIES") { _, _ in
        .text(
          #"[{"key":"LONG","label":"Long","value":""# + String(repeating: "0123456789", count: view.largeSize) + #""}]"#
        )
      }
    case .badImages, .badBase64, .manyTiles, .foreignImages:
      let cells = imageCells(view)
      table.change("IMAGES") { row, _ in .text(cells[row % cells.count]) }
    case .hostileStrings:
      for column in table.columns where column != "PERM_ID" && column != "DELETED" {
        table.change(column) { row, cell in .text(Self.hostile(column, row, cell.text)) }
      }
    case .oddRootLevel: table.change("ROOT_LEVEL") { row, _ in row % 2 == 0 ? "false" : "0" }
    default: return false
    }
    return true
  }

  private func add(_ column: String, _ text: String, to table: inout SimulatedTable) {
    table.columns.append(column)
    for row in table.rows.indices { table.rows[row].append(.text(text)) }
  }

  private func remove(_ column: String, from table: inout SimulatedTable) {
    guard let place = table.columns.firstIndex(of: column) else { return }
    table.columns.remove(at: place)
    for row in table.rows.indices { table.rows[row].remove(at: place) }
  }

  private func addDeletions(_ table: inout SimulatedTable, _ view: SimulatedView) {
    if !table.columns.contains("DELETED") { add("DELETED", "", to: &table) }
    for permID in ["NEVER-SEEN-1", "NEVER-SEEN-2"] { table.rows.append(view.deletedCells(permID, table.columns)) }
    if let last = view.lab.categories.last { table.rows.append(view.deletedCells(last.permID, table.columns)) }
  }

  /// Returns rows that are each the child of the previous one.
  private static func chain(_ columns: [String], _ count: Int) -> SimulatedTable {
    SimulatedTable(
      columns: columns,
      rows: (0..<count).map { row in
        columns.map { column in
          switch column {
          case "PERM_ID": .text("CHAIN-\(row)")
          case "REFCON": "{}"
          case "CATEGORY": "Chain"
          case "SUMMARY_HEADER": .text("Link \(row)")
          case "CHILDREN": .text(row + 1 < count ? "[\"CHAIN-\(row + 1)\"]" : "[]")
          case "ROOT_LEVEL": row == 0 ? "true" : ""
          default: ""
          }
        }
      })
  }

  private static func hugeList(_ count: Int) -> String {
    var buffer = WireBuffer(reserving: count * 28)
    for index in 0..<count {
      buffer.add(index == 0 ? "[\"20240101120000000-" : ",\"20240101120000000-")
      buffer.add(index + 1)
      buffer.add("\"")
    }
    buffer.add("]")
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  private static let oddRefcons = [
    #"{"z":9007199254740993,"a":1.0,"code":"X"}"#, #"{"b":[1,{"c":null}],"a":"\u00e9\ud83d\ude00"}"#,
    #"{"half":"\ud800","code":"Y"}"#, #""only a text""#, #"  {"spaced" : true , "n":1e400}  "#, "12345678901234567890",
    #"{"emoji":"🧪","code":"Z","code":"again"}"#,
  ]

  private static let badLists = [
    #"[{"key":"A","label":"Null","value":null},{"key":"B","label":"Number","value":7.50}]"#,
    #"[{"key":"C","label":"List","value":["x",1,null]},{"key":"D","value":true},{"label":"no key"}]"#,
    #"[{"key":"E","label":"HTML","value":"<html><table><tr><td>a<td>b</table>"},7,null,"text",[]]"#,
    #"[{"key":"F","label":"Control","value":"\u001b[31mred\u0007\u0000\u009b2J"}]"#, #"[{"key":"#, "",
    #"[{"key":"G","label":{"deep":[{}]},"value":{"a":{"b":1}}}]"#,
  ]
}
