import PluginAPI

/// Parses conditions: comparisons joined by `and`, `or`, `not` and parentheses.
struct ScriptConditionParser {
  private var words: ArraySlice<ScriptWord>
  private let end: ScriptPosition
  private var depth = 0

  /// Parses the words of a line after an index.
  static func condition(_ words: [ScriptWord], after index: Int) throws(ScriptFault) -> ScriptCondition {
    var parser = ScriptConditionParser(words: words[min(index, words.count)...], end: words[words.count - 1].position)
    let condition = try parser.any()
    if let extra = parser.words.first {
      throw ScriptFault(
        ScriptError.syntax(
          "'\(extra.source)' is unexpected in a condition",
          advice: "compare with ==, !=, <, <=, >, >=, contains or in, and join with and, or, not"), at: extra.position)
    }
    return condition
  }

  private init(words: ArraySlice<ScriptWord>, end: ScriptPosition) { (self.words, self.end) = (words, end) }

  private mutating func any() throws(ScriptFault) -> ScriptCondition {
    var parts = [try all()]
    while take("or") { parts.append(try all()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func all() throws(ScriptFault) -> ScriptCondition {
    var parts = [try negation()]
    while take("and") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func negation() throws(ScriptFault) -> ScriptCondition {
    var isNegated = false
    while take("not") { isNegated.toggle() }
    let condition = try comparison()
    return isNegated ? .not(condition) : condition
  }

  private mutating func comparison() throws(ScriptFault) -> ScriptCondition {
    if let open = words.first, open.isSymbol("(") {
      depth += 1
      if depth > ScriptLimits.nesting {
        throw ScriptFault(ScriptError.nesting(limit: ScriptLimits.nesting), at: open.position)
      }
      words.removeFirst()
      let inner = try any()
      guard words.first?.isSymbol(")") == true else {
        throw ScriptFault(ScriptError.unclosedQuote("("), at: open.position)
      }
      words.removeFirst()
      depth -= 1
      return inner
    }
    let (left, position) = try operand()
    guard let next = words.first, let comparison = Self.comparison(next) else { return .value(left, position) }
    words.removeFirst()
    return .comparison(left, comparison, try operand().0, position)
  }

  private static func comparison(_ word: ScriptWord) -> ScriptComparison? {
    if word.isSymbol { return word.literal.flatMap(ScriptComparison.init(rawValue:)) }
    guard let text = word.bare, text == "contains" || text == "in" else { return nil }
    return ScriptComparison(rawValue: text)
  }

  private mutating func operand() throws(ScriptFault) -> (ScriptExpression, ScriptPosition) {
    guard let word = words.first else {
      throw ScriptFault(
        ScriptError.syntax("the condition is incomplete", advice: "write for example '$x.atoms > 100'"), at: end)
    }
    let isWord = !word.isSymbol && !["and", "or", "not", "contains", "in"].contains(word.bare ?? "")
    guard isWord, !["=", "!"].contains(word.bare ?? "") else {
      throw ScriptFault(
        ScriptError.syntax(
          "'\(word.source)' is found where a value is expected",
          advice: word.source == "=" ? "compare with '=='" : nil), at: word.position)
    }
    words.removeFirst()
    return (ScriptParser.operand(word), word.position)
  }

  private mutating func take(_ keyword: String) -> Bool {
    guard words.first?.bare == keyword else { return false }
    words.removeFirst()
    return true
  }
}
