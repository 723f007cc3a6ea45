import PluginText

/// Parses numbers by the rules of XML Schema, independent of the locale.
///
/// - Source: XML Schema Part 2, sections 3.2.5 (double) and 3.3.13 (integer), without NaN and infinity.
enum ContractNumber {
  /// Returns whether a byte is XML whitespace.
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  /// Returns the number in a text; nil if it is not a finite number.
  static func double(_ text: String) -> Double? {
    let text = text.trimmed()
    guard isDecimal(text.utf8[...]), let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// Returns the integer in a text; nil if it is not an integer.
  static func integer(_ text: String) -> Int? {
    let text = text.trimmed()
    var digits = Array(text.utf8)
    if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
    return Int(text)
  }

  /// Returns whether a text consists of digits with at most one decimal point, and optionally a sign and an exponent.
  private static func isDecimal(_ bytes: Substring.UTF8View) -> Bool {
    var remaining = bytes[...]
    dropSign(&remaining)
    var digits = dropDigits(&remaining)
    if remaining.first == UInt8(ascii: ".") {
      remaining.removeFirst()
      digits += dropDigits(&remaining)
    }
    guard digits > 0 else { return false }
    guard let mark = remaining.first else { return true }
    guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return false }
    remaining.removeFirst()
    dropSign(&remaining)
    return dropDigits(&remaining) > 0 && remaining.isEmpty
  }

  private static func dropSign(_ remaining: inout Substring.UTF8View) {
    if remaining.first == UInt8(ascii: "-") || remaining.first == UInt8(ascii: "+") { remaining.removeFirst() }
  }

  private static func dropDigits(_ remaining: inout Substring.UTF8View) -> Int {
    let count = remaining.prefix(while: isDigit).count
    remaining = remaining.dropFirst(count)
    return count
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
