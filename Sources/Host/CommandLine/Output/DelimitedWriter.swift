import PluginAPI

/// Writes tables, lists and records as rows of separated fields.
///
/// The first row names the columns. A list of records has the names of all of them, in order of appearance; a record with
/// one table in it is the rows of that table, any other record is one row; anything else is a column `value`. Missing
/// values are empty, nested ones JSON. A record whose schema has numbers by name, such as the fluxes of reactions, has a
/// row for each of these: the name as `id`, then the number.
/// - Source: RFC 4180 (comma, quotes, CRLF); tabs: IANA text/tab-separated-values, with `\t`, `\n`, `\r`, `\\` for the
///   characters it cannot hold.
struct DelimitedWriter {
  /// The separator of fields.
  enum Separator {
    case comma, tab
  }

  private(set) var bytes: [UInt8] = []
  private let separator: Separator
  /// The names of the columns, once the first row was written.
  private var names: [String]?

  init(_ separator: Separator) {
    self.separator = separator
  }

  /// Writes a value; of several, only the first has a row of names, and the others follow its columns.
  ///
  /// - Parameter schema: The declared shape of the value.
  mutating func write(_ value: Value, schema: ValueSchema = .any) {
    switch Self.rows(of: value).content {
    case .record(let record) where Self.series(of: schema) != nil:
      writeSeries(Self.series(of: schema) ?? "", of: record)
    case .table(let table):
      begin(table.columns.map(\.name))
      let columns = (names ?? []).map { table[$0] }
      for row in 0..<table.rowCount { write(columns.map { $0?.values[row] ?? .null }) }
    case .list(let values) where values.isEmpty:
      // Without declared columns, a later part of a stream names them.
      if let names = Self.columns(of: schema), !names.isEmpty { begin(names) }
    case .list(let values):
      begin(Self.names(of: values))
      for element in values { writeRow(element) }
    case .null:
      break
    default:
      begin(Self.names(of: [value]))
      writeRow(value)
    }
  }

  /// Returns the columns of a shape with rows; nil for others.
  static func columns(of schema: ValueSchema) -> [String]? {
    switch schema {
    case .table(let fields), .list(.record(let fields)): fields.map(\.name)
    case .list(.map): []
    case .optional(let schema): columns(of: schema)
    case .any, .bool, .integer, .number, .text, .choice, .date, .bytes, .quantity, .picture, .array, .list, .record,
      .map:
      nil
    @unknown default: nil
    }
  }

  /// Returns the field of a record's schema that holds numbers by name; nil if there is none, or several.
  static func series(of schema: ValueSchema) -> String? {
    guard case .record(let fields) = schema else { return nil }
    let series = fields.filter { $0.schema == .map(.number) }
    return series.count == 1 ? series[0].name : nil
  }

  private mutating func writeSeries(_ field: String, of record: Record) {
    begin(["id", field])
    for entry in record[field]?.record?.fields ?? [] { write([.text(entry.name), entry.value]) }
  }

  /// Returns the bytes written so far and removes them.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll() }
    return bytes
  }

  /// Returns the only table of a record, or else the value itself; the record's other fields are available as JSON.
  static func rows(of value: Value) -> Value {
    let tables = (value.record?.fields ?? []).map(\.value).filter { $0.table != nil }
    return tables.count == 1 ? tables[0] : value
  }

  /// Writes the names of the columns, unless they are written already.
  mutating func begin(_ names: [String]) {
    guard self.names == nil else { return }
    self.names = names
    write(names.map(Value.text))
  }

  private mutating func writeRow(_ value: Value) {
    let names = self.names ?? []
    if let record = value.record {
      write(names.map { record[$0] ?? .null })
    } else {
      write(names.map { $0 == "value" ? value : .null })
    }
  }

  private static func names(of values: [Value]) -> [String] {
    var names: [String] = []
    var seen: Set<String> = []
    for value in values {
      for name in value.record?.names ?? ["value"] where seen.insert(name).inserted { names.append(name) }
    }
    return names
  }

  private mutating func write(_ row: [Value]) {
    for (index, value) in row.enumerated() {
      if index > 0 { bytes.append(separator == .comma ? UInt8(ascii: ",") : 0x09) }
      // A row of one empty field would be an empty line, which readers skip.
      let text = Self.harmless(Self.text(value))
      bytes += escaped(text, isAlone: row.count == 1).utf8
    }
    bytes += separator == .comma ? [0x0D, 0x0A] : [0x0A]
  }

  /// Returns a value as the text of a field, without quotes.
  static func text(_ value: Value) -> String {
    switch value.content {
    case .null: ""
    case .text(let text), .decimal(let text): text
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
