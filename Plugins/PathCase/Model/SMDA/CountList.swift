/// A compact list of numbers of the same length, since there are very many of them.
struct CountList: Sendable {
  private let width: Int
  private var words: [UInt64]

  /// Creates a list of zeros of the given width in words.
  init(words width: Int, count: Int) {
    self.width = width
    words = Array(repeating: 0, count: width * count)
  }

  /// Creates a list of a single number.
  init(_ number: BigUnsigned) {
    width = number.words.count
    words = number.words
  }

  subscript(index: Int) -> BigUnsigned { BigUnsigned(words: words[width * index..<width * (index + 1)]) }

  func isZero(_ index: Int) -> Bool {
    for offset in 0..<width where words[width * index + offset] != 0 { return false }
    return true
  }

  /// True for each number greater than 0.
  var nonzero: [Bool] { (0..<(width == 0 ? 0 : words.count / width)).map { !isZero($0) } }

  /// Adds a number of another list whose numbers are not longer; the sum must fit.
  mutating func add(_ other: CountList, _ source: Int, to index: Int) {
    var carry = false
    for offset in 0..<width {
      let word = offset < other.width ? other.words[other.width * source + offset] : 0
      let (first, overflow) = words[width * index + offset].addingReportingOverflow(word)
      let (second, again) = first.addingReportingOverflow(carry ? 1 : 0)
      words[width * index + offset] = second
      carry = overflow || again
    }
  }

  /// Subtracts a number from another one, given by its words, unless it is larger.
  ///
  /// - Returns: True if it was subtracted.
  func subtract(_ index: Int, from number: inout [UInt64]) -> Bool {
    let start = width * index
    for offset in (0..<max(width, number.count)).reversed() {
      let mine = offset < width ? words[start + offset] : 0
      let other = offset < number.count ? number[offset] : 0
      if mine > other { return false }
      if mine < other { break }
    }
    var borrow = false
    for offset in number.indices {
      let mine = offset < width ? words[start + offset] : 0
      let (first, overflow) = number[offset].subtractingReportingOverflow(mine)
      let (second, again) = first.subtractingReportingOverflow(borrow ? 1 : 0)
      number[offset] = second
      borrow = overflow || again
    }
    return true
  }

  /// The number of bits in the largest number.
  var largestBitCount: Int {
    for offset in (0..<width).reversed() {
      var largest: UInt64 = 0
      for place in Swift.stride(from: offset, to: words.count, by: max(1, width)) {
        largest = max(largest, words[place])
      }
      if largest > 0 { return 64 * offset + 64 - largest.leadingZeroBitCount }
    }
    return 0
  }
}
