/// A rule for the genes that a reaction needs: all of some, any of others.
indirect enum GeneRule: Sendable, Hashable {
  /// A gene, by its index in the model.
  case gene(Int)
  case all([GeneRule])
  case any([GeneRule])

  /// Returns whether the reaction can run without some genes.
  func holds(without missing: Set<Int>) -> Bool {
    switch self {
    case .gene(let gene): !missing.contains(gene)
    case .all(let rules): rules.allSatisfy { $0.holds(without: missing) }
    case .any(let rules): rules.contains { $0.holds(without: missing) }
    }
  }

  /// All genes in the rule, each once, in order.
  var genes: [Int] {
    var found: Set<Int> = []
    collect(into: &found)
    return found.sorted()
  }

  private func collect(into found: inout Set<Int>) {
    switch self {
    case .gene(let gene): found.insert(gene)
    case .all(let rules), .any(let rules): for rule in rules { rule.collect(into: &found) }
    }
  }

  /// Returns the same rule with other gene indices.
  func mapped(_ index: (Int) -> Int) -> GeneRule {
    switch self {
    case .gene(let gene): .gene(index(gene))
    case .all(let rules): .all(rules.map { $0.mapped(index) })
    case .any(let rules): .any(rules.map { $0.mapped(index) })
    }
  }
}

// MARK: - Text

extension GeneRule {
  /// Reads a rule in its usual notation: `(b1 and b2) or b3`.
  ///
  /// The reader does not recurse, so no depth of parentheses can crash the program. Rules are nested at most as deep as
  /// their parentheses alternate between all and any.
  ///
  /// - Parameters:
  ///   - text: Gene names, parentheses, and `and`, `or`, `&`, `|` in upper or lower case.
  ///   - gene: Returns the index of the gene with a name.
  /// - Returns: The rule; nil if it is empty, the parentheses do not match, or they are nested more than 100 deep.
  static func read(_ text: String, gene: (String) -> Int) -> GeneRule? {
    var reader = GeneRuleReader()
    for word in tokens(of: text) {
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

  /// Returns the rule in its usual notation.
  ///
  /// - Parameter name: Returns the name of a gene by its index.
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

  private static func tokens(of text: String) -> [String] {
    var tokens: [String] = []
    var word: [UInt8] = []
    for byte in text.utf8 {
      let isMark = byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")")
      if isMark || byte <= 32 || byte == UInt8(ascii: ",") {
        if !word.isEmpty { tokens.append(String(decoding: word, as: UTF8.self)) }
        word = []
      }
      if isMark { tokens.append(byte == UInt8(ascii: "(") ? "(" : ")") }
      if !isMark, byte > 32, byte != UInt8(ascii: ",") { word.append(byte) }
    }
    if !word.isEmpty { tokens.append(String(decoding: word, as: UTF8.self)) }
    return tokens
  }
}

/// Parses a rule from its tokens; `and` binds tighter than `or`.
private struct GeneRuleReader {
  /// The maximum depth of parentheses, and so of code that walks through rules.
  static let deepest = 100

  /// The contents of a pair of parentheses so far: alternatives, and the parts of the last one.
  private struct Level {
    var alternatives: [GeneRule] = []
    var parts: [GeneRule] = []
    /// True if an operand is expected next, as at the beginning and after an operator.
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

/// The reactions that cannot run without certain genes.
struct GeneDeletions: Sendable {
  private let rules: [GeneRule?]
  /// The reactions whose rule names a gene, by the gene's index.
  private let users: [[Int]]
  /// The genes that share a rule with a gene, by the gene's index.
  private let partners: [Set<Int>]

  init(_ model: ReactionModel) {
    rules = model.reactions.map(\.geneRule)
    var users = [[Int]](repeating: [], count: model.genes.count)
    var partners = [Set<Int>](repeating: [], count: model.genes.count)
    for (reaction, rule) in rules.enumerated() {
      let genes = rule?.genes ?? []
      for gene in genes where users.indices.contains(gene) {
        users[gene].append(reaction)
        partners[gene].formUnion(genes)
      }
    }
    (self.users, self.partners) = (users, partners)
  }

  /// Returns true if a rule names both genes, so that their deletion may stop more than their single deletions.
  func shareRule(_ one: Int, _ other: Int) -> Bool {
    partners.indices.contains(one) && partners[one].contains(other)
  }

  /// Returns the indices of the reactions that cannot run, ascending.
  ///
  /// - Parameter genes: The missing genes, by index.
  func stoppedReactions(without genes: Set<Int>) -> [Int] {
    var concerned: Set<Int> = []
    for gene in genes where users.indices.contains(gene) { concerned.formUnion(users[gene]) }
    return concerned.filter { rules[$0]?.holds(without: genes) == false }.sorted()
  }
}
