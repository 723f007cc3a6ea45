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
    var (rest, whole) = (number, 0.0)
    while rest >= 10 { (rest, whole) = (rest / 10, whole + 1) }
    // Each squaring gives one binary digit of the logarithm to base 2.
    var (fraction, weight) = (0.0, 0.5)
    for _ in 0..<24 {
      rest *= rest
      if rest >= 10 { (rest, fraction) = (rest / 10, fraction + weight) }
      weight /= 2
    }
    return whole + fraction
  }
}
