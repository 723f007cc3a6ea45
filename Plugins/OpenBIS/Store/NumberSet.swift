/// A set of entity numbers, with one bit for each number up to the largest.
struct NumberSet {
  private var words: [UInt64] = []

  /// Returns true if the set contains a number.
  func contains(_ number: Int) -> Bool {
    let word = number >> 6
    return word < words.count && words[word] >> UInt64(number & 63) & 1 != 0
  }

  /// Inserts a number.
  ///
  /// - Returns: True if the number was new.
  @discardableResult
  mutating func insert(_ number: Int) -> Bool {
    let word = number >> 6
    if word >= words.count { words.append(contentsOf: repeatElement(0, count: max(64, word + 1 - words.count))) }
    let bit = UInt64(1) << UInt64(number & 63)
    defer { words[word] |= bit }
    return words[word] & bit == 0
  }
}
