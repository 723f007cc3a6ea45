import PluginText

/// An export of a subtree as rows of fields: one row per entity, with its properties as columns.
///
/// - Lines end with CR LF; fields with commas, semicolons, quotes, tabs or line feeds are quoted.
/// - HTML in a property becomes text; control characters and marks of writing direction are sanitized.
/// - A field that a spreadsheet would interpret as a formula, because it begins with `=`, `+`, `-`, `@`, a tab or their
///   wide forms, gets an apostrophe before it. Numbers such as `-5` and `+1.5e-3` stay as they are.
/// - Source: RFC 4180; OWASP, "CSV Injection", 2026-11-21.
struct CSVExport: EntityExport {
  /// The columns of properties, collected in a first pass because the rows of the second pass need them.
  struct Columns: Sendable, Hashable {
    /// The largest number of property columns in an export; further ones are left out and counted.
    static let most = 2000

    /// The keys of the properties, in order of appearance.
    private(set) var keys: [String] = []
    /// The number of properties for which there was no column.
    private(set) var left = 0
    private var labels: [String: String] = [:]

    init() {}

    /// Adds the properties of an entity.
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

    /// The headings: labels, followed by the key where several properties share a label.
    var headings: [String] {
      var uses: [String: Int] = [:]
      for heading in CSVExport.own + keys.map({ labels[$0] ?? $0 }) { uses[heading, default: 0] += 1 }
      return keys.map { key in
        let label = labels[key] ?? key
        return uses[label] == 1 ? label : "\(label) (\(key))"
      }
    }
  }

  /// The columns of every export.
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

  /// Returns the fields of an entity, one for each column, without escaping.
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

  /// Returns the identifier of a property's column.
  private static func key(of property: Property) -> String { property.key.isEmpty ? property.label : property.key }

  private static func row(_ fields: [String]) -> [UInt8] { Array((line(fields) + "\r\n").utf8) }

  /// Returns fields as a line without its line ending.
  static func line(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") }

  /// Returns a text that neither a spreadsheet nor a terminal interprets as a command.
  static func safe(_ text: String) -> String {
    let harmless = SanitizedText.block(text)
    return isFormula(harmless) ? "'" + harmless : harmless
  }

  /// Returns a text as a field.
  static func field(_ text: String) -> String {
    let safe = safe(text)
    guard safe.utf8.contains(where: { [0x22, 0x2C, 0x3B, 0x0A, 0x09].contains($0) }) else { return safe }
    return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// Returns true if a spreadsheet would evaluate the text as a formula.
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
