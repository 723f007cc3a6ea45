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
