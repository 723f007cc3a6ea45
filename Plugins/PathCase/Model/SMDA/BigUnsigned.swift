/// An unsigned integer of any size; the number of scenarios can exceed any machine word.
struct BigUnsigned: Sendable, Hashable {
  /// The words, lowest first, the last one not zero; empty for 0.
  private(set) var words: [UInt64]

  static let zero = BigUnsigned(words: [])
  static let one = BigUnsigned(1)

  /// Creates a number from its words, lowest first.
  init(words: some Sequence<UInt64>) {
    self.words = Array(words)
    trim()
  }

  init(_ number: some BinaryInteger) {
    precondition(number >= 0, "a count is never below zero")
    words = []
    var remaining = number
    while remaining > 0 {
      words.append(UInt64(truncatingIfNeeded: remaining))
      // The shift is done in two steps, because Swift rejects a shift by all bits of a narrow type.
      remaining = (remaining >> 32) >> 32
    }
  }

  /// Creates a number from decimal digits; nil if the text is empty or contains anything else.
  init?(_ text: some StringProtocol) {
    guard !text.isEmpty else { return nil }
    self.init(0)
    for byte in text.utf8 {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      multiply(by: 10)
      self += BigUnsigned(byte - UInt8(ascii: "0"))
    }
  }

  var isZero: Bool { words.isEmpty }

  /// The number of significant binary digits; 0 for 0.
  var bitCount: Int {
    guard let last = words.last else { return 0 }
    return words.count * 64 - last.leadingZeroBitCount
  }

  /// The value, if it fits into a machine word.
  var small: Int? {
    switch words.count {
    case 0: 0
    case 1: Int(exactly: words[0])
    default: nil
    }
  }

  /// The nearest floating-point number; infinite beyond about 10^308.
  var approximate: Double {
    words.reversed().reduce(0) { $0 * 0x1p64 + Double($1) }
  }

  private mutating func trim() {
    while words.last == 0 { words.removeLast() }
  }
}

extension BigUnsigned: Comparable {
  static func < (left: BigUnsigned, right: BigUnsigned) -> Bool {
    if left.words.count != right.words.count { return left.words.count < right.words.count }
    for index in left.words.indices.reversed() where left.words[index] != right.words[index] {
      return left.words[index] < right.words[index]
    }
    return false
  }
}

extension BigUnsigned {
  static func + (left: BigUnsigned, right: BigUnsigned) -> BigUnsigned {
    var sum = left
    sum += right
    return sum
  }

  static func += (left: inout BigUnsigned, right: BigUnsigned) {
    var carry: UInt64 = 0
    for index in 0..<max(left.words.count, right.words.count) {
      if index == left.words.count { left.words.append(0) }
      let (first, overflow) = left.words[index].addingReportingOverflow(
        index < right.words.count ? right.words[index] : 0)
      let (second, again) = first.addingReportingOverflow(carry)
      left.words[index] = second
      carry = overflow || again ? 1 : 0
    }
    if carry > 0 { left.words.append(carry) }
  }

  /// Returns the difference; the right operand must not be larger.
  static func - (left: BigUnsigned, right: BigUnsigned) -> BigUnsigned {
    var difference = left
    difference -= right
    return difference
  }

  static func -= (left: inout BigUnsigned, right: BigUnsigned) {
    precondition(right <= left, "a count is never below zero")
    var borrow: UInt64 = 0
    for index in left.words.indices {
      let (first, overflow) = left.words[index].subtractingReportingOverflow(
        index < right.words.count ? right.words[index] : 0)
      let (second, again) = first.subtractingReportingOverflow(borrow)
      left.words[index] = second
      borrow = overflow || again ? 1 : 0
    }
    left.trim()
  }

  /// Returns the product.
  ///
  /// - Complexity: The product of both lengths; counts have few words.
  static func * (left: BigUnsigned, right: BigUnsigned) -> BigUnsigned {
    guard !left.isZero, !right.isZero else { return .zero }
    var product = [UInt64](repeating: 0, count: left.words.count + right.words.count)
    for (index, word) in left.words.enumerated() {
      var carry: UInt64 = 0
      for (offset, other) in right.words.enumerated() {
        let (high, low) = word.multipliedFullWidth(by: other)
        let sum = UInt128(high) << 64 + UInt128(low) + UInt128(product[index + offset]) + UInt128(carry)
        product[index + offset] = UInt64(truncatingIfNeeded: sum)
        carry = UInt64(truncatingIfNeeded: sum >> 64)
      }
      product[index + right.words.count] = carry
    }
    return BigUnsigned(words: product)
  }

