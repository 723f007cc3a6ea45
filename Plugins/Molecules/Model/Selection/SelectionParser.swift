import PluginAPI

/// Parses selections by recursive descent.
///
/// From weak to strong binding: `byres` and similar operators, which take everything to their right; distances and
/// `extend`; `or`, `in` and `like`; `bound_to`, `and`, `not`, as in PyMOL. Nesting, length and the number of operators
/// are bounded.
struct SelectionParser {
  /// The largest number of bytes of an expression.
  private static let longest = 4096
  /// The deepest nesting, and the largest number of operators such as `around`, `extend` and `in`, of one expression.
  private static let deepest = 64
  /// The largest number of patterns with `*` or `?` in one list.
  private static let mostPatterns = 64

  private let tokens: [SelectionToken]
  private let sets: SelectionSets
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

  private var current: SelectionToken { tokens[position] }

  /// The keyword of the current token, if it is one.
  private var word: SelectionWord? { current.kind == .word ? SelectionWord(current.text) : nil }

  /// Advances to the next token, but not past the end.
  private mutating func advance() { if position + 1 < tokens.count { position += 1 } }

  private func unexpected(_ expected: String) -> SelectionError {
    .expected(expected, found: current.description, column: current.column)
  }

  /// Enters a level of nesting; their number is bounded.
  private mutating func descend() throws(SelectionError) {
    depth += 1
    guard depth <= Self.deepest else { throw .tooDeep(column: current.column, limit: Self.deepest) }
  }

  // MARK: Structure

