import PluginAPI

/// Parses selections by recursive descent.
///
/// From weak to strong binding: `byres` and similar operators, which take everything to their right; distances and
/// `extend`; `or`, `in` and `like`; `bound_to`, `and`, `not`, as in PyMOL. Nesting, length and the number of operators
/// are bounded.
struct SelectionParser {
  /// The largest number of bytes of an expression.
  static let longest = 4096
  /// The deepest nesting, and the largest number of operators such as `around`, `extend` and `in`, of one expression.
  static let deepest = 64
  /// The largest number of patterns with `*` or `?` in one list.
  static let mostPatterns = 64

  private let tokens: [SelectionToken]
  let sets: SelectionSets
  private var position = 0
  private var depth = 0
  private var operators = 0

  /// Reads an expression.
  static func parse(_ text: String, sets: SelectionSets) throws(SelectionError) -> SelectionExpression {
    guard text.utf8.count <= longest else { throw .tooLong(limit: longest) }
    var parser = SelectionParser(tokens: try SelectionLexer.tokens(of: text), sets: sets)
    if parser.current.kind == .end { throw .empty }
    let expression = try parser.expression()
    guard parser.current.kind == .end else {
      if parser.current.kind == .close {
        throw .expected("'and', 'or' or the end", found: parser.current.description, column: parser.current.column)
      }
      throw parser.unexpected("'and', 'or' or the end")
    }
    return expression
  }

  private init(tokens: [SelectionToken], sets: SelectionSets) {
    self.tokens = tokens
    self.sets = sets
  }

  var current: SelectionToken { tokens[position] }

  /// The keyword of the current token, if it is one.
  private var word: SelectionWord? { current.kind == .word ? SelectionWord(current.text) : nil }

  /// Advances to the next token, but not past the end.
  mutating func advance() { if position + 1 < tokens.count { position += 1 } }

  func unexpected(_ expected: String) -> SelectionError {
    .expected(expected, found: current.description, column: current.column)
  }

  // MARK: Structure

  /// Reads `disjunction { distance }`; the result of a distance can be joined further.
  private mutating func expression() throws(SelectionError) -> SelectionExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw .tooDeep(column: current.column, limit: Self.deepest) }
    var left = try disjunction()
    while let next = word {
      switch next {
      case .within: left = .and([left, .within(try radius(), of: try target())])
      case .beyond: left = .and([left, .beyond(try radius(), of: try target())])
      case .nearTo: left = .and([left, .around(try radius(), of: try target())])
      case .around: left = .around(try radius(), of: left)
      case .expand: left = .within(try radius(), of: left)
      case .extend: left = .extended(try bonds(), left)
      default: return left
      }
      left = try disjunction(after: left)
    }
    return left
  }

  /// Reads `conjunction { ( 'or' | 'in' | 'like' ) conjunction }`, left-associative; the first operand may be given.
  private mutating func disjunction(
    after first: SelectionExpression? = nil
  ) throws(SelectionError) -> SelectionExpression {
    var parts = [try conjunction(after: first)]
    func joined() -> SelectionExpression { parts.count == 1 ? parts[0] : .or(parts) }
    while true {
      if current.kind == .or || word == .or {
        advance()
        parts.append(try conjunction())
      } else if word == .containedIn || word == .like {
        let identity: SelectionIdentity = word == .containedIn ? .full : .numberAndName
        try countOperator()
        advance()
        parts = [.matching(joined(), identity, try conjunction())]
      } else {
        return joined()
      }
    }
  }

  /// Reads `operand { 'and' operand }`; the first operand may be given.
  private mutating func conjunction(
    after first: SelectionExpression? = nil
  ) throws(SelectionError) -> SelectionExpression {
    var parts = first.map { [$0] } ?? []
    if parts.isEmpty { parts.append(try operand()) }
    while current.kind == .and || word == .and {
      advance()
      parts.append(try operand())
    }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func operand() throws(SelectionError) -> SelectionExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw .tooDeep(column: current.column, limit: Self.deepest) }
    switch current.kind {
    case .not:
      advance()
      return .not(try operand())
    case .open:
      let column = current.column
      advance()
      let inner = try expression()
      guard current.kind == .close else {
        throw current.kind == .end ? .unclosedParenthesis(column: column) : unexpected("'and', 'or' or ')'")
      }
      advance()
      return inner
    case .word: return try term()
    default: throw unexpected("a selection")
    }
  }

  /// Reads a keyword with its operands, a path or a named set.
  private mutating func term() throws(SelectionError) -> SelectionExpression {
    let token = current
    guard let word else { return try pathOrSet() }
    switch word {
    case .within: return .within(try radius(), of: try target())
    case .beyond: return .beyond(try radius(), of: try target())
    case .around, .expand, .nearTo, .extend, .containedIn, .like: throw unexpected("a selection before '\(token.text)'")
    case .and, .or, .of, .sameAs: throw unexpected("a selection")
    default: advance()
    }
    switch word {
    case .all: return .all
    case .none: return .none
    case .not: return .not(try operand())
    case .whole(let unit): return .whole(unit, try expression())
    case .same: return try same()
    case .first: return .end(.first, try expression())
    case .last: return .end(.last, try expression())
    case .neighbor: return .bonded(try expression(), isOutside: true)
    case .boundTo: return .bonded(try conjunction(), isOutside: false)
    case .sequence: return .sequences(try sequences(after: token.text))
    case .member(let kind): return .member(of: kind)
    case .secondaryStructure: return try secondaryStructure()
    case .text(let property): return .text(property, try patterns(of: property, after: token.text))
    case .number(let property): return try number(property, after: token.text)
    default: throw unexpected("a selection")
    }
  }

  /// Reads `'same' ('residue' | 'chain' | 'model') 'as' expression`.
  private mutating func same() throws(SelectionError) -> SelectionExpression {
    let unit: SelectionUnit
    switch word {
    case .number(.residueNumber): unit = .residue
    case .text(.chain): unit = .chain
    case .number(.model): unit = .model
    default: throw unexpected("'residue', 'chain' or 'model' after 'same'")
    }
    advance()
    guard word == .sameAs else { throw unexpected("'as'") }
    advance()
    return .whole(unit, try expression())
  }

  // MARK: Distances

  /// Reads the number after `within` and similar operators.
  private mutating func radius() throws(SelectionError) -> Double {
    try countOperator()
    advance()
    guard current.kind == .word, let radius = Double(current.text), radius >= 0, radius.isFinite else {
      throw unexpected("a distance in angstrom, as 5 or 3.5,")
    }
    advance()
    return radius
  }

  /// Reads the number of bonds after `extend`.
  private mutating func bonds() throws(SelectionError) -> Int {
    try countOperator()
    advance()
    guard current.kind == .word, let count = Int(current.text), count >= 0 else {
      throw unexpected("a number of bonds, as 1,")
    }
    advance()
    return count
  }

  /// Counts an operator that takes the set before it; their number in an expression is bounded.
  private mutating func countOperator() throws(SelectionError) {
    operators += 1
    guard operators <= Self.deepest else { throw .tooDeep(column: current.column, limit: Self.deepest) }
  }

  /// Reads `'of' disjunction`.
  private mutating func target() throws(SelectionError) -> SelectionExpression {
    guard word == .of else { throw unexpected("'of'") }
    advance()
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw .tooDeep(column: current.column, limit: Self.deepest) }
    return try disjunction()
  }
}
