/// A match of a text with a typed pattern: its kind, score and positions.
///
/// Each word of the pattern is matched separately, so that `distance measure` finds `measure distance`. The match has
/// the weakest kind among its words.
public struct FuzzyMatch: Sendable, Hashable {
  /// The kind of a match, from weakest to strongest.
  public enum Kind: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Scattered letters in order, with others between them.
    case scattered
    /// The beginnings of several words in order, `msd` or `measdist` in `measure distance`.
    case initials
    /// A part of a word.
    case substring
    /// The beginning of a word.
    case wordPrefix
    /// A whole word.
    case word

    /// Compares strengths.
    public static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  /// The rank among matches of one pattern; greater is better.
  ///
  /// A stronger kind always has a greater score.
  public var score: Int
  /// The kind of the match.
  public var kind: Kind
  /// The 0-based positions of the matched characters in the text, ascending.
  public var positions: [Int]

  /// Matches a pattern with a text, ignoring case.
  ///
  /// Within a kind, characters at word starts and in unbroken runs score more, and gaps score less. Among equals a
  /// shorter text wins.
  /// - Parameters:
  ///   - pattern: The typed words, separated by spaces; an empty pattern matches everything with score 0.
  ///   - text: The text.
  /// - Returns: nil if a word of the pattern is not in the text, not even with other letters between.
  /// - Complexity: O(*n* · *m*) in the lengths of text and pattern, O(*n*) for an ASCII text that lacks a letter.
  public init?(_ pattern: String, in text: String) {
    let words = pattern.lowercased().split(separator: " ")
    (score, kind, positions) = (0, .scattered, [])
    if words.isEmpty { return }
    guard words.allSatisfy({ Self.mayMatch($0, text) }) else { return nil }
    let folded = FoldedText(text)
    var matches: [(kind: Kind, positions: [Int])] = []
    for word in words {
      guard let match = folded.match(Array(word)) else { return nil }
      matches.append(match)
    }
    kind = matches.reduce(.word) { min($0, $1.kind) }
    positions = Set(matches.flatMap(\.positions)).sorted()
    let quality = matches.reduce(0) { $0 + folded.quality($1.positions) }
    score = kind.rawValue * Self.kindStep + min(max(quality, 1 - Self.kindStep / 2), Self.kindStep / 2 - 1)
  }

  /// The difference in score between two kinds, greater than any quality.
  private static let kindStep = 100_000

  /// Returns false if an ASCII text lacks the bytes of a word in order; a text with other characters may always match.
  private static func mayMatch(_ word: Substring, _ text: String) -> Bool {
    var wanted = word.utf8.makeIterator()
    var next = wanted.next()
    for byte in text.utf8 {
      if byte >= 0x80 { return true }
      let folded = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
      if folded == next { next = wanted.next() }
      if next == nil { return true }
    }
    return false
  }
}

/// A lowercased text with the starts of its words.
private struct FoldedText {
  private let letters: [Character]
  /// True for each character that begins a word; one more, true, for the end of the text.
  private let starts: [Bool]
  /// True for each character that is not part of a word; one more, true, for the end of the text.
  private let separators: [Bool]

  init(_ text: String) {
    let original = Array(text)
    letters = original.map { $0.lowercased().first ?? $0 }
    separators = original.map { !($0.isLetter || $0.isNumber) } + [true]
    var starts = [Bool](repeating: true, count: original.count + 1)
    for index in original.indices.dropFirst() {
      let isHump = original[index - 1].isLowercase && original[index].isUppercase
      starts[index] = separators[index - 1] || isHump
    }
    self.starts = starts
  }

  /// Matches one word, in the strongest kind possible.
  func match(_ word: [Character]) -> (kind: FuzzyMatch.Kind, positions: [Int])? {
    if let match = occurrence(of: word) { return match }
    if let positions = initials(of: word) { return (.initials, positions) }
    return scattered(word).map { (.scattered, $0) }
  }

