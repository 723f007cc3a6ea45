import PluginAPI
import PluginText

extension Mapping {
  /// The number of the format that files of this version state in `mapping`.
  static let form = 1

  /// Reads a mapping.
  ///
  /// - Parameters:
  ///   - value: The file's content.
  ///   - file: The file's name, for messages.
  /// - Throws: ``MappingFault`` for the first error. Unknown members are errors, so that misspelled ones are noticed.
  init(_ value: Value, file: String) throws(MappingFault) {
    let reader = MappingReader(file: file, location: "", value: value)
    try reader.allow(["mapping", "name", "rules", "$schema", "comment"])
    guard value["mapping"].integer == Self.form else {
      throw reader.fault("mapping", "expected \(Self.form), the version of mapping files that this program reads")
    }
    name = try reader.text("name") ?? file
    guard let list = value["rules"].list, !list.isEmpty else {
      throw reader.fault("rules", "expected a list of at least one rule")
    }
    rules = []
    for (index, element) in list.enumerated() {
      rules.append(try MappingRule(MappingReader(file: file, location: "rules[\(index)]", value: element)))
    }
    if !rules.contains(where: { $0.isShown && ($0.isRoot || $0.group != nil) }) {
      throw reader.fault("rules", "no rule has 'root' or 'group', so the first screen would be empty")
    }
  }
}

extension MappingRule {
  /// Reads a rule.
  fileprivate init(_ reader: MappingReader) throws(MappingFault) {
    try reader.allow([
      "kind", "type", "show", "category", "header", "summary", "under", "root", "group", "properties", "images",
      "pages", "takes", "comment",
    ])
    kind = try reader.choice("kind", of: NativeKind.self)
    type = try reader.text("type")
    if type == "*" { type = nil }
    isShown = try reader.flag("show") ?? true
    category = try reader.template("category", or: "{type}")
    header = try reader.template("header", or: "{code}")
    summary = try reader.template("summary", or: "")
    isRoot = try reader.flag("root") ?? false
    group = reader.has("group") ? try reader.template("group", or: "") : nil
    properties = try reader.texts("properties")
    under = []
    for text in try reader.texts("under") ?? [] { under.append(try reader.relations(text, "under")) }
    for text in try reader.texts("takes") ?? [] { takes += try reader.relations(text, "takes") }
    if takes.contains(.parents) || takes.contains(.container) || takes.contains(.space) {
      throw reader.fault("takes", "expected 'sample', 'experiment' or 'project'")
    }
    for element in try reader.elements("images") { images.append(try Image(element)) }
    pages = try reader.text("pages").map(FilePattern.init)
    if pages != nil, kind != .dataSet { throw reader.fault("pages", "only data sets have files") }
  }
}

extension MappingRule.Image {
  fileprivate init(_ reader: MappingReader) throws(MappingFault) {
    try reader.allow(["role", "files", "property"])
    role = reader.has("role") ? try reader.choice("role", of: EntityImage.Role.self) : .marquee
    switch (try reader.text("files"), try reader.text("property")) {
    case (let pattern?, nil): source = .files(FilePattern(text: pattern))
    case (nil, let code?): source = .property(code)
    default: throw reader.fault("files", "expected either 'files' with a pattern or 'property' with a code")
    }
  }
}

/// A reader of the members of one object in a mapping file.
private struct MappingReader {
  let file: String
  let location: String
  let value: Value

  func fault(_ member: String, _ reason: String) -> MappingFault {
    MappingFault(
      file: file, location: [location, member].filter { !$0.isEmpty }.joined(separator: "."), reason: reason)
  }

  /// Rejects members with unknown names.
  func allow(_ names: [String]) throws(MappingFault) {
    guard let record = value.record else { throw fault("", "expected an object") }
    for name in record.names where !names.contains(name) {
      let nearest = Suggestion.nearest(to: name, in: names)
      throw fault(name, "unknown member" + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
    }
  }

  func has(_ name: String) -> Bool { !value[name].isNull }

  func text(_ name: String) throws(MappingFault) -> String? {
    if !has(name) { return nil }
    guard let text = value[name].text else { throw fault(name, "expected a text") }
    return text
  }

  func flag(_ name: String) throws(MappingFault) -> Bool? {
    if !has(name) { return nil }
    guard let flag = value[name].bool else { throw fault(name, "expected true or false") }
    return flag
  }

  func texts(_ name: String) throws(MappingFault) -> [String]? {
    if !has(name) { return nil }
    guard let list = value[name].list else { throw fault(name, "expected a list of texts") }
    let texts = list.compactMap(\.text)
    guard texts.count == list.count else { throw fault(name, "expected a list of texts") }
    return texts
  }

  func elements(_ name: String) throws(MappingFault) -> [MappingReader] {
    if !has(name) { return [] }
    guard let list = value[name].list else { throw fault(name, "expected a list of objects") }
    return list.enumerated().map { index, element in
      MappingReader(file: file, location: "\(location).\(name)[\(index)]", value: element)
    }
  }

  func template(_ name: String, or usual: String) throws(MappingFault) -> MappingTemplate {
    let source = try text(name) ?? usual
    do throws(MappingTemplate.Fault) {
      return try MappingTemplate(source)
    } catch {
      throw fault(name, error.reason)
    }
  }

  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, of type: Choice.Type
  ) throws(MappingFault) -> Choice where Choice.RawValue == String {
    if let found = value[name].text.flatMap(Choice.init) { return found }
    throw fault(name, "expected one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
  }

  /// Returns the relations of a text, separated by `|`.
  func relations(_ text: String, _ name: String) throws(MappingFault) -> [MappingRule.Relation] {
    var found: [MappingRule.Relation] = []
    for word in text.split(separator: "|", omittingEmptySubsequences: false) {
      guard let relation = MappingRule.Relation(rawValue: word.trimmed()) else {
        let known = MappingRule.Relation.allCases.map(\.rawValue).joined(separator: ", ")
        throw fault(name, "'\(word)' is not a relation; expected one of \(known)")
      }
      found.append(relation)
    }
    return found
  }
}

/// A text with placeholders that are filled from an object: `{code}`, `{property $NAME|property NAME|code}`.
///
/// Braces contain one or more fields separated by `|`; the first one that is not empty is used. `{{` is a brace.
struct MappingTemplate: Sendable, Hashable {
  /// A field of an object that fills a placeholder.
  enum Field: Sendable, Hashable {
    case kind, code, identifier, permID, type, description, space, registrator, registered, modified
    /// The value of the property with this code.
    case property(String)
    /// The first line of the first property whose text has several words.
    case firstText
  }

