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
    let reader = MappingReader(file: file, place: "", value: value)
    try reader.allow(["mapping", "name", "rules", "$schema", "comment"])
    guard value["mapping"].integer == Self.form else {
      throw reader.fault("mapping", "expected the number \(Self.form), the form of mapping this version reads")
    }
    name = try reader.text("name") ?? file
    guard let list = value["rules"].list, !list.isEmpty else {
      throw reader.fault("rules", "expected a list of at least one rule")
    }
    rules = []
    for (index, element) in list.enumerated() {
      rules.append(try MappingRule(MappingReader(file: file, place: "rules[\(index)]", value: element)))
    }
    if !rules.contains(where: { $0.isShown && ($0.isRoot || $0.group != nil) }) {
      throw reader.fault("rules", "no rule has 'root' or 'group', so that the first screen would be empty")
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
    for words in try reader.texts("under") ?? [] { under.append(try reader.relations(words, "under")) }
    for words in try reader.texts("takes") ?? [] { takes += try reader.relations(words, "takes") }
    if takes.contains(.parents) || takes.contains(.container) || takes.contains(.space) {
      throw reader.fault("takes", "properties are taken from 'sample', 'experiment' and 'project'")
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
  let place: String
  let value: Value

  func fault(_ member: String, _ reason: String) -> MappingFault {
    MappingFault(file: file, place: [place, member].filter { !$0.isEmpty }.joined(separator: "."), reason: reason)
  }

  /// Rejects members with unknown names.
  func allow(_ names: [String]) throws(MappingFault) {
    guard let record = value.record else { throw fault("", "expected an object") }
    for name in record.names where !names.contains(name) {
      let nearest = Suggestion.nearest(to: name, in: names)
      throw fault(name, "there is no such member" + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
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
      MappingReader(file: file, place: "\(place).\(name)[\(index)]", value: element)
    }
  }

  func template(_ name: String, or usual: String) throws(MappingFault) -> MappingTemplate {
    let words = try text(name) ?? usual
    do throws(MappingTemplate.Fault) {
      return try MappingTemplate(words)
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
  func relations(_ words: String, _ name: String) throws(MappingFault) -> [MappingRule.Relation] {
    var found: [MappingRule.Relation] = []
    for word in words.split(separator: "|", omittingEmptySubsequences: false) {
      guard let relation = MappingRule.Relation(rawValue: word.trimmed()) else {
        let known = MappingRule.Relation.allCases.map(\.rawValue).joined(separator: ", ")
        throw fault(name, "'\(word)' is no relation; relations are \(known)")
      }
      found.append(relation)
    }
    return found
  }
}
