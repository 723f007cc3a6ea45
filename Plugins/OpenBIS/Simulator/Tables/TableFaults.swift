import PluginText

extension SimulatorFault {
  /// Applies the fault to a table; tables without PERM_ID stay unchanged, except for faults of the preferences.
  func spoil(_ table: inout SimulatedTable, requestKey: String, view: SimulatedView) {
    if self == .oddInterval, table.columns == ["KEY", "VALUE"] { table.rows[0][1] = .text("abc") }
    if self == .hostileStrings, requestKey == "CLIENT_PREFS" { return }
    guard let index = table.columns.firstIndex(of: "PERM_ID") else { return }
    let ids = table.rows.map { $0[index].text }
    switch self {
    // Rows.
    case .emptyNavigation: if requestKey == "NAVIGATION" { table.rows = [] }
    case .duplicateRows: repeatRows(&table)
    case .raggedRows: makeRagged(&table)
    case .deepChain: if requestKey == "ROOT" { table = Self.chain(table.columns, view.largeSize / 20) }
    case .oddDeletions: if requestKey == "ROOT" || requestKey == "NAVIGATION" { addDeletions(&table, view) }
    case .oddDeletedWords: if requestKey == "ROOT" { addDeletedWords(&table) }
    case .noDetails: if requestKey == "DETAIL" { table.rows = [] }
    case .otherDetails:
      if requestKey == "DETAIL" { table.change("PERM_ID") { _, cell in .text(cell.text + "-other") } }
    case .extraDetails: if requestKey == "DETAIL" { addDetails(&table, view) }
    // Columns.
    case .duplicateTitles: add("SUMMARY", "second", to: &table)
    case .missingPermIDColumn: remove("PERM_ID", from: &table)
    case .extraColumns: for name in ["WEATHER", "", "perm_id"] { add(name, "unknown", to: &table) }
    case .oldImageColumn: renameImages(&table, view)
    // Cells.
    case .emptyPermID: table.change("PERM_ID") { row, cell in row % 4 == 1 ? "" : row % 4 == 3 ? .odd("null") : cell }
    case .bareCells:
      table.change("SUMMARY") { row, cell in .raw(row % 2 == 0 ? cell.text.asSimulatedJSON : "\(row)") }
      table.change("SUMMARY_HEADER") { _, cell in .raw(cell.text.asSimulatedJSON) }
    case .badChildren: table.change("CHILDREN") { _, _ in #"["A","# }
    case .oddChildren:
      table.change("CHILDREN") { row, _ in
        .text("[null,7,[\"nested\"],\(ids[(row + 1) % ids.count].asSimulatedJSON)]")
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
      let digits = String(repeating: "0123456789", count: view.largeSize)
      table.change("PROPERTIES") { _, _ in .text(#"[{"key":"LONG","label":"Long","value":"\#(digits)"}]"#) }
    case .badImages: setImages(Self.badImages(view), &table)
    case .badBase64: setImages(Self.badBase64(), &table)
    case .manyTiles: setImages(Self.manyTiles(view), &table)
    case .foreignImages: setImages(Self.foreignImages(view), &table)
    case .hostileStrings:
      for column in table.columns where column != "PERM_ID" && column != "DELETED" {
        table.change(column) { row, cell in .text(Self.hostile(column, row, cell.text)) }
      }
    case .oddRootLevel: table.change("ROOT_LEVEL") { row, _ in row % 2 == 0 ? "false" : "0" }
    // Other stages, and the preferences above.
    case .htmlPage, .busy503, .busy502, .busy504, .notFoundMethod, .redirectOtherHost, .redirectSameHost,
      .wrongPassword, .expireSession, .expireAlways, .sessionTextOtherClass, .sessionLimit, .notAllowed, .scriptFails,
      .serviceMissing, .twoDataStores, .nullError, .noResult, .wrongID, .emptyBody, .cutBody, .resetBody,
      .overstatedLength, .stall, .slowRows, .bom, .utf16, .invalidUTF8, .nulTexts, .deepJSON, .gzip, .gzipBomb,
      .chunked, .connectionClose, .clockAhead, .clockBehind, .oddInterval, .forwardReference, .reusedID, .movingTotal,
      .shortPages, .deepObjects, .lateCommit, .unstableTies, .ignoresPaging, .translationChanged, .pageCost,
      .rightsChange, .movedProject, .dataStoreDown, .pictureMissing, .pictureIsPage, .pictureHuge, .pictureSlow,
      .wrongChecksum, .noRanges, .cutDownload, .dssPage, .damagedChunk, .noFastDownload:
      break
    }
  }

  private func repeatRows(_ table: inout SimulatedTable) {
    var copy = table
    copy.change("SUMMARY") { _, cell in .text(cell.text + " again") }
    table.rows += copy.rows
  }

  private func makeRagged(_ table: inout SimulatedTable) {
    for row in table.rows.indices where row % 3 == 1 { table.rows[row].removeLast() }
    for row in table.rows.indices where row % 3 == 2 { table.rows[row].append("too much") }
  }

  private func renameImages(_ table: inout SimulatedTable, _ view: SimulatedView) {
    table.change("IMAGES") { row, _ in .text(view.base + "/images/molecule/\(row).png") }
    if let index = table.columns.firstIndex(of: "IMAGES") { table.columns[index] = "IMAGE_URL" }
  }

  private func setImages(_ cells: [String], _ table: inout SimulatedTable) {
    table.change("IMAGES") { row, _ in .text(cells[row % cells.count]) }
  }

  private func addDetails(_ table: inout SimulatedTable, _ view: SimulatedView) {
    for index in 0..<min(3, view.count) {
      if let entity = view.entity(index) { table.rows.append(view.cells(of: entity, table.columns)) }
    }
  }

  private func addDeletedWords(_ table: inout SimulatedTable) {
    if !table.columns.contains("DELETED") { add("DELETED", "", to: &table) }
    let texts = ["TRUE", "1", "false", "yes", "0", ""]
    table.change("DELETED") { row, _ in .text(texts[row % texts.count]) }
  }

  private func add(_ column: String, _ text: String, to table: inout SimulatedTable) {
    table.columns.append(column)
    for row in table.rows.indices { table.rows[row].append(.text(text)) }
  }

  private func remove(_ column: String, from table: inout SimulatedTable) {
    guard let index = table.columns.firstIndex(of: column) else { return }
    table.columns.remove(at: index)
    for row in table.rows.indices { table.rows[row].remove(at: index) }
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

extension SimulatorFault {
  /// Two hundred texts that would harm a terminal that printed them unchanged.
  static let hostileTexts: [String] = {
    let escapes = [
      "\u{1B}[31mred", "\u{1B}[2J\u{1B}[H", "\u{1B}]0;title\u{07}", "\u{1B}]52;c;aGk=\u{07}",
      "\u{1B}]8;;http://x.test\u{1B}\\link",
      "\u{1B}P1$r\u{1B}\\", "\u{1B}_Gf=24;AAAA\u{1B}\\", "\u{1B}[?1049h", "\u{1B}c", "\u{1B}[6n", "\u{1B}[>c",
      "\u{9B}31m",
      "\u{9D}0;title\u{9C}", "\u{90}q\u{9C}", "\u{1B}[?25l", "\u{1B}[999B", "\u{1B}#8", "\u{1B}(0lqk", "\u{1B}[8m",
      "\u{1B}%G",
    ]
    let marks = [
      "\u{202E}gnp.elif", "\u{2066}a\u{2069}", "\u{200F}", "\u{200B}zero", "\u{FEFF}mark", "\u{2028}line",
      "\u{2029}paragraph",
      "e\u{301}\u{302}\u{303}\u{304}", "\u{0}nul", "a\u{0}b", "\u{7}bell", "\u{8}\u{8}\u{8}back", "\rover",
      "\n\n\nlines", "\ttab",
      "\u{7F}del", "\u{85}next", "👩‍👩‍👧‍👦", "\u{1F1E8}\u{1F1ED}", "ﷺ",
    ]
    let others = [
      "<script>alert(1)</script>", "=1+1", "@SUM(1)", "'; DROP TABLE entities;--", "\" OR 1=1", "%s%n%d",
      "../../etc/passwd",
      "$(id)", "`id`", "{{7*7}}", "\\u001b[31m", "&#27;[31m", "NaN", "null", "[]", "{}", "-", " ", "\u{3000}", "𝕒𝕓𝕔",
    ]
    let base = escapes + marks + others
    let long = String(repeating: "very long ", count: 400)
    let around = base.map { "before" + $0 + "after" }
    let doubled = base.prefix(59).map { $0 + $0 }
    let lengths = (1...20).map { String(repeating: "\u{1B}[\($0)m", count: $0) }
    return Array((base + around + doubled + [long] + lengths).prefix(200))
  }()

  /// Returns a hostile text in the format of a column.
  static func hostile(_ column: String, _ row: Int, _ usual: String) -> String {
    let text = hostileTexts[(row * 7 + column.utf8.count) % hostileTexts.count]
    let quoted = text.asSimulatedJSON
    return switch column {
    case "REFCON": #"{"code":\#(quoted)}"#
    case "CHILDREN": usual == "[]" ? "[\(quoted)]" : usual
    case "PROPERTIES": #"[{"key":\#(quoted),"label":\#(quoted),"value":\#(quoted)}]"#
    case "IMAGES": #"{"MARQUEE":{"URL":\#(quoted)}}"#
    case "ROOT_LEVEL": usual
    default: text
    }
  }

  private static func imageAddress(_ text: String) -> String { #"{"MARQUEE":{"URL":\#(text.asSimulatedJSON)}}"# }

  private static func imageData(_ base64: String, _ format: String) -> String {
    #"{"MARQUEE":{"DATA":{"BASE64":\#(base64.asSimulatedJSON),"FORMAT":"\#(format)"}}}"#
  }

  /// Returns cells with addresses of no picture, of other types and of broken JSON.
  private static func badImages(_ view: SimulatedView) -> [String] {
    let addresses = [
      "", "images/molecule/1.png", "/images/molecule/2.png", "ftp://127.0.0.1/x.png", "data:image/png;base64,AAAA",
      view.base + "/images/missing.png", view.base + "/images/page", view.base + "/images/huge.png",
      view.base + "/images/slow.png",
    ]
    return [#"{"MARQUEE":{"URL":null}}"#] + addresses.map(imageAddress) + ["{", "[]", #"{"MARQUEE":[]}"#]
  }

  /// Returns cells whose data is not base64, not of its format or not a picture.
  private static func badBase64() -> [String] {
    let picture = Base64.text(SimulatedPictures.png(7, side: 24))
    let photograph = Base64.text(SimulatedPictures.jpeg(7))
    let spaced = picture.prefix(40) + "\n " + picture.dropFirst(40)
    let safe = String(picture.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    return [
      imageData("!!!no base64!!!", "PNG"), imageData(photograph, "PNG"), imageData(String(spaced), "PNG"),
      imageData(safe, "PNG"), imageData("", "PNG"), imageData(Base64.text(Array("no picture".utf8)), "PNG"),
    ]
  }

  /// Returns a cell with two hundred tiles.
  private static func manyTiles(_ view: SimulatedView) -> [String] {
    let tiles = (0..<200).map { #"{"URL":\#((view.base + "/images/molecule/\($0 % 150).png").asSimulatedJSON)}"# }
    return [
      #"{"MARQUEE":{"URL":\#((view.base + "/images/molecule/0.png").asSimulatedJSON)},"TILED":["#
        + tiles.joined(separator: ",") + "]}"
    ]
  }

  /// Returns cells with addresses of data store servers.
  private static func foreignImages(_ view: SimulatedView) -> [String] {
    [
      imageAddress(view.base + "/datastore_server/DSS1/original/images/1.jpg?mode=small"),
      imageAddress("http://datastore_server.example.org/datastore_server/x.jpg"),
      imageAddress(view.base + "/datastore_server/DSS1/original/images/2.jpg?sessionID=other#part"),
    ]
  }
}
