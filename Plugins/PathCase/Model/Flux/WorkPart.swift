/// A contiguous part of the rows of a result; all parts have about the same size.
struct WorkPart: Sendable, Hashable {
  /// The number of the part, from 1.
  let number: Int
  /// The number of parts.
  let count: Int

  /// The only part of an undivided result.
  static let whole = WorkPart(number: 1, count: 1)

  /// The largest number of parts, as in `batch --parts`.
  private static let mostParts = 1_000_000

  private init(number: Int, count: Int) { (self.number, self.count) = (number, count) }

  /// Reads a part such as `3/100`.
  ///
  /// - Returns: nil unless the text has the form `K/N` with 1 ≤ K ≤ N ≤ 1000000.
  init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1],
      (1...Self.mostParts).contains(count), (1...count).contains(number)
    else { return nil }
    self.init(number: number, count: count)
  }

  /// Returns the rows of the part, by index.
  ///
  /// Together, the parts 1 to N contain each row once, in order.
  func rows(of total: Int) -> Range<Int> { (total * (number - 1) / count)..<(total * number / count) }
}

/// The unordered pairs of different numbers below a size, each once: (0, 1), (0, 2), …, (1, 2), ….
struct PairOrder: Sendable, Hashable {
  let size: Int

  /// The number of pairs.
  var count: Int { size * (size - 1) / 2 }

  /// Calls a function with the pairs at some indices of the order, the smaller number first.
  func forEach(_ indices: Range<Int>, _ body: (Int, Int) -> Void) {
    // The first pair of a number, and that number.
    var (index, one) = (0, 0)
    while one < size, index + size - 1 - one <= indices.lowerBound {
      index += size - 1 - one
      one += 1
    }
    var other = one + 1 + indices.lowerBound - index
    for _ in indices {
      body(one, other)
      other += 1
      if other == size {
        one += 1
        other = one + 1
      }
    }
  }
}
