import PluginAPI

/// The words of a run's command, in which `{}` stands for an item's id and `{name}` for one of its fields.
///
/// A placeholder is replaced inside its word: the value is never split into words.
struct CommandTemplate: Sendable {
  let words: [String]
  /// The parts of the words: literal texts and placeholders.
  private let parts: [[Part]]

  private enum Part: Equatable {
    case literal(String)
    case id
    case field(String)
  }

  /// Parses the words.
  ///
  /// - Parameter fields: The names of the items' fields.
  /// - Throws: ``ErrorReport`` with the code `batch.unknown-field` for another name in braces.
  init(_ words: [String], fields: [String]) throws {
    self.words = words
    let known = Set(fields)
    parts = words.map { Self.parts(of: $0, known) }
    for name in words.flatMap(Self.names) where !known.contains(name) {
      let nearest = Suggestion.nearest(to: name, in: fields).map { "did you mean '{\($0)}'?" }
      let others = fields.isEmpty ? "only '{}'" : "their fields are \(fields.joined(separator: ", "))"
      throw BatchError.unknownField("the items have no field '\(name)'; \(others)", advice: nearest)
    }
  }

  /// Returns the words of the command for an item.
  func words(for item: BatchItem) -> [String] {
    parts.map { parts in
      parts.map { part in
        switch part {
        case .literal(let text): text
        case .id: item.id
        case .field(let name): item.fields[name]?.text ?? ""
        }
      }.joined()
    }
  }

  /// Returns the values that the placeholders of the words stand for, in order.
  func values(for item: BatchItem) -> [String] {
    parts.flatMap { $0 }.compactMap { part in
      switch part {
      case .literal: nil
      case .id: item.id
      case .field(let name): item.fields[name]?.text
      }
    }
  }

  /// A Boolean value indicating whether any word has a placeholder.
  var hasPlaceholders: Bool { parts.contains { $0.contains { if case .literal = $0 { false } else { true } } } }

  private static func parts(of word: String, _ known: Set<String>) -> [Part] {
    var parts: [Part] = []
    var literal = ""
    var rest = Substring(word)
    while let open = rest.firstIndex(of: "{") {
      literal += rest[..<open]
      let inner = rest[rest.index(after: open)...]
      guard let close = inner.firstIndex(of: "}") else {
        rest = rest[open...]
        break
      }
      let name = String(inner[..<close])
      if name.isEmpty || known.contains(name) {
        if !literal.isEmpty { parts.append(.literal(literal)) }
        literal = ""
        parts.append(name.isEmpty ? .id : .field(name))
        rest = inner[inner.index(after: close)...]
      } else {
        literal += "{"
        rest = inner
      }
    }
    literal += rest
    if !literal.isEmpty || parts.isEmpty { parts.append(.literal(literal)) }
    return parts
  }

  /// Returns the texts in braces that read as names of fields.
  private static func names(in word: String) -> [String] {
    word.split(separator: "{").dropFirst(word.hasPrefix("{") ? 0 : 1).compactMap { part in
      guard let close = part.firstIndex(of: "}"), close > part.startIndex else { return nil }
      let name = part[..<close]
      guard part.first?.isLetter == true, name.allSatisfy({ $0.isLetter || $0.isNumber || "_-. ".contains($0) }) else {
        return nil
      }
      return String(name)
    }
  }
}
