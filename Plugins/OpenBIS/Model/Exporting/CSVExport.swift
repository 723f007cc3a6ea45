import PluginText

/// Writes a subtree as rows of fields: one row an entity, its properties as columns.
///
/// - Lines end with CR LF; fields with commas, semicolons, quotes, tabs or line feeds stand in quotes.
/// - HTML in a property becomes text; control characters and marks of writing direction are made harmless.
/// - A field that a spreadsheet would take for a formula, because it begins with `=`, `+`, `-`, `@`, a tab or their wide
///   forms, gets an apostrophe before it. Numbers such as `-5` and `+1.5e-3` stay as they are.
/// - Source: RFC 4180; OWASP, "CSV Injection", 2026-11-21.
struct CSVExport: EntityExport {
  /// Gathers the columns from the entities in a first walk: the rows of the second one need them.
  struct Columns: Sendable, Hashable {
    /// No export has more columns of properties; what does not fit is left out and counted.
    static let most = 2000

    /// The properties' keys in the order met.
    private(set) var keys: [String] = []
    /// How many properties found no column.
    private(set) var left = 0
    private var labels: [String: String] = [:]

    init() {}

    /// Takes the properties of an entity.
    mutating func add(_ properties: [Property]) {
      for property in properties {
        let key = CSVExport.key(of: property)
        if labels[key] != nil { continue }
        if keys.count == Self.most {
          left += 1
          continue
        }
        labels[key] = property.label.isEmpty ? property.key : property.label
        keys.append(key)
      }
    }

    /// The headings: labels, with the key behind those that several properties share.
    var headings: [String] {
      var uses: [String: Int] = [:]
      for heading in CSVExport.own + keys.map({ labels[$0] ?? $0 }) { uses[heading, default: 0] += 1 }
      return keys.map { key in
        let label = labels[key] ?? key
        return uses[label] == 1 ? label : "\(label) (\(key))"
      }
    }
  }

  /// The columns every export has.
  static let own = [
    "permId", "depth", "category", "summaryHeader", "summary", "identifier", "childCount", "children", "refcon",
  ]

  private let columns: Columns

  init(_ columns: Columns) {
    self.columns = columns
  }

  mutating func begin() -> [UInt8] { Self.row(names) }

  mutating func add(_ exported: ExportedEntity) -> [UInt8] { Self.row(fields(of: exported)) }

  /// The headings of all columns.
  var names: [String] { Self.own + columns.headings }

  /// The fields of an entity, one for each column, as they came.
  func fields(of exported: ExportedEntity) -> [String] {
    let entity = exported.entity
    var values: [String: String] = [:]
    for property in entity.properties ?? [] {
      let text = ShownValue(property.value, limit: nil).text
      let key = Self.key(of: property)
      values[key] = values[key].map { $0 + "\n" + text } ?? text
    }
    let own = [
      entity.permID, "\(exported.depth)", entity.category, entity.summaryHeader, entity.summary,
      entity.identifier ?? "", entity.childCount.map { "\($0)" } ?? "", exported.children.joined(separator: " "),
      entity.refcon ?? "",
    ]
    return own + columns.keys.map { values[$0] ?? "" }
  }

  mutating func end() -> [UInt8] { [] }

  /// What names a property's column.
  private static func key(of property: Property) -> String { property.key.isEmpty ? property.label : property.key }

  private static func row(_ fields: [String]) -> [UInt8] { Array((line(fields) + "\r\n").utf8) }

  /// Fields as a line without its end.
  static func line(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") }

  /// A text that neither a spreadsheet nor a terminal takes for a command.
  static func safe(_ text: String) -> String {
    let harmless = SanitizedText.block(text)
    return isFormula(harmless) ? "'" + harmless : harmless
  }

  /// A text as a field.
  static func field(_ text: String) -> String {
    let safe = safe(text)
    guard safe.utf8.contains(where: { [0x22, 0x2C, 0x3B, 0x0A, 0x09].contains($0) }) else { return safe }
    return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// Whether a spreadsheet would calculate what is only a text.
  private static func isFormula(_ text: String) -> Bool {
    guard let first = text.first(where: { $0 != " " && $0 != "\u{A0}" }), "=+-@\t\n＝＋－＠".contains(first) else {
      return false
    }
    return !isNumber(text)
  }

  private static func isNumber(_ text: String) -> Bool {
    text.utf8.count < 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
      && Double(text) != nil
  }
}
