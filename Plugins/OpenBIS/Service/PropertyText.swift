import PluginAPI
import PluginJSON
import PluginText

/// A converter of property values that the openBIS ELN stores in its own formats: spreadsheets and comments.
enum PropertyText {
  /// Returns the value for people; unchanged if it has none of these formats.
  static func readable(_ value: String) -> String {
    guard value.utf8.first == UInt8(ascii: "<") else { return value }
    return spreadsheet(value) ?? comments(value) ?? value
  }

  // MARK: Spreadsheets

  /// Returns the rows of a spreadsheet with aligned columns; nil if the value is not a spreadsheet.
  ///
  /// - Source: openBIS ELN-LIMS, `JExcelEditorManager.js`: `<DATA>`, base64 of JSON with `headers`, `data` and, since
  ///   20.10.4, `values` with the results of formulas.
  private static func spreadsheet(_ value: String) -> String? {
    guard value.hasPrefix("<DATA>"), value.hasSuffix("</DATA>"),
      let bytes = Base64.bytes(value.dropFirst(6).dropLast(7), requiresPadding: false),
      let sheet = try? Value(json: bytes),
      let cells = rows(sheet["values"]) ?? rows(sheet["data"])
    else { return nil }
    var layout = TableLayout()
    let width = cells.map { Self.filled($0) }.max() ?? 0
    let headers = Self.headers(sheet["headers"]).prefix(width)
    // The default headings of spreadsheets, single letters, carry no information.
    if headers.contains(where: { $0.utf8.count > 2 }) { layout.add(Array(headers)) }
    let height = (cells.lastIndex { Self.filled($0) > 0 } ?? -1) + 1
    for row in cells.prefix(height) { layout.add(Array(row.prefix(width))) }
    return layout.lines.joined(separator: "\n")
  }

  private static func headers(_ value: Value) -> [String] {
    if let list = value.list { return list.map(text) }
    return value.text?.split(separator: ",").map(String.init) ?? []
  }

  /// Returns the number of cells up to the last one that is not empty.
  private static func filled(_ row: [String]) -> Int { (row.lastIndex { !$0.isEmpty } ?? -1) + 1 }

  private static func rows(_ value: Value) -> [[String]]? {
    guard let rows = value.list, !rows.isEmpty else { return nil }
    return rows.map { row in (row.list ?? [row]).map(text) }
  }

  private static func text(_ value: Value) -> String {
    if let text = value.text { return text }
    if value.isNull { return "" }
    return String(decoding: value.json, as: UTF8.self)
  }

  // MARK: Comments

  /// Returns the comments of an object, each with its time and author; nil if the value does not contain any.
  ///
  /// - Source: openBIS ELN-LIMS, `CommentsController.js`: `<root><commentEntry date="…"
  ///   person="…">…</commentEntry></root>`, the date in milliseconds since 1970.
  private static func comments(_ value: String) -> String? {
    guard value.hasPrefix("<root>") || value.hasPrefix("<?xml") else { return nil }
    var comments: [String] = []
    var remaining = Substring(value)
    let (mark, end) = ("<commentEntry", "</commentEntry>")
    while let start = ByteSearch.firstIndex(of: mark.utf8, in: remaining.utf8) {
      remaining = remaining[start...].dropFirst(mark.count)
      guard let close = remaining.firstIndex(of: ">") else { break }
      let attributes = remaining[..<close]
      remaining = remaining[remaining.index(after: close)...]
      let stop = ByteSearch.firstIndex(of: end.utf8, in: remaining.utf8) ?? remaining.endIndex
      let text = HTMLText.decoded(String(remaining[..<stop]))
      let time = attribute("date", attributes).flatMap { Int($0) }.map(NativeTime.text) ?? ""
      let author = HTMLText.decoded(attribute("person", attributes) ?? "")
      let head = [time, author].filter { !$0.isEmpty }.joined(separator: " ")
      comments.append(head.isEmpty ? text : "\(head): \(text)")
      remaining = remaining[stop...]
    }
    return comments.isEmpty ? nil : comments.joined(separator: "\n")
  }

  private static func attribute(_ name: String, _ attributes: Substring) -> String? {
    guard let start = ByteSearch.firstIndex(of: (name + "=").utf8, in: attributes.utf8) else { return nil }
    var remaining = attributes[start...].dropFirst(name.count + 1)
    guard let quote = remaining.popFirst(), quote == "\"" || quote == "'" else { return nil }
    return remaining.firstIndex(of: quote).map { String(remaining[..<$0]) }
  }
}