  /// A piece of the template.
  enum Piece: Sendable, Hashable {
    case text(String)
    case placeholder([Field])
  }

  private(set) var source: String
  private(set) var pieces: [Piece] = []

  /// An error in a template.
  struct Fault: Error, Equatable {
    var reason: String
  }

  /// Reads a template.
  init(_ source: String) throws(Fault) {
    self.source = source
    var text = ""
    var remaining = Substring(source)
    while let character = remaining.popFirst() {
      if character == "{", remaining.first == "{" {
        remaining.removeFirst()
        text.append("{")
      } else if character == "{" {
        guard let end = remaining.firstIndex(of: "}") else { throw Fault(reason: "a '{' without '}'") }
        if !text.isEmpty { pieces.append(.text(text)) }
        text = ""
        pieces.append(.placeholder(try Self.fields(remaining[..<end])))
        remaining = remaining[remaining.index(after: end)...]
      } else {
        text.append(character)
      }
    }
    if !text.isEmpty { pieces.append(.text(text)) }
  }

  private static func fields(_ text: Substring) throws(Fault) -> [Field] {
    var fields: [Field] = []
    for word in text.split(separator: "|", omittingEmptySubsequences: false) {
      fields.append(try field(word.trimmed()))
    }
    return fields
  }

  private static func field(_ word: String) throws(Fault) -> Field {
    if word.hasPrefix("property ") {
      let code = word.dropFirst("property ".count).trimmed()
      if code.isEmpty { throw Fault(reason: "expected the code of a property after 'property'") }
      return .property(code)
    }
    guard let field = names.first(where: { $0.name == word })?.field else {
      let known = names.map(\.name).joined(separator: ", ")
      throw Fault(reason: "'\(word)' is not a field; expected one of \(known) or 'property CODE'")
    }
    return field
  }

  private static let names: [(name: String, field: Field)] = [
    ("kind", .kind), ("code", .code), ("identifier", .identifier), ("permId", .permID), ("type", .type),
    ("description", .description), ("space", .space), ("registrator", .registrator), ("registered", .registered),
    ("modified", .modified), ("firstText", .firstText),
  ]

  /// Returns the text for an object.
  func filled(_ object: NativeObject) -> String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let content): text += content
      case .placeholder(let fields): text += fields.lazy.map { $0.value(of: object) }.first { !$0.isEmpty } ?? ""
      }
    }
    return text
  }
}

extension MappingTemplate.Field {
  /// Returns the content of an object's field; "" if there is none.
  func value(of object: NativeObject) -> String {
    switch self {
    case .kind: object.kind.rawValue
    case .code: object.code
    case .identifier: object.identifier
    case .permID: object.permID
    case .type: object.type
    case .description: object.description
    case .space: object.space ?? ""
    case .registrator: object.registrator
    case .registered: NativeTime.text(object.registeredAt)
    case .modified: NativeTime.text(object.modifiedAt)
    case .property(let code): object.properties.first { $0.code == code }?.value ?? ""
    case .firstText: Self.firstText(of: object)
    }
  }

  private static func firstText(of object: NativeObject) -> String {
    for property in object.properties {
      let line = property.value.prefix { $0 != "\n" && $0 != "\r" }
      // Markup would be shown as text.
      if line.contains(" "), !line.hasPrefix("<"), line.utf8.count < 400 { return String(line) }
    }
    return ""
  }
}

/// An error in a mapping file.
struct MappingFault: Error, Equatable {
  /// The file's path as the user gave it.
  var file: String
  /// The location in the file, such as `rules[2].kind`; "" for the whole file.
  var location: String
  /// The error and the expected value.
  var reason: String
  /// True if the file does not exist.
  var isMissing = false
}

extension MappingFault: ReportableError {
  static let errorCodes = [
    ErrorCodeDescription("openbis.bad-mapping", "a mapping file has an error; the message names its position")
  ]

  var report: ErrorReport {
    ErrorReport(
      code: "openbis.bad-mapping", kind: isMissing ? .notFound : .unusableInput,
      "the mapping '\(file)' cannot be used\(location.isEmpty ? "" : " at '\(location)'"): \(reason)",
      advice: "start from the output of 'workbench openbis mapping show'",
      details: ["file": .text(file), "place": .text(location)])
  }
}
