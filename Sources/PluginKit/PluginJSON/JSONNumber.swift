/// The syntax of JSON numbers.
///
/// - Source: RFC 8259, section 6.
enum JSONNumber {
  /// Returns true if a text is a JSON number.
  static func isNumber(_ text: some Sequence<UInt8>) -> Bool {
    var rest = Array(text)[...]
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let whole = digits(&rest)
    guard whole.count == 1 || whole.count > 1 && whole.first != UInt8(ascii: "0") else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      if digits(&rest).isEmpty { return false }
    }
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest.removeFirst() }
      if digits(&rest).isEmpty { return false }
    }
    return rest.isEmpty
  }

  private static func digits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    rest = rest[digits.endIndex...]
    return digits
  }

  /// The number of significant digits up to which a double holds every number.
  ///
  /// - Source: DBL_DIG of C, for IEEE 754 binary64.
  private static let exactDigits = 15

  /// Returns the double for a number with a fraction or an exponent; nil if a double cannot distinguish it from its
  /// neighbors.
  static func double(_ text: JSONText) -> Double? {
    let mantissa = text.bytes.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    var significant = mantissa.filter { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      .drop { $0 == UInt8(ascii: "0") }
    while significant.last == UInt8(ascii: "0") { significant.removeLast() }
    guard significant.count <= exactDigits, let number = text.number, number.isFinite else { return nil }
    // Digits are lost below the smallest normal number.
    return significant.isEmpty ? 0 * number : number.isNormal ? number : nil
  }
}
