/// Named selections, each of which can use those defined before it.
struct SelectionSets: Equatable, Sendable {
  /// A name and its expression.
  struct Definition: Equatable, Sendable {
    var name: String
    /// The text of the expression.
    var text: String
    var expression: SelectionExpression
  }

  /// The largest number of sets.
  static let limit = 64

  private(set) var definitions: [Definition] = []

  init() {}

  /// Reads definitions written as `NAME=EXPRESSION`, in order.
  init(_ texts: [String]) throws(SelectionError) {
    for text in texts { try define(text) }
  }

  /// The names, in order of definition.
  var names: [String] { definitions.map(\.name) }

  /// Returns true if a set has that name.
  func contains(_ name: String) -> Bool { definitions.contains { $0.name == name } }

  /// Defines a set by `NAME=EXPRESSION`, replacing an earlier one of that name.
  mutating func define(_ text: String) throws(SelectionError) {
    guard let split = text.firstIndex(of: "=") else {
      throw .unusableSet(text, reason: "there is no '=' behind its name")
    }
    try define(String(text[..<split]), as: String(text[text.index(after: split)...]))
  }

  /// Defines a set, replacing an earlier one of that name at its index.
  ///
  /// Sets are resolved by name when they are evaluated, and use only those before them: there are no cycles.
  mutating func define(_ name: String, as text: String) throws(SelectionError) {
    let name = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    try Self.check(name)
    var earlier = self
    earlier.definitions = Array(definitions.prefix { $0.name != name })
    let place = earlier.definitions.count
    let isNew = place == definitions.count
    guard !isNew || place < Self.limit else { throw .unusableSet(name, reason: "there are \(Self.limit) already") }
    let expression: SelectionExpression
    do {
      expression = try SelectionParser.parse(text, sets: earlier)
    } catch {
      throw .inSet(name, error)
    }
    let definition = Definition(name: name, text: text, expression: expression)
    if isNew { definitions.append(definition) } else { definitions[place] = definition }
  }

  private static func check(_ name: String) throws(SelectionError) {
    guard let first = name.utf8.first else { throw .unusableSet(name, reason: "it has no name") }
    let isPlain = name.utf8.allSatisfy {
      ($0 | 32 >= 97 && $0 | 32 <= 122) || ($0 >= 48 && $0 <= 57) || $0 == 95 || $0 == 45
    }
    guard isPlain, first | 32 >= 97, first | 32 <= 122, name.utf8.count <= 64 else {
      throw .unusableSet(name, reason: "a name is up to 64 letters, digits, '_' and '-', a letter first")
    }
    if SelectionWord(name) != nil { throw .unusableSet(name, reason: "its name is a word of the language") }
  }
}
