extension BigUnsigned {
  /// Its digits in groups of three with narrow gaps between them, such as `4 107 427`.
  var grouped: String {
    let digits = Array(description)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append("\u{202F}") }
      text.append(digit)
    }
    return text
  }

  /// Its power of ten with one digit behind the point, such as `10^12.6`; nil for small ones, which say more themselves.
  var powerOfTen: String? {
    let digits = Array(description.utf8)
    guard digits.count > 6 else { return nil }
    // The first fifteen digits are exact as a floating-point number; the others only shift the point.
    let leading = digits.prefix(15).reduce(0.0) { $0 * 10 + Double($1 - UInt8(ascii: "0")) }
    let tenths = Int((Self.decimalLogarithm(leading) + Double(digits.count - min(15, digits.count))) * 10 + 0.5)
    return "10^\(tenths / 10).\(tenths % 10)"
  }

  /// The logarithm to the base 10 of a number from 1 on, to a few digits: enough for one behind the point.
  private static func decimalLogarithm(_ number: Double) -> Double {
    var (rest, whole) = (number, 0.0)
    while rest >= 10 { (rest, whole) = (rest / 10, whole + 1) }
    // A digit of the logarithm in the base 2 for each squaring.
    var (fraction, weight) = (0.0, 0.5)
    for _ in 0..<24 {
      rest *= rest
      if rest >= 10 { (rest, fraction) = (rest / 10, fraction + weight) }
      weight /= 2
    }
    return whole + fraction
  }
}