  /// Multiplies by one word.
  mutating func multiply(by factor: UInt64) {
    var carry: UInt64 = 0
    for index in words.indices {
      let (high, low) = words[index].multipliedFullWidth(by: factor)
      let (sum, overflow) = low.addingReportingOverflow(carry)
      words[index] = sum
      carry = high + (overflow ? 1 : 0)
    }
    if carry > 0 { words.append(carry) }
    trim()
  }

  /// Divides by one word and returns the remainder.
  mutating func divide(by divisor: UInt64) -> UInt64 {
    var remainder: UInt64 = 0
    for index in words.indices.reversed() {
      (words[index], remainder) = divisor.dividingFullWidth((remainder, words[index]))
    }
    trim()
    return remainder
  }

  /// Returns the ratio to another number; 0 if that is 0.
  ///
  /// Both are first reduced to their highest bits, so that numbers beyond 10^308 have a ratio too.
  func share(of whole: BigUnsigned) -> Double {
    guard !whole.isZero else { return 0 }
    let dropped = max(0, whole.words.count - 4)
    let part = BigUnsigned(words: words.dropFirst(dropped))
    return part.approximate / BigUnsigned(words: whole.words.dropFirst(dropped)).approximate
  }

  /// Returns a uniformly distributed random number below a bound, which must not be 0.
  static func random(below bound: BigUnsigned, using source: inout some RandomNumberGenerator) -> BigUnsigned {
    precondition(!bound.isZero, "there is nothing below zero")
    let surplus = (64 - bound.bitCount % 64) % 64
    while true {
      var words = bound.words.map { _ in source.next() as UInt64 }
      words[words.count - 1] >>= UInt64(surplus)
      let number = BigUnsigned(words: words)
      if number < bound { return number }
    }
  }
}

extension BigUnsigned: CustomStringConvertible, ExpressibleByIntegerLiteral {
  init(integerLiteral number: UInt64) { self.init(number) }

  /// The decimal digits.
  var description: String {
    guard !isZero else { return "0" }
    var groups: [String] = []
    var remaining = self
    while !remaining.isZero {
      let group = String(remaining.divide(by: 1_000_000_000_000_000_000))
      groups.append(remaining.isZero ? group : String(repeating: "0", count: 18 - group.utf8.count) + group)
    }
    return groups.reversed().joined()
  }
}

extension BigUnsigned {
  /// The digits in groups of three separated by narrow spaces, such as `4 107 427`.
  var grouped: String {
    let digits = Array(description)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append("\u{202F}") }
      text.append(digit)
    }
    return text
  }

  /// The power of ten with one decimal, such as `10^12.6`; nil for small numbers, which are clearer in full.
  var powerOfTen: String? {
    let digits = Array(description.utf8)
    guard digits.count > 6 else { return nil }
    // The first fifteen digits are exact as a floating-point number; the others only shift the decimal point.
    let leading = digits.prefix(15).reduce(0.0) { $0 * 10 + Double($1 - UInt8(ascii: "0")) }
    let tenths = Int((Self.decimalLogarithm(leading) + Double(digits.count - min(15, digits.count))) * 10 + 0.5)
    return "10^\(tenths / 10).\(tenths % 10)"
  }

  /// Returns the logarithm to base 10 of a number from 1, accurate to the first decimal.
  private static func decimalLogarithm(_ number: Double) -> Double {
    var (remaining, whole) = (number, 0.0)
    while remaining >= 10 { (remaining, whole) = (remaining / 10, whole + 1) }
    // Each squaring gives one binary digit of the logarithm to base 2.
    var (fraction, weight) = (0.0, 0.5)
    for _ in 0..<24 {
      remaining *= remaining
      if remaining >= 10 { (remaining, fraction) = (remaining / 10, fraction + weight) }
      weight /= 2
    }
    return whole + fraction
  }
}
