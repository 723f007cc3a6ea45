import PluginText

/// Numbers as XML Schema writes them, whatever the machine's language is.
///
/// - Source: XML Schema Part 2, sections 3.2.5 (double) and 3.3.13 (integer), without NaN and infinity.
enum ContractNumber {
  /// Whether a byte is a blank of XML.
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  /// The number a text stands for; nil if it is none or not finite.
  static func double(_ text: String) -> Double? {
    let text = text.trimmed()
    guard isDecimal(text.utf8[...]), let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// The whole number a text stands for; nil if it is none.
  static func integer(_ text: String) -> Int? {
    let text = text.trimmed()
    var digits = Array(text.utf8)
    if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
    return Int(text)
  }

  /// Whether a text is a sign, digits with at most one point among them, and an exponent, the first and last as wished.
  private static func isDecimal(_ bytes: Substring.UTF8View) -> Bool {
    var rest = bytes[...]
    dropSign(&rest)
    var digits = dropDigits(&rest)
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      digits += dropDigits(&rest)
    }
    guard digits > 0 else { return false }
    guard let mark = rest.first else { return true }
    guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return false }
    rest.removeFirst()
    dropSign(&rest)
    return dropDigits(&rest) > 0 && rest.isEmpty
  }

  private static func dropSign(_ rest: inout Substring.UTF8View) {
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
  }

  private static func dropDigits(_ rest: inout Substring.UTF8View) -> Int {
    let count = rest.prefix(while: isDigit).count
    rest = rest.dropFirst(count)
    return count
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
