import PluginAPI

/// The words of a run's command, in which `{}` stands for an item's id, `{name}` for one of its fields, and `{seed}` for
/// its seed, unless that is a field.
///
/// A placeholder is replaced inside its word: the value is never split into words.
struct CommandTemplate: Sendable {
  let words: [String]
  /// The parts of the words: literal texts and placeholders.
  private let parts: [[Part]]

  /// The seed of the run.
  private let seed: Int

  private enum Part: Equatable {
    case literal(String)
    case id
    case seed
    case field(String)
  }

  private static let seedName = "seed"

  /// Parses the words.
  ///
  /// - Parameters:
  ///   - fields: The names of the items' fields.
  ///   - seed: The seed of the run.
  /// - Throws: ``ErrorReport`` with the code `batch.unknown-field` for another name in braces.
  init(_ words: [String], fields: [String], seed: Int = 0) throws {
    (self.words, self.seed) = (words, seed)
    let known = Set(fields)
    parts = words.map { Self.parts(of: $0, known) }
    for name in words.flatMap(Self.names) where name != Self.seedName && !known.contains(name) {
      let nearest = Suggestion.nearest(to: name, in: fields).map { "did you mean '{\($0)}'?" }
      let others = fields.isEmpty ? "only '{}'" : "their fields are \(fields.joined(separator: ", "))"
      throw BatchError.unknownField("the items have no field '\(name)'; \(others)", advice: nearest)
    }
  }

  /// Returns the words of the command for an item.
  ///
  /// - Throws: ``ErrorReport`` with the code `host.no-libsodium`, if the words have a seed.
  func words(for item: BatchItem) throws(ErrorReport) -> [String] {
    try parts.map { (parts) throws(ErrorReport) in
      try parts.map { (part) throws(ErrorReport) in
        switch part {
        case .literal(let text): text
        case .id: item.id
        case .seed: String(try Self.seed(of: item.number, inRunOf: seed))
        case .field(let name): item.fields[name]?.text ?? ""
        }
      }.joined()
    }
  }

  /// Returns the seed of an item: the first 8 bytes of SHA-256(run's seed ‖ number of the item), without the sign bit.
  ///
  /// All numbers have 8 bytes, the most significant first. The seed depends neither on the shard nor on the attempt.
  static func seed(of item: Int, inRunOf seed: Int) throws(ErrorReport) -> Int {
    let bytes = [seed, item].flatMap { number in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    let digits = try ContentHash.required(bytes).prefix(16)
    return Int(truncatingIfNeeded: UInt64(digits, radix: 16) ?? 0) & Int.max
  }

  /// Returns the values that the placeholders of the words stand for, except seeds, in order.
  func values(for item: BatchItem) -> [String] {
    parts.flatMap { $0 }.compactMap { part in
      switch part {
      case .literal, .seed: nil
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
      if let part = placeholder(String(inner[..<close]), known) {
        if !literal.isEmpty { parts.append(.literal(literal)) }
        literal = ""
        parts.append(part)
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

  /// Returns the placeholder of a name in braces; nil if it is none.
  private static func placeholder(_ name: String, _ known: Set<String>) -> Part? {
    if name.isEmpty { return .id }
    if known.contains(name) { return .field(name) }
    return name == seedName ? .seed : nil
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
