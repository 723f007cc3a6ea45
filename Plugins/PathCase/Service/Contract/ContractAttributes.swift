import PluginText
internal import PluginXML

/// The attributes of a contract element, converted to their types.
struct ContractAttributes {
  let element: ContractElement
  let location: RecordPlace
  private let values: [(name: Identifier, value: String)]
  /// The enclosing record, for messages; nil for a record itself.
  private let owner: String?

  /// The size in bytes of UTF-8 from which a text causes a warning.
  static let longTextInBytes = 1 << 16

  /// Creates the attributes permitted for the element.
  ///
  /// - Parameter skip: Receives the names of the others.
  init(
    _ start: XMLElement, of element: ContractElement, location: RecordPlace, owner: String?, skip: (Identifier) -> Void
  ) {
    self.element = element
    self.location = location
    self.owner = owner
    let known = element.attributes
    var values: [(name: Identifier, value: String)] = []
    for attribute in start.attributes {
      let name = Identifier(attribute.name.local)
      if attribute.name.namespace.isEmpty, known.contains(name) {
        values.append((name, attribute.value))
      } else if !Self.isOfXML(attribute.name.namespace) {
        skip(name)
      }
    }
    self.values = values
  }

  /// Returns whether a namespace is XML's own or that of schema instances, whose attributes are irrelevant here.
  private static func isOfXML(_ namespace: String) -> Bool {
    namespace.hasPrefix("http://www.w3.org/XML/") || namespace.hasPrefix("http://www.w3.org/2001/XMLSchema")
  }

  private func value(_ name: Identifier) -> String? { values.first { $0.name == name }?.value }

  /// The name of the element in messages: `Participant of 'p-1' in Process 'r-1'`.
  var subject: String {
    let name = element.naming.flatMap(value).map { "\(element.rawValue) '\(Self.shown($0))'" } ?? element.rawValue
    return owner.map { "\(name) in \($0)" } ?? name
  }

  /// The names of attributes whose texts are long enough for a warning.
  var longTexts: [Identifier] { values.filter { $0.value.utf8.count > Self.longTextInBytes }.map(\.name) }

  private static func shown(_ text: String) -> String { text.utf8.count > 80 ? "\(text.prefix(40))…" : text }

  func issue(_ code: RecordIssue.Code, _ message: String) -> RecordIssue {
    RecordIssue(code: code, message: message, location: location)
  }

  /// Returns a required text, which may be empty.
  func text(_ name: Identifier) throws(RecordIssue) -> String {
    guard let value = value(name) else { throw issue(.missingAttribute, "\(subject) has no attribute '\(name)'") }
    return value
  }

  /// Returns a text; nil if it is absent or empty.
  func optionalText(_ name: Identifier) -> String? {
    guard let value = value(name), !value.isEmpty else { return nil }
    return value
  }

  /// Returns a required id.
  func identifier(_ name: Identifier) throws(RecordIssue) -> Identifier {
    var text = try text(name)
    guard !text.isEmpty, !text.withUTF8({ $0.contains { ContractNumber.isBlank($0) } }) else {
      throw issue(
        .unusableIdentifier,
        text.isEmpty
          ? "\(subject) has an empty '\(name)'" : "\(subject) has the \(name) '\(Self.shown(text))' with a blank in it")
    }
    return Identifier(text)
  }

  /// Returns an id; nil if it is absent.
  func optionalIdentifier(_ name: Identifier) throws(RecordIssue) -> Identifier? {
    value(name) == nil ? nil : try identifier(name)
  }

  /// Returns a number; nil if it is absent.
  ///
  /// - Parameter range: The condition on the number, and its description.
  func number(
    _ name: Identifier, _ range: (text: String, holds: (Double) -> Bool) = ("a finite number", { _ in true })
  ) throws(RecordIssue) -> Double? {
    guard let text = value(name) else { return nil }
    guard let number = ContractNumber.double(text), range.holds(number) else {
      throw issue(
        .unusableNumber,
        "\(subject) has the \(name) '\(Self.shown(text))', which must be \(range.text) such as 2.5 or 1e-3")
    }
    return number
  }

  /// Returns a required number.
  func coordinate(_ name: Identifier) throws(RecordIssue) -> Double {
    _ = try text(name)
    return try number(name) ?? 0
  }

  /// Returns an integer; nil if it is absent.
  func integer(_ name: Identifier, least: Int = .min) throws(RecordIssue) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = ContractNumber.integer(text), number >= least else {
      throw issue(.unusableNumber, "\(subject) has the \(name) '\(Self.shown(text))', which must be a whole number")
    }
    return number
  }

  /// Returns a Boolean value; nil if it is absent.
  func boolean(_ name: Identifier) throws(RecordIssue) -> Bool? {
    guard let text = value(name) else { return nil }
    switch Identifier(text.trimmed()) {
    case "true", "1": return true
    case "false", "0": return false
    default:
      throw issue(
        .unusableBoolean, "\(subject) has the \(name) '\(Self.shown(text))', which must be true, false, 1 or 0")
    }
  }

  /// Returns one of several choices; nil if it is absent.
  func word<Word>(
    _ name: Identifier, of choices: [Word], as text: (Word) -> String
  ) throws(RecordIssue) -> Word? {
    guard let value = value(name) else { return nil }
    let wanted = Identifier(value.trimmed())
    if let word = choices.first(where: { Identifier(text($0)) == wanted }) { return word }
    throw issue(
      .unknownWord,
      "\(subject) has the \(name) '\(Self.shown(value))', which must be one of "
        + choices.map(text).joined(separator: ", "))
  }
}

extension ContractAttributes {
  /// Returns a required Boolean value.
  func neededBoolean(_ name: Identifier) throws(RecordIssue) -> Bool {
    _ = try text(name)
    return try boolean(name) ?? false
  }

  /// Returns the role of a pool in a process.
  func role() throws(RecordIssue) -> Participant.Role {
    _ = try text("role")
    return try word("role", of: Participant.Role.allCases, as: \.rawValue) ?? .substrate
  }

  /// Returns the trigger level; nil if it is not given.
  func trigger() throws(RecordIssue) -> MetaboliteLevel? {
    try word("trigger", of: MetaboliteLevel.allCases, as: \.word)
  }
}
