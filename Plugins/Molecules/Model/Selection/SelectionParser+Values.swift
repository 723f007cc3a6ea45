import PluginAPI

/// Names, numbers, ranges and paths.
extension SelectionParser {
  /// value { (',' | '+') value }, each taken by a closure.
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

  /// Whether the current token can be a value: any word but those that join, and anything in quotes.
  private var isValue: Bool {
    if current.kind == .quoted { return true }
    guard current.kind == .word else { return false }
    switch SelectionWord(current.text) {
    case .and, .or, .not: return false
    default: return true
    }
  }

  /// Steps over an equals sign, which may stand before names.
  private mutating func skipEqual() {
    guard case .comparison(.equal) = current.kind else { return }
    advance()
  }

  mutating func patterns(
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

  /// A comparison, or for whole numbers a list of numbers and ranges.
  mutating func number(
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
    try list("a number or range after '\(word)', as 5 or 5-10,") { token throws(SelectionError) in
      guard let range = ResidueNumberRange(Array(token.text.utf8)), isNumber || !range.hasCode && !range.takesAnyCode
      else {
        let example = isNumber ? "5, 5-10 or 52A" : "5 or 5-10"
        throw .expected(
          "a number or range, as \(example),", found: token.description, column: token.column)
      }
      residues.append(range)
      let ends = [Double(range.first.number), Double(range.last.number)].sorted()
      ranges.append(ends[0]...ends[1])
    }
    return isNumber ? .residueNumbers(residues) : .numbers(property, ranges)
  }

  /// `ss H`, `ss S`, `ss L` and lists of them.
  mutating func secondaryStructure() throws(SelectionError) -> SelectionExpression {
    skipEqual()
    var kinds: [SelectionClass] = []
    try list("H, S or L after 'ss'") { token throws(SelectionError) in
      switch token.text.lowercased() {
      case "h", "helix": kinds.append(.helix)
      case "s", "e", "sheet": kinds.append(.sheet)
      case "l", "c", "loop", "": kinds.append(.loop)
      default: throw .expected("H, S or L after 'ss'", found: token.description, column: token.column)
      }
    }
    return kinds.count == 1 ? .member(of: kinds[0]) : .or(kinds.map { .member(of: $0) })
  }

  /// A path as `A/50/CA` or `50/CA`, or the name of a set, with or without `%`.
  mutating func pathOrSet() throws(SelectionError) -> SelectionExpression {
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

  /// Parts between slashes from the right: atom name, residue, chain; an empty part may be anything.
  ///
  /// - Source: the selection macros of PyMOL; of `///` in front, object and segment are empty.
  private func path(_ token: SelectionToken) throws(SelectionError) -> AtomPath {
    var parts = token.text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if parts.first == "", parts.count > 3 {
      guard parts.count <= 6, parts[1] == "", parts[2] == "" else {
        throw .expected("a path as ///A/50/CA", found: token.description, column: token.column)
      }
      parts = Array(parts.dropFirst(3))
      while parts.count < 3 { parts.append("") }
    }
    guard parts.count <= 3 else {
      throw .expected("a path as A/50/CA", found: token.description, column: token.column)
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
    return AtomPath(chain: try patterns(parts[0]), residue: residues, name: try patterns(parts[2]))
  }
}
