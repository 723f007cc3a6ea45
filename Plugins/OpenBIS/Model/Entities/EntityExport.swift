import PluginAPI
import PluginText

/// A writer of entities one after the other, so that an export of any size takes the memory of one entity.
protocol EntityExport {
  /// Returns the bytes before the first entity.
  mutating func begin() -> [UInt8]

  /// Returns the bytes of the next entity.
  mutating func add(_ exported: EntityFamily) -> [UInt8]

  /// Returns the bytes after the last entity.
  mutating func end() -> [UInt8]
}

/// The origin of an export.
struct ExportOrigin: Sendable, Hashable {
  /// The entity it begins with.
  var root: String
  /// The title of that entity.
  var title: String
  /// The server it came from.
  var server: String
  /// The time of the export, in ISO 8601.
  var madeAt: String
}

/// An export of a subtree as one JSON document with all cached data.
///
/// `{"format": "openbis-export", "version": 1, "root", "title", "server", "madeAt", "entities": [{"permId", "depth",
/// …}, …]}`. An entity has the columns of ``EntityColumn``; a property is `{"key", "label", "value"}`, an image
/// `{"role", "format", "address" | "sha256" | "base64" | "reason"}`. The server's reference (`refcon`) is a text with
/// every one of its bytes. Fields that were never reported are left out; fields known to be empty are empty. Characters
/// that could control a terminal or reorder text are written as `\u` escapes, which JSON readers decode.
/// - Source: RFC 8259.
struct JSONExport: EntityExport {
  private let origin: ExportOrigin
  private var isFirst = true

  init(_ origin: ExportOrigin) {
    self.origin = origin
  }

  mutating func begin() -> [UInt8] {
    var out = JSONTextWriter()
    out.open("{")
    for field in Self.head(origin).fields {
      out.name(field.name)
      out.value(field.value)
    }
    out.name("entities")
    out.raw("[")
    return out.bytes
  }

  mutating func add(_ exported: EntityFamily) -> [UInt8] {
    var out = JSONTextWriter()
    out.raw(isFirst ? "\n" : ",\n")
    isFirst = false
    out.value(.record(Self.record(exported)))
    return out.bytes
  }

  mutating func end() -> [UInt8] { Array("\n]}\n".utf8) }

  /// Returns the fields before the entities.
  static func head(_ origin: ExportOrigin) -> Record {
    [
      "format": "openbis-export", "version": 1, "root": .text(origin.root), "title": .text(origin.title),
      "server": .text(origin.server), "madeAt": .text(origin.madeAt),
    ]
  }

  /// Returns the record of an entity in the document.
  static func record(_ exported: EntityFamily) -> Record {
    Record(columns.record(of: exported).fields.filter { !$0.value.isNull })
  }

  private static let columns = EntityColumn.fields(of: .json)
}

/// A writer of JSON piece by piece, on one line.
struct JSONTextWriter {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func open(_ mark: String) {
    raw(mark)
    needsComma = false
  }

  mutating func close(_ mark: String) {
    raw(mark)
    needsComma = true
  }

  /// Writes the name of the next field.
  mutating func name(_ name: String) {
    if needsComma { raw(",") }
    text(name)
    raw(":")
    needsComma = true
  }

  mutating func field(_ name: String, _ value: String) {
    self.name(name)
    text(value)
  }

  mutating func list<Elements: Collection>(
    _ elements: Elements, _ write: (inout JSONTextWriter, Elements.Element) -> Void
  ) {
    raw("[")
    for (index, element) in elements.enumerated() {
      if index > 0 { raw(",") }
      write(&self, element)
    }
    raw("]")
    needsComma = true
  }

  /// Writes plain data: records, lists, texts, dates, whole numbers, truth values; anything else as null.
  mutating func value(_ value: Value) {
    switch value.content {
    case .record(let record):
      open("{")
      for field in record.fields {
        name(field.name)
        self.value(field.value)
      }
      close("}")
    case .list(let values): list(values) { $0.value($1) }
    case .text(let text): self.text(text)
    case .date(let instant): text(instant.description)
    case .integer(let number): raw("\(number)")
    case .bool(let flag): raw(flag ? "true" : "false")
    default: raw("null")
    }
  }

  mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes a text, with control characters and marks of writing direction as escapes.
  mutating func text(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    if appendPlain(text) { return }
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: bytes += [0x5C, UInt8(scalar.value)]
      case 0x0A: raw("\\n")
      case 0x0D: raw("\\r")
      case 0x09: raw("\\t")
      case _ where !SanitizedText.isSafe(scalar):
        for unit in UTF16.encode(scalar).map({ Array($0) }) ?? [] { escape(unit) }
      default: bytes.append(contentsOf: String(scalar).utf8)
      }
    }
  }

  /// Appends a text of ASCII that needs no escapes, as most texts are; returns false for another one.
  private mutating func appendPlain(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
      guard utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) else { return false }
      bytes.append(contentsOf: utf8)
      return true
    }
  }

  private mutating func escape(_ unit: UInt16) {
    raw("\\u" + Hexadecimal.text(unit, digits: 4))
  }
}

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
      for heading in CSVExport.ownNames + keys.map({ labels[$0] ?? $0 }) { uses[heading, default: 0] += 1 }
      return keys.map { key in
        let label = labels[key] ?? key
        return uses[label] == 1 ? label : "\(label) (\(key))"
      }
    }
  }

  /// The columns of every export.
  private static let own = EntityColumn.fields(of: .csv)
  private static let ownNames = own.descriptions.map(\.name)

  private let columns: Columns

  init(_ columns: Columns) {
    self.columns = columns
  }

  mutating func begin() -> [UInt8] { Self.row(names) }

  mutating func add(_ exported: EntityFamily) -> [UInt8] { Self.row(fields(of: exported)) }

  /// The headings of all columns.
  var names: [String] { Self.ownNames + columns.headings }

  /// Returns the fields of an entity, one for each column, without escaping.
  func fields(of exported: EntityFamily) -> [String] {
    var values: [String: String] = [:]
    for property in exported.entity.properties ?? [] {
      let text = ShownValue(property.value, limit: nil).text
      let key = Self.key(of: property)
      values[key] = values[key].map { $0 + "\n" + text } ?? text
    }
    let own = Self.own.record(of: exported).fields.map { Self.text($0.value) }
    return own + columns.keys.map { values[$0] ?? "" }
  }

  mutating func end() -> [UInt8] { [] }

  /// Returns the text of a column's value; elements of a list are separated by spaces.
  private static func text(_ value: Value) -> String {
    value.list.map { $0.map(\.shortText).joined(separator: " ") } ?? value.shortText
  }

  /// Returns the identifier of a property's column.
  private static func key(of property: Property) -> String { property.key.isEmpty ? property.label : property.key }

  private static func row(_ fields: [String]) -> [UInt8] { Array((line(fields) + "\r\n").utf8) }

  /// Returns fields as a line without its line ending.
  static func line(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") }

  /// Returns a text that neither a spreadsheet nor a terminal interprets as a command.
  static func safe(_ text: String) -> String {
    let sanitized = SanitizedText.block(text)
    return isFormula(sanitized) ? "'" + sanitized : sanitized
  }

  /// Returns a text as a field.
  static func field(_ text: String) -> String {
    let safe = safe(text)
    guard safe.utf8.contains(where: { [0x22, 0x2C, 0x3B, 0x0A, 0x09].contains($0) }) else { return safe }
    return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// Returns true if a spreadsheet would evaluate the text as a formula.
  private static func isFormula(_ text: String) -> Bool {
    // Most texts begin with a letter.
    if let first = text.utf8.first, (0x41...0x5A).contains(first) || (0x61...0x7A).contains(first) { return false }
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

/// An export of a subtree as one self-contained page: no scripts, no external addresses; images are embedded.
///
/// Every entity is a section with an anchor, children are links to theirs. Texts are escaped and sanitized; a policy in
/// the page's head forbids loading anything else. In print a section stays on one page where it fits.
/// - Source: HTML Living Standard; Content Security Policy Level 3.
struct HTMLExport: EntityExport {
  /// The largest number of children listed; longer lists are cut, and state their number.
  static let mostChildren = 10_000

  private let origin: ExportOrigin
  private var count = 0

  init(_ origin: ExportOrigin) {
    self.origin = origin
  }

  mutating func begin() -> [UInt8] {
    let title = XMLEscape.content(SanitizedText.line(origin.title))
    return Array(
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width"><title>\(title)</title>
      <style>\(Self.style)</style></head><body>
      <h1 dir="auto">\(title)</h1>
      <p class="origin">from \(XMLEscape.content(SanitizedText.line(origin.server))), \(XMLEscape.content(origin.madeAt))</p>

      """.utf8)
  }

  private static let style = """
    body{font:15px/1.45 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}
    section{border-top:1px solid #bbb;padding:.6em 0;break-inside:avoid-page}
    h2{margin:.2em 0}.kind,.origin,.id{color:#555}table{border-collapse:collapse;margin:.6em 0}
    th,td{text-align:left;vertical-align:top;padding:.15em 1em .15em 0;border-bottom:1px solid #e4e4e4}
    pre{margin:0;font:inherit;white-space:pre-wrap}pre.wide{font:13px/1.35 monospace}
    img{max-width:100%;max-height:30em}img.tile{max-width:12em;max-height:12em;margin:.2em}
    ul.children{columns:3;padding-left:1.2em}@media print{body{margin:0}a{color:inherit;text-decoration:none}}
    """

  mutating func add(_ exported: EntityFamily) -> [UInt8] {
    let entity = exported.entity
    let category = SanitizedText.line(entity.category)
    var out = "<section id=\"\(Self.anchor(entity.permID))\">\n"
    out += "<h2 dir=\"auto\">\(XMLEscape.content(EntityTitle.heading(entity)))</h2>\n"
    if !category.isEmpty { out += "<p class=\"kind\" dir=\"auto\">\(XMLEscape.content(category))</p>\n" }
    if !entity.summary.isEmpty { out += "<p dir=\"auto\">\(Self.text(entity.summary))</p>\n" }
    let identifier = [entity.identifier ?? "", entity.permID].filter { !$0.isEmpty }.map { SanitizedText.line($0) }
    out += "<p class=\"id\">\(XMLEscape.content(identifier.joined(separator: " · ")))</p>\n"
    out += (exported.images ?? []).map(Self.image).joined()
    out += Self.table(entity.properties ?? [])
    out += Self.children(exported)
    count += 1
    return Array((out + "</section>\n").utf8)
  }

  mutating func end() -> [UInt8] {
    Array("<p class=\"origin\">\(count) \(count == 1 ? "entity" : "entities")</p>\n</body></html>\n".utf8)
  }

  private static func table(_ properties: [Property]) -> String {
    if properties.isEmpty { return "" }
    let rows = properties.map { property in
      let label = SanitizedText.line(property.label.isEmpty ? property.key : property.label)
      let value = ShownValue(property.value, limit: nil)
      // Former tables keep their columns only in a monospaced font.
      let look = value.hasSeveralLines ? " class=\"wide\"" : ""
      return "<tr><th dir=\"auto\">\(XMLEscape.content(label))</th>"
        + "<td><pre dir=\"auto\"\(look)>\(XMLEscape.content(value.text))</pre></td></tr>\n"
    }
    return "<table>\n" + rows.joined() + "</table>\n"
  }

  private static func image(_ exported: EntityFamily.Image) -> String {
    let isTile = exported.image.role == .tiled
    if let bytes = exported.bytes, let address = DataAddress.of(image: bytes) {
      return "<img\(isTile ? " class=\"tile\"" : "") alt=\"image\" src=\"\(address)\">\n"
    }
    let reason: String
    switch exported.image.source {
    case .address(let address): reason = "not cached: \(SanitizedText.line(address))"
    case .unusable(let why): reason = SanitizedText.line(why)
    case .bytes, .stored: reason = "not cached, or in a format that pages cannot show"
    }
    return "<p class=\"id\">image \(XMLEscape.content(reason))</p>\n"
  }

  private static func children(_ exported: EntityFamily) -> String {
    guard let children = exported.children, !children.isEmpty else { return "" }
    var out = "<ul class=\"children\">\n"
    for (index, id) in children.prefix(mostChildren).enumerated() {
      let title = index < exported.childTitles.count ? exported.childTitles[index] : id
      out += "<li dir=\"auto\"><a href=\"#\(anchor(id))\">\(XMLEscape.content(SanitizedText.line(title)))</a></li>\n"
    }
    let remaining = children.count - mostChildren
    return out + (remaining > 0 ? "<li>… \(remaining) more</li>\n" : "") + "</ul>\n"
  }

  /// Returns an id for anchors and links: letters and digits, and all other characters by their bytes.
  static func anchor(_ permID: String) -> String {
    var out = "e-"
    for byte in permID.utf8 {
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      if isPlain { out.unicodeScalars.append(Unicode.Scalar(byte)) } else { out += "_" + String(byte, radix: 16) + "." }
    }
    return out
  }

  private static func text(_ text: String) -> String {
    let value = ShownValue(text, limit: nil)
    return XMLEscape.content(value.text).split(separator: "\n", omittingEmptySubsequences: false).joined(
      separator: "<br>")
  }
}

/// Addresses that hold the bytes of an image themselves: `data:image/png;base64,…`.
///
/// - Source: RFC 2397 (data URLs).
enum DataAddress {
  /// Returns the address of an image; nil if browsers do not display its format.
  static func of(image bytes: [UInt8]) -> String? {
    mediaType(bytes).map { "data:\($0);base64,\(Base64.text(bytes))" }
  }

  /// Returns the media type of an image by its first bytes; nil if they do not belong to a known format.
  static func mediaType(_ bytes: [UInt8]) -> String? {
    let starts: [([UInt8], String)] = [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
      (Array("GIF8".utf8), "image/gif"), (Array("BM".utf8), "image/bmp"),
    ]
    if let known = starts.first(where: { bytes.starts(with: $0.0) }) { return known.1 }
    let head = String(decoding: bytes.prefix(1024), as: UTF8.self)
    let trimmed = head.drop { $0.isWhitespace || $0 == "\u{FEFF}" as Character }
    guard trimmed.first == "<" else { return nil }
    let isVector = HTMLTokens(head).contains { if case .tag("svg", false) = $0 { true } else { false } }
    return isVector ? "image/svg+xml" : nil
  }
}
