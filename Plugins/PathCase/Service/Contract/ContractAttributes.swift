import PluginText
internal import PluginXML

/// The attributes of an element of the contract, read as what they stand for.
struct ContractAttributes {
  let element: ContractElement
  let place: RecordPlace
  private let values: [(name: Identifier, value: String)]
  /// The record around it, for messages; nil for a record itself.
  private let owner: String?

  /// From how many bytes of UTF-8 on a text is worth a warning.
  static let longTextInBytes = 1 << 16

  /// Takes the attributes that the element may have.
  ///
  /// - Parameter skip: Takes the names of the others.
  init(
    _ start: XMLElement, of element: ContractElement, place: RecordPlace, owner: String?, skip: (Identifier) -> Void
  ) {
    self.element = element
    self.place = place
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

  /// Whether a namespace is XML's own or that of schema instances, whose attributes say nothing here.
  private static func isOfXML(_ namespace: String) -> Bool {
    namespace.hasPrefix("http://www.w3.org/XML/") || namespace.hasPrefix("http://www.w3.org/2001/XMLSchema")
  }

  private func value(_ name: Identifier) -> String? { values.first { $0.name == name }?.value }

  /// The element as messages name it: `Participant of 'p-1' in Process 'r-1'`.
  var subject: String {
    let name = element.naming.flatMap(value).map { "\(element.rawValue) '\(Self.shown($0))'" } ?? element.rawValue
    return owner.map { "\(name) in \($0)" } ?? name
  }

  /// The names of attributes with texts so long that they are worth a warning.
  var longTexts: [Identifier] { values.filter { $0.value.utf8.count > Self.longTextInBytes }.map(\.name) }

  private static func shown(_ text: String) -> String { text.utf8.count > 80 ? "\(text.prefix(40))…" : text }

  func issue(_ code: RecordIssue.Code, _ message: String) -> RecordIssue {
    RecordIssue(code: code, message: message, place: place)
  }

  /// A text that must be there; it may be empty.
  func text(_ name: Identifier) throws(RecordIssue) -> String {
    guard let value = value(name) else { throw issue(.missingAttribute, "\(subject) has no attribute '\(name)'") }
    return value
  }

  /// A text; nil if it is absent or empty.
  func optionalText(_ name: Identifier) -> String? {
    guard let value = value(name), !value.isEmpty else { return nil }
    return value
  }

  /// An id that must be there.
  func identifier(_ name: Identifier) throws(RecordIssue) -> Identifier {
    let text = try text(name)
    guard !text.isEmpty, !text.utf8.contains(where: ContractNumber.isBlank) else {
      throw issue(
        .unusableIdentifier,
        text.isEmpty
          ? "\(subject) has an empty '\(name)'" : "\(subject) has the \(name) '\(Self.shown(text))' with a blank in it")
    }
    return Identifier(text)
  }

  /// An id; nil if it is absent.
  func optionalIdentifier(_ name: Identifier) throws(RecordIssue) -> Identifier? {
    value(name) == nil ? nil : try identifier(name)
  }

  /// A number; nil if it is absent.
  ///
  /// - Parameter range: What it must be, and that in words.
  func number(
    _ name: Identifier, _ range: (words: String, holds: (Double) -> Bool) = ("a finite number", { _ in true })
  ) throws(RecordIssue) -> Double? {
    guard let text = value(name) else { return nil }
    guard let number = ContractNumber.double(text), range.holds(number) else {
      throw issue(
        .unusableNumber,
        "\(subject) has the \(name) '\(Self.shown(text))', which must be \(range.words) such as 2.5 or 1e-3")
    }
    return number
  }

  /// A number that must be there.
  func place(_ name: Identifier) throws(RecordIssue) -> Double {
    _ = try text(name)
    return try number(name) ?? 0
  }

  /// A whole number; nil if it is absent.
  func integer(_ name: Identifier, least: Int = .min) throws(RecordIssue) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = ContractNumber.integer(text), number >= least else {
      throw issue(.unusableNumber, "\(subject) has the \(name) '\(Self.shown(text))', which must be a whole number")
    }
    return number
  }

  /// A truth value; nil if it is absent.
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

  /// One of several words; nil if it is absent.
  func word<Word>(
    _ name: Identifier, of words: [Word], as text: (Word) -> String
  ) throws(RecordIssue) -> Word? {
    guard let value = value(name) else { return nil }
    let wanted = Identifier(value.trimmed())
    if let word = words.first(where: { Identifier(text($0)) == wanted }) { return word }
    throw issue(
      .unknownWord,
      "\(subject) has the \(name) '\(Self.shown(value))', which must be one of "
        + words.map(text).joined(separator: ", "))
  }
}

extension ContractAttributes {
  /// A truth value that must be there.
  func neededBoolean(_ name: Identifier) throws(RecordIssue) -> Bool {
    _ = try text(name)
    return try boolean(name) ?? false
  }

  /// What a pool does in a process.
  func role() throws(RecordIssue) -> Participant.Role {
    _ = try text("role")
    return try word("role", of: Participant.Role.allCases, as: \.rawValue) ?? .substrate
  }

  /// From which level on something acts; nil if that is not said.
  func trigger() throws(RecordIssue) -> MetaboliteLevel? {
    try word("trigger", of: MetaboliteLevel.allCases, as: \.word)
  }
}