  /// Reads `disjunction { distance }`; the result of a distance can be joined further.
  private mutating func expression() throws(SelectionError) -> SelectionExpression {
    try descend()
    defer { depth -= 1 }
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
    try descend()
    defer { depth -= 1 }
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
      throw unexpected("a distance in angstrom, such as 5 or 3.5,")
    }
    advance()
    return radius
  }

  /// Reads the number of bonds after `extend`.
  private mutating func bonds() throws(SelectionError) -> Int {
    try countOperator()
    advance()
    guard current.kind == .word, let count = Int(current.text), count >= 0 else {
      throw unexpected("a number of bonds, such as 1,")
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
    try descend()
    defer { depth -= 1 }
    return try disjunction()
  }

  // MARK: Values

  /// Reads `value { (',' | '+') value }`, passing each value to a closure.
  private mutating func list(
    _ expected: String, _ take: (SelectionToken) throws(SelectionError) -> Void
  ) throws(SelectionError) {
    while true {
      guard isValue else { throw unexpected(expected) }
      try take(current)
      advance()
      guard current.kind == .comma || current.kind == .plus else { return }
      advance()
    }
  }

  /// A Boolean value indicating whether the current token can be a value: any word but operators, and anything in
  /// quotes.
  private var isValue: Bool {
    if current.kind == .quoted { return true }
    guard current.kind == .word else { return false }
    switch SelectionWord(current.text) {
    case .and, .or, .not: return false
    default: return true
    }
  }

  /// Skips an equals sign, which is optional before names.
  private mutating func skipEqual() {
    guard case .comparison(.equal) = current.kind else { return }
    advance()
  }

  private mutating func patterns(
    of property: SelectionTextProperty, after word: String
  ) throws(SelectionError) -> [TextPattern] {
    skipEqual()
    let start = current.column
    var patterns: [TextPattern] = []
    try list("\(property.valueName) after '\(word)'") { token in
      patterns.append(TextPattern(token.text, isLiteral: token.kind == .quoted))
    }
    try check(patterns, at: start)
    return patterns
  }

  private func check(_ patterns: [TextPattern], at column: Int) throws(SelectionError) {
    guard patterns.count(where: { !$0.isLiteral }) <= Self.mostPatterns else {
      throw .tooManyPatterns(column: column, limit: Self.mostPatterns)
    }
  }

  /// Reads a comparison or, for integers, a list of numbers and ranges.
  private mutating func number(
    _ property: SelectionNumberProperty, after word: String
  ) throws(SelectionError) -> SelectionExpression {
    if case .comparison(let comparison) = current.kind {
      advance()
      if current.kind == .plus { advance() }
      guard current.kind == .word, let value = Double(current.text), !value.isNaN else {
        throw unexpected("a number after '\(comparison.rawValue)'")
      }
      advance()
      return .comparison(property, comparison, value)
    }
    guard property.isInteger else { throw unexpected("'<', '<=', '>', '>=', '=' or '!=' after '\(word)'") }
    let isNumber = property == .residueNumber
    var residues: [ResidueNumberRange] = []
    var ranges: [ClosedRange<Double>] = []
    try list("a number or range after '\(word)', such as 5 or 5-10,") { token throws(SelectionError) in
      guard let range = ResidueNumberRange(Array(token.text.utf8)), isNumber || !range.hasCode && !range.takesAnyCode
      else {
        let example = isNumber ? "5, 5-10 or 52A" : "5 or 5-10"
        throw .expected(
          "a number or range, such as \(example),", found: token.description, column: token.column)
      }
      residues.append(range)
      let ends = [Double(range.first.number), Double(range.last.number)].sorted()
      ranges.append(ends[0]...ends[1])
    }
    return isNumber ? .residueNumbers(residues) : .numbers(property, ranges)
  }

  /// Reads `ss H`, `ss S`, `ss L`, `ss ''` and lists of them.
  private mutating func secondaryStructure() throws(SelectionError) -> SelectionExpression {
    skipEqual()
    var kinds: [SelectionClass] = []
    try list("H, S or L after 'ss'") { token throws(SelectionError) in
      switch token.text.lowercased() {
      case "h", "helix": kinds.append(.helix)
      case "s", "e", "sheet": kinds.append(.sheet)
      case "l", "c", "loop": kinds.append(.loop)
      // As in PyMOL, where residues without a helix or sheet have no letter.
      case "": kinds.append(.unassigned)
      default: throw .expected("H, S or L after 'ss'", found: token.description, column: token.column)
      }
    }
    return kinds.count == 1 ? .member(of: kinds[0]) : .or(kinds.map { .member(of: $0) })
  }

  /// Reads sequences of one-letter codes, as `ACDE+GG`.
  private mutating func sequences(after word: String) throws(SelectionError) -> [[UInt8]] {
    var sequences: [[UInt8]] = []
    try list("one-letter codes after '\(word)', such as ACDE,") { token throws(SelectionError) in
      let letters = Array(token.text.uppercased().utf8)
      guard !letters.isEmpty, letters.allSatisfy({ $0 >= 65 && $0 <= 90 }) else {
        throw .expected("one-letter codes, such as ACDE,", found: token.description, column: token.column)
      }
      sequences.append(letters)
    }
    return sequences
  }

  /// Reads a path as `A/50/CA` or `50/CA`, or the name of a set, with or without `%`.
  private mutating func pathOrSet() throws(SelectionError) -> SelectionExpression {
    let token = current
    if token.text.utf8.contains(UInt8(ascii: "/")) {
      advance()
      return .path(try path(token))
    }
    let name = token.text.hasPrefix("%") ? String(token.text.dropFirst()) : token.text
    guard sets.contains(name) else {
      let known = SelectionWord.spellings.filter { $0.utf8.count > 1 && !$0.hasSuffix(".") }
      throw .unknownWord(
        token.text, column: token.column, nearest: Suggestion.nearest(to: name, in: sets.names + known))
    }
    advance()
    return .set(name)
  }

  /// Reads the parts between slashes from the right: atom name, residue, chain; an empty part matches anything.
  ///
  /// With a leading slash and four or more parts they are object, segment, chain, residue and atom name from the left.
  /// The object is always the molecule itself.
  /// - Source: the selection macros of PyMOL.
  private func path(_ token: SelectionToken) throws(SelectionError) -> AtomPath {
    var (text, conformer) = try Self.conformer(of: token)
    // PyMOL writes ILE`51.
    text.removeAll { $0 == "`" }
    var parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    var segment = ""
    if parts.first == "", parts.count > 3 {
      guard parts.count <= 6 else {
        throw .expected("a path such as /1ake//A/50/CA", found: token.description, column: token.column)
      }
      segment = parts[2]
      parts = Array(parts.dropFirst(3))
      while parts.count < 3 { parts.append("") }
    }
    guard parts.count <= 3 else {
      throw .expected("a path such as A/50/CA", found: token.description, column: token.column)
    }
    parts = Array(repeating: "", count: 3 - parts.count) + parts
    func patterns(_ text: String) throws(SelectionError) -> [TextPattern]? {
      if text.isEmpty { return nil }
      let all = text.split(separator: "+", omittingEmptySubsequences: true).map { TextPattern(String($0)) }
      try check(all, at: token.column)
      return all
    }
    let residues = try patterns(parts[1])?.map { pattern -> AtomPath.PathResidue in
      ResidueNumberRange(pattern.bytes).map(AtomPath.PathResidue.number) ?? .text(pattern)
    }
    return AtomPath(
      segment: try patterns(segment), chain: try patterns(parts[0]), residue: residues, name: try patterns(parts[2]),
      conformer: conformer)
  }

  /// Returns a path without its conformer, as `@B`, or `` `B `` after an atom name, and the conformer.
  private static func conformer(of token: SelectionToken) throws(SelectionError) -> (path: String, letter: UInt8?) {
    let atom = token.text.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let isMacro = atom.contains("`") && token.text.count(where: { $0 == "/" }) > 1
    guard let mark = atom.lastIndex(of: "@") ?? (isMacro ? atom.lastIndex(of: "`") : nil) else {
      return (token.text, nil)
    }
    let letter = atom[atom.index(after: mark)...]
    guard letter.utf8.count == 1, let code = letter.utf8.first else {
      throw .expected(
        "one letter of an alternate location after '\(atom[mark])', such as A/50/CA@B,", found: token.description,
        column: token.column)
    }
    return (String(token.text[..<mark]), code)
  }
}
