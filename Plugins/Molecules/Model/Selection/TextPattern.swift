/// A name, or a pattern of names in which `*` stands for any text and `?` for any one character.
struct TextPattern: Equatable, Sendable {
  var bytes: [UInt8]
  /// A Boolean value indicating whether `*` and `?` are literal, as in a quoted name.
  var isLiteral: Bool

  /// Creates a pattern from a text.
  init(_ text: String, isLiteral: Bool = false) {
    bytes = Array(text.utf8)
    self.isLiteral = isLiteral || !bytes.contains { $0 == Self.star || $0 == Self.question }
  }

  private static let star = UInt8(ascii: "*")
  private static let question = UInt8(ascii: "?")

  /// Returns true if a whole text matches, byte by byte.
  ///
  /// - Complexity: O(*n* · *m*) in the lengths, without recursion.
  func matches(_ text: [UInt8]) -> Bool {
    if isLiteral { return bytes == text }
    var (place, position) = (0, 0)
    var retry: (place: Int, position: Int)?
    while position < text.count {
      if place < bytes.count, bytes[place] == Self.star {
        retry = (place, position)
        place += 1
      } else if place < bytes.count, bytes[place] == Self.question || bytes[place] == text[position] {
        place += 1
        position += 1
      } else if let last = retry {
        // The star matches one more byte.
        retry = (last.place, last.position + 1)
        (place, position) = (last.place + 1, last.position + 1)
      } else {
        return false
      }
    }
    return bytes[place...].allSatisfy { $0 == Self.star }
  }
}

/// Several alternative patterns; a plain name is looked up rather than compared with each.
struct TextPatternSet {
  private var names: Set<[UInt8]> = []
  private var patterns: [TextPattern] = []
  private let isCaseSensitive: Bool

  init(_ patterns: [TextPattern], isCaseSensitive: Bool) {
    self.isCaseSensitive = isCaseSensitive
    for pattern in patterns {
      var folded = pattern
      folded.bytes = isCaseSensitive ? pattern.bytes : Self.upper(pattern.bytes)
      if folded.isLiteral { names.insert(folded.bytes) } else { self.patterns.append(folded) }
    }
  }

  /// Returns true if a text matches.
  func matches(_ text: String) -> Bool {
    let bytes = isCaseSensitive ? Array(text.utf8) : Self.upper(Array(text.utf8))
    return names.contains(bytes) || patterns.contains { $0.matches(bytes) }
  }

  /// Returns a text with ASCII letters in upper case.
  private static func upper(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { $0 >= 97 && $0 <= 122 ? $0 - 32 : $0 }
  }
}
