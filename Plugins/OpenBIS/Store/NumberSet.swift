/// A set of numbers of entities, a bit for each number up to the largest.
struct NumberSet {
  private var words: [UInt64] = []

  /// Whether a number is in it.
  func contains(_ number: Int) -> Bool {
    let word = number >> 6
    return word < words.count && words[word] >> UInt64(number & 63) & 1 != 0
  }

  /// Puts a number in.
  ///
  /// - Returns: Whether it was not in it.
  @discardableResult
  mutating func insert(_ number: Int) -> Bool {
    let word = number >> 6
    if word >= words.count { words.append(contentsOf: repeatElement(0, count: max(64, word + 1 - words.count))) }
    let bit = UInt64(1) << UInt64(number & 63)
    defer { words[word] |= bit }
    return words[word] & bit == 0
  }
}