  /// Returns the strongest unbroken occurrence of the word; the first one among equals.
  private func occurrence(of word: [Character]) -> (kind: FuzzyMatch.Kind, positions: [Int])? {
    guard let first = word.first, word.count <= letters.count else { return nil }
    var best: (kind: FuzzyMatch.Kind, positions: [Int])?
    for start in 0...letters.count - word.count where letters[start] == first {
      let end = start + word.count
      guard letters[start..<end].elementsEqual(word) else { continue }
      let isWhole = starts[start] && (starts[end] || separators[end])
      let kind: FuzzyMatch.Kind = isWhole ? .word : starts[start] ? .wordPrefix : .substring
      if best.map({ kind > $0.kind }) ?? true { best = (kind, Array(start..<end)) }
    }
    return best
  }

  /// Returns the positions of the letters if each begins a word of the text or continues the one before.
  private func initials(of word: [Character]) -> [Int]? {
    // For each letter of the pattern, the position of the letter before it, by its own position; nil where there is no
    // match that ends there.
    var origins: [[Int?]] = []
    for wanted in word {
      var row = [Int?](repeating: nil, count: letters.count)
      var last: Int?
      for position in letters.indices {
        if letters[position] == wanted {
          if let before = origins.last {
            if position > 0, before[position - 1] != nil {
              row[position] = position - 1
            } else if starts[position] {
              row[position] = last
            }
          } else if starts[position] {
            row[position] = position
          }
        }
        if let before = origins.last, before[position] != nil { last = position }
      }
      origins.append(row)
    }
    guard var position = origins.last?.firstIndex(where: { $0 != nil }) else { return nil }
    var positions = [position]
    for row in origins.dropFirst().reversed() {
      guard let before = row[position] else { return nil }
      position = before
      positions.append(position)
    }
    return positions.reversed()
  }

  /// Returns the best of the matches that take the next possible letter each time, compared over all starts.
  private func scattered(_ word: [Character]) -> [Int]? {
    var best: (positions: [Int], quality: Int)?
    for start in letters.indices where letters[start] == word.first {
      guard let positions = next(word, from: start) else { break }
      let quality = self.quality(positions)
      if quality > best?.quality ?? .min { best = (positions, quality) }
    }
    return best?.positions
  }

  private func next(_ word: [Character], from start: Int) -> [Int]? {
    var positions: [Int] = []
    var index = start
    for wanted in word {
      guard let found = letters[index...].firstIndex(of: wanted) else { return nil }
      positions.append(found)
      index = found + 1
    }
    return positions
  }

  /// Returns the quality of a match, which ranks it among those of its kind.
  fileprivate func quality(_ positions: [Int]) -> Int {
    var quality = -letters.count / 8 - min(12, positions.first ?? 0)
    for (index, position) in positions.enumerated() {
      quality += starts[position] ? 40 : 16
      if index > 0 {
        let gap = position - positions[index - 1]
        quality += gap == 1 ? 20 : -min(8, gap)
      }
    }
    return quality
  }
}

/// Suggests the name that was probably meant.
public enum Suggestion {
  /// Returns the candidate nearest to a word, if one is near enough to suggest.
  ///
  /// - Parameters:
  ///   - word: The word as written.
  ///   - candidates: The known names; the first of equally near ones wins.
  /// - Returns: A candidate at most a third of the word's length (at least one edit) away, or that starts with the word.
  /// - Complexity: O(*n* · *m*) for each candidate.
  /// - Source: Optimal string alignment distance (Damerau–Levenshtein without overlapping transpositions).
  public static func nearest(to word: String, in candidates: [String]) -> String? {
    let letters = Array(word.lowercased())
    let limit = max(1, letters.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let other = Array(candidate.lowercased())
      let distance = other.starts(with: letters) && letters.count >= 2 ? 1 : editDistance(letters, other)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Returns the advice for a word that is not one of the known names: `did you mean 'list'?`; nil if none is near.
  public static func advice(for word: String, in names: [String]) -> String? {
    nearest(to: word, in: names).map { "did you mean '\($0)'?" }
  }

  private static func editDistance(_ left: [Character], _ right: [Character]) -> Int {
    if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
    var before: [Int] = []
    var previous = Array(0...right.count)
    for row in 1...left.count {
      var current = [row] + [Int](repeating: 0, count: right.count)
      for column in 1...right.count {
        let same = left[row - 1] == right[column - 1]
        var cost = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (same ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          cost = min(cost, before[column - 2] + 1)
        }
        current[column] = cost
      }
      (before, previous) = (previous, current)
    }
    return previous[right.count]
  }
}
