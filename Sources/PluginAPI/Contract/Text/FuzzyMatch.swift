/// How well a text matches what somebody typed: all typed characters in order, not necessarily together.
public struct FuzzyMatch: Sendable, Hashable {
  /// Greater is better.
  public var score: Int
  /// The 0-based positions of the matched characters in the text.
  public var positions: [Int]

  /// Matches a pattern against a text, without regard to case.
  ///
  /// Characters at word starts and in unbroken runs score more, gaps less; a shorter text wins among equals.
  /// - Parameters:
  ///   - pattern: What was typed; spaces are ignored; empty matches everything with score 0.
  ///   - text: The text.
  /// - Returns: nil if some character of the pattern is missing.
  /// - Complexity: O(*n*) in the length of the text, for each of the pattern's first characters in it.
  public init?(_ pattern: String, in text: String) {
    let wanted = pattern.lowercased().filter { $0 != " " }.map { $0 }
    let letters = Array(text)
    let lowered = letters.map { Character($0.lowercased().first.map(String.init) ?? " ") }
    if wanted.isEmpty {
      self.init(score: 0, positions: [])
      return
    }
    var best: FuzzyMatch?
    for start in lowered.indices where lowered[start] == wanted[0] {
      guard let match = FuzzyMatch.match(wanted, lowered, letters, from: start) else { break }
      if match.score > best?.score ?? .min { best = match }
    }
    guard let best else { return nil }
    self = best
  }

  private init(score: Int, positions: [Int]) {
    self.score = score
    self.positions = positions
  }

  private static func match(
    _ wanted: [Character], _ lowered: [Character], _ letters: [Character], from start: Int
  ) -> FuzzyMatch? {
    var positions: [Int] = []
    var score = -letters.count / 8
    var index = start
    for character in wanted {
      guard let found = lowered[index...].firstIndex(of: character) else { return nil }
      score += 16
      if found == 0 || isBoundary(letters[found - 1], letters[found]) { score += 24 }
      if let last = positions.last { score += found == last + 1 ? 20 : -min(8, found - last) }
      positions.append(found)
      index = found + 1
    }
    return FuzzyMatch(score: score - min(12, start), positions: positions)
  }

  private static func isBoundary(_ before: Character, _ character: Character) -> Bool {
    !(before.isLetter || before.isNumber) || (before.isLowercase && character.isUppercase)
  }
}
