extension GeneRule {
  /// Reads a rule as people write it: `(b1 and b2) or b3`.
  ///
  /// Without recursion, so that no depth of brackets can end the program; rules are then nested at most as deep as their
  /// brackets change between all and any.
  ///
  /// - Parameters:
  ///   - text: words, brackets, and `and`, `or`, `&`, `|` in upper or lower case.
  ///   - gene: gives the index of a gene of that name.
  /// - Returns: the rule; nil if there is none, the brackets do not fit, or they are nested more than 100 deep.
  static func read(_ text: String, gene: (String) -> Int) -> GeneRule? {
    var reader = GeneRuleReader()
    for word in words(of: text) {
      let fits: Bool =
        switch word.lowercased() {
        case "(": reader.open()
        case ")": reader.close()
        case "and", "&", "&&": reader.join(isAll: true)
        case "or", "|", "||": reader.join(isAll: false)
        default: reader.add(.gene(gene(word)))
        }
      if !fits { return nil }
    }
    return reader.finish()
  }

  /// The rule as people write it.
  ///
  /// - Parameter name: gives the name of a gene by its index.
  func text(_ name: (Int) -> String) -> String {
    switch self {
    case .gene(let gene): name(gene)
    case .all(let rules): rules.map { $0.inBrackets(name) }.joined(separator: " and ")
    case .any(let rules): rules.map { $0.inBrackets(name) }.joined(separator: " or ")
    }
  }

  private func inBrackets(_ name: (Int) -> String) -> String {
    if case .gene(let gene) = self { return name(gene) }
    return "(" + text(name) + ")"
  }

  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    for byte in text.utf8 {
      let isMark = byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")")
      if isMark || byte <= 32 || byte == UInt8(ascii: ",") {
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        word = []
      }
      if isMark { words.append(byte == UInt8(ascii: "(") ? "(" : ")") }
      if !isMark, byte > 32, byte != UInt8(ascii: ",") { word.append(byte) }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }
}

/// Puts a rule together from its words; `and` binds closer than `or`.
struct GeneRuleReader {
  /// How deep brackets may be nested; what walks through rules goes as deep.
  static let deepest = 100

  /// What is in a pair of brackets so far: alternatives, and the last one's parts.
  private struct Level {
    var alternatives: [GeneRule] = []
    var parts: [GeneRule] = []
    /// Whether a rule is due next, as at the beginning and behind a joining word.
    var isDue = true
  }

  private var levels = [Level()]

  mutating func open() -> Bool {
    guard levels[levels.count - 1].isDue, levels.count < Self.deepest else { return false }
    levels.append(Level())
    return true
  }

  mutating func close() -> Bool {
    guard levels.count > 1, let level = levels.popLast(), !level.isDue else { return false }
    return add(Self.rule(level))
  }

  mutating func join(isAll: Bool) -> Bool {
    let top = levels.count - 1
    if levels[top].isDue { return false }
    levels[top].isDue = true
    if !isAll {
      levels[top].alternatives.append(Self.joined(levels[top].parts, isAll: true))
      levels[top].parts = []
    }
    return true
  }

  mutating func add(_ rule: GeneRule) -> Bool {
    let top = levels.count - 1
    guard levels[top].isDue else { return false }
    levels[top].isDue = false
    levels[top].parts.append(rule)
    return true
  }

  func finish() -> GeneRule? {
    guard levels.count == 1, !levels[0].isDue else { return nil }
    return Self.rule(levels[0])
  }

  private static func rule(_ level: Level) -> GeneRule {
    joined(level.alternatives + [joined(level.parts, isAll: true)], isAll: false)
  }

  private static func joined(_ rules: [GeneRule], isAll: Bool) -> GeneRule {
    if rules.count == 1 { return rules[0] }
    return isAll ? .all(rules) : .any(rules)
  }
}
