/// A token of a selection.
struct SelectionToken: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    /// A bare word, number or pattern.
    case word
    /// A text in quotes, without the quotes.
    case quoted
    case open, close, comma, plus
    case and, or, not
    case comparison(SelectionComparison)
    case end
  }

  var kind: Kind
  var text: String
  /// The column at which it begins, in characters from 1.
  var column: Int

  /// The description in messages.
  var description: String { kind == .end ? "the end" : "'\(text)'" }
}

/// Splits a selection into tokens.
///
/// A quote opens only where a word could begin and closes only where one could end, so that atom names such as `O5'`
/// need no quotes and can be quoted.
struct SelectionLexer {
  private let bytes: [UInt8]
  private var position = 0
  private var column = 1

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Returns the tokens of a text, with an end token after them.
  ///
  /// - Complexity: linear in the text.
  static func tokens(of text: String) throws(SelectionError) -> [SelectionToken] {
    var lexer = SelectionLexer(text)
    var tokens: [SelectionToken] = []
    while let token = try lexer.next() { tokens.append(token) }
    tokens.append(SelectionToken(kind: .end, text: "", column: lexer.column))
    return tokens
  }

  private mutating func next() throws(SelectionError) -> SelectionToken? {
    while position < bytes.count, Self.isSpace(bytes[position]) { advance() }
    guard position < bytes.count else { return nil }
    let start = (position, column)
    if let kind = symbol() {
      return SelectionToken(kind: kind, text: text(from: start.0), column: start.1)
    }
    let byte = bytes[position]
    if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { return try quoted(byte) }
    var isPath = false
    while position < bytes.count, isPath && bytes[position] == UInt8(ascii: "+") || !Self.endsWord(bytes[position]) {
      if bytes[position] == UInt8(ascii: "/") { isPath = true }
      advance()
    }
    return SelectionToken(kind: .word, text: text(from: start.0), column: start.1)
  }

  private mutating func symbol() -> SelectionToken.Kind? {
    let isEqualNext = position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "=")
    let kind: SelectionToken.Kind
    switch bytes[position] {
    case UInt8(ascii: "("): kind = .open
    case UInt8(ascii: ")"): kind = .close
    case UInt8(ascii: ","): kind = .comma
    case UInt8(ascii: "+"): kind = .plus
    case UInt8(ascii: "&"): kind = .and
    case UInt8(ascii: "|"): kind = .or
    case UInt8(ascii: "<"): kind = .comparison(isEqualNext ? .lessOrEqual : .less)
    case UInt8(ascii: ">"): kind = .comparison(isEqualNext ? .greaterOrEqual : .greater)
    case UInt8(ascii: "="): kind = .comparison(.equal)
    case UInt8(ascii: "!"): kind = isEqualNext ? .comparison(.unequal) : .not
    default: return nil
    }
    if isEqualNext, case .comparison = kind { advance() }
    advance()
    return kind
  }

  private mutating func quoted(_ quote: UInt8) throws(SelectionError) -> SelectionToken {
    let start = (position, column)
    advance()
    while position < bytes.count {
      if bytes[position] == quote, position + 1 == bytes.count || Self.endsWord(bytes[position + 1]) {
        let inner = String(decoding: bytes[(start.0 + 1)..<position], as: UTF8.self)
        advance()
        return SelectionToken(kind: .quoted, text: inner, column: start.1)
      }
      advance()
    }
    throw .unclosedQuote(column: start.1)
  }

  private func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

  /// Skips a byte; continuation bytes of a character do not advance the column.
  private mutating func advance() {
    position += 1
    if position >= bytes.count || bytes[position] & 0xC0 != 0x80 { column += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  /// Returns true if a byte ends a word.
  private static func endsWord(_ byte: UInt8) -> Bool {
    isSpace(byte) || [40, 41, 44, 43, 38, 124, 60, 62, 61, 33].contains(byte)
  }
}
