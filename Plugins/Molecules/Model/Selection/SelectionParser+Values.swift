import PluginAPI

/// Parses names, numbers, ranges and paths.
extension SelectionParser {
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

  /// Reads a comparison or, for integers, a list of numbers and ranges.
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

  /// Reads `ss H`, `ss S`, `ss L`, `ss ''` and lists of them.
  mutating func secondaryStructure() throws(SelectionError) -> SelectionExpression {
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
  mutating func sequences(after word: String) throws(SelectionError) -> [[UInt8]] {
    var sequences: [[UInt8]] = []
    try list("one-letter codes after '\(word)', as ACDE,") { token throws(SelectionError) in
      let letters = Array(token.text.uppercased().utf8)
      guard !letters.isEmpty, letters.allSatisfy({ $0 >= 65 && $0 <= 90 }) else {
        throw .expected("one-letter codes, as ACDE,", found: token.description, column: token.column)
      }
      sequences.append(letters)
    }
    return sequences
  }

  /// Reads a path as `A/50/CA` or `50/CA`, or the name of a set, with or without `%`.
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
        throw .expected("a path as /1ake//A/50/CA", found: token.description, column: token.column)
      }
      segment = parts[2]
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
        "one letter of an alternate location behind '\(atom[mark])', as A/50/CA@B,", found: token.description,
        column: token.column)
    }
    return (String(token.text[..<mark]), code)
  }
}
