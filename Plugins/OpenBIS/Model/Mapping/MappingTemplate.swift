import PluginText

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
    case place([Field])
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
    var rest = Substring(source)
    while let character = rest.popFirst() {
      if character == "{", rest.first == "{" {
        rest.removeFirst()
        text.append("{")
      } else if character == "{" {
        guard let end = rest.firstIndex(of: "}") else { throw Fault(reason: "a '{' without its '}'") }
        if !text.isEmpty { pieces.append(.text(text)) }
        text = ""
        pieces.append(.place(try Self.fields(rest[..<end])))
        rest = rest[rest.index(after: end)...]
      } else {
        text.append(character)
      }
    }
    if !text.isEmpty { pieces.append(.text(text)) }
  }

  private static func fields(_ words: Substring) throws(Fault) -> [Field] {
    var fields: [Field] = []
    for word in words.split(separator: "|", omittingEmptySubsequences: false) {
      fields.append(try field(word.trimmed()))
    }
    return fields
  }

  private static func field(_ word: String) throws(Fault) -> Field {
    if word.hasPrefix("property ") {
      let code = word.dropFirst("property ".count).trimmed()
      if code.isEmpty { throw Fault(reason: "'property' is followed by a property's code") }
      return .property(code)
    }
    guard let field = names.first(where: { $0.name == word })?.field else {
      let known = names.map(\.name).joined(separator: ", ")
      throw Fault(reason: "'\(word)' is no field; fields are \(known) and 'property CODE'")
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
      case .text(let words): text += words
      case .place(let fields): text += fields.lazy.map { $0.value(of: object) }.first { !$0.isEmpty } ?? ""
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
