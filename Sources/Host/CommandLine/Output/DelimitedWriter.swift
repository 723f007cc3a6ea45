import PluginAPI

/// Writes the rows of results as separated fields.
///
/// The first row names the columns, which are those of ``ResultRows``. Missing values are empty, nested ones JSON.
/// - Source: RFC 4180 (comma, quotes, CRLF); tabs: IANA text/tab-separated-values, with `\t`, `\n`, `\r`, `\\` for the
///   characters it cannot hold.
struct DelimitedWriter {
  /// The separator of fields.
  enum Separator {
    case comma, tab
  }

  private(set) var bytes: [UInt8] = []
  private let separator: Separator
  private var reader = RowReader()
  private var hasNames = false

  init(_ separator: Separator) {
    self.separator = separator
  }

  /// Writes a value; of several, only the first has a row of names, and the others follow its columns.
  ///
  /// - Parameter schema: The declared shape of the value.
  mutating func write(_ value: Value, schema: ValueSchema = .any) {
    guard let rows = reader.rows(of: value, schema: schema) else { return }
    begin(rows.columns.map(\.name))
    for row in 0..<rows.count { write(rows.row(row)) }
  }

  /// Writes records as rows of the columns that ``begin(_:)`` named.
  mutating func write(records: [Record]) {
    let names = reader.names ?? []
    for record in records { write(names.map { record[$0] ?? .null }) }
  }

  /// Returns the bytes written so far and removes them.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll() }
    return bytes
  }

  /// Writes the names of the columns, unless they are written already.
  mutating func begin(_ names: [String]) {
    if hasNames { return }
    hasNames = true
    reader.begin(names)
    write(names.map(Value.text))
  }

  private mutating func write(_ row: [Value]) {
    for (index, value) in row.enumerated() {
      if index > 0 { bytes.append(separator == .comma ? UInt8(ascii: ",") : 0x09) }
      let text = Self.text(value)
      if Self.isPlain(text), row.count > 1 {
        bytes += text.utf8
      } else {
        // A row of one empty field would be an empty line, which readers skip.
        bytes += escaped(Self.harmless(text), isAlone: row.count == 1).utf8
      }
    }
    bytes += separator == .comma ? [0x0D, 0x0A] : [0x0A]
  }

  /// Returns true for a text that every form writes as it is: printable ASCII that neither separates nor escapes.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: ",")
        && byte != UInt8(ascii: "\\")
    }
  }

  /// Returns a value as the text of a field, without quotes.
  static func text(_ value: Value) -> String {
    switch value.content {
    case .null: ""
    case .text(let text), .decimal(let text): text
    case .integer(let number): String(number)
    case .number(let number) where !number.isFinite: ""
    case .date(let instant): instant.description
    case .bytes(let data): String(decoding: Base64.encoded(data), as: UTF8.self)
    default: JSONWriter.text(of: value)
    }
  }

  /// Sanitizes a text except for its line feeds: rows reach terminals through pipes and files too.
  ///
  /// For every character unchanged there is JSON, which has escapes.
  private static func harmless(_ text: String) -> String {
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      StyledTextWriter.harmless(String(line.last == "\r" ? line.dropLast() : line))
    }.joined(separator: "\n")
  }

  private func escaped(_ text: String, isAlone: Bool) -> String {
    switch separator {
    case .comma:
      let needsQuotes = text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) } || (isAlone && text.isEmpty)
      guard needsQuotes else { return text }
      return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    case .tab:
      var result = ""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\t": result += "\\t"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\\": result += "\\\\"
        default: result.unicodeScalars.append(scalar)
        }
      }
      return result
    }
  }
}
