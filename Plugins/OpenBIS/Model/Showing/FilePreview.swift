import PluginAPI
import PluginText

/// The preview of a file: a table, a text, or a hex dump of its first bytes.
enum FilePreview: Sendable {
  case table(Table)
  case text(String)

  /// The largest number of table rows that are shown.
  static let mostRows = 2000
  /// The largest number of columns that are shown.
  static let mostColumns = 64
  /// The largest number of bytes of a text that are shown.
  static let mostBytes = 1 << 20

  /// Creates the preview of a file from its name and bytes.
  ///
  /// - Parameters:
  ///   - name: The file's name; its extension indicates tables.
  ///   - bytes: The file, or its start.
  init(name: String, _ bytes: [UInt8]) {
    let start = bytes.prefix(Self.mostBytes)
    let isCut = start.count < bytes.count
    guard Self.isText(start) else {
      self = .text(Self.dump(start.prefix(4096)) + (bytes.count > 4096 ? "… \(bytes.count) bytes in all" : ""))
      return
    }
    let text = String(decoding: start, as: UTF8.self)
    let ending = name.split(separator: ".").last?.lowercased() ?? ""
    if let separator = Self.separators[ending] ?? nil, let table = Self.table(text, separator) {
      self = .table(table)
    } else {
      self = .text(text + (isCut ? "\n… (\(ShownValue.readableSize(bytes.count)) in all)" : ""))
    }
  }

  private static let separators: [String: Character?] = ["csv": ",", "tsv": "\t", "tab": "\t"]

  /// Returns true if bytes look like text: no zero bytes, and few that are not UTF-8.
  private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
    let head = bytes.prefix(8192)
    if head.contains(0) { return false }
    let broken = String(decoding: head, as: UTF8.self).unicodeScalars.count { $0 == "\u{FFFD}" }
    return broken * 20 <= head.count
  }

  /// Returns bytes in hexadecimal digits and as characters, sixteen per line.
  private static func dump(_ bytes: ArraySlice<UInt8>) -> String {
    var out = ""
    var offset = bytes.startIndex
    while offset < bytes.endIndex {
      let line = bytes[offset..<min(bytes.endIndex, offset + 16)]
      out += Hexadecimal.text(UInt(offset - bytes.startIndex), digits: 8) + "  "
      for byte in line { out += Hexadecimal.text(byte, digits: 2) + " " }
      out += String(repeating: "   ", count: 16 - line.count) + " "
      out += String(line.map { (0x20...0x7E).contains($0) ? Character(Unicode.Scalar($0)) : "·" }) + "\n"
      offset = line.endIndex
    }
    return out
  }

  /// Returns the table in a text of separated fields; nil if the text is not a table.
  static func table(_ text: String, _ separator: Character) -> Table? {
    let rows = fields(of: text, separator)
    guard let head = rows.first, head.count > 1 else { return nil }
    let width = min(Self.mostColumns, head.count)
    let titles = head.prefix(width).map { SanitizedText.line($0) }
    let columns = zip(titles, names(titles)).enumerated().map { column, heading in
      let values = rows.dropFirst().map { column < $0.count ? SanitizedText.line($0[column]) : "" }
      return Table.Column(heading.1, title: heading.0, .texts(Array(values)))
    }
    return Table(columns: columns)
  }

  /// Returns the names of columns for scripts: the headings, with the column's number where one is empty or repeated.
  private static func names(_ titles: [String]) -> [String] {
    var seen: Set<String> = []
    return titles.enumerated().map { column, title in
      var name = title.isEmpty ? "column\(column + 1)" : title
      while !seen.insert(name).inserted { name += "-\(column + 1)" }
      return name
    }
  }

  /// Returns the fields of each row, with quotes as in RFC 4180.
  private static func fields(of text: String, _ separator: Character) -> [[String]] {
    var (rows, row, field): ([[String]], [String], String) = ([], [], "")
    var isQuoted = false
    var remaining = Substring(text)
    while let character = remaining.popFirst(), rows.count <= Self.mostRows {
      if isQuoted {
        if character != "\"" {
          field.append(character)
        } else if remaining.first == "\"" {
          field.append(remaining.removeFirst())
        } else {
          isQuoted = false
        }
      } else if character == "\"", field.isEmpty {
        isQuoted = true
      } else if character == separator {
        row.append(field)
        field = ""
      } else if character.isNewline {
        rows.append(row + [field])
        (row, field) = ([], "")
      } else {
        field.append(character)
      }
    }
    if !field.isEmpty || !row.isEmpty { rows.append(row + [field]) }
    return rows
  }
}
