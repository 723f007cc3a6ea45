/// Escapes text for XML and HTML, so that it reads back unchanged.
///
/// Characters that XML cannot represent become U+FFFD. Attributes must be enclosed in double quotes.
///
/// - Source: XML 1.0 (fifth edition), sections 2.2 (characters), 2.4 (character data), 2.11 (line ends), 3.3.3 (attributes).
public enum XMLEscape {
  /// Returns escaped text for use between tags; line feeds and tabs stay.
  public static func content(_ text: some StringProtocol) -> String {
    if isPlain(text, inAttribute: false) { return String(text) }
    var bytes: [UInt8] = []
    append(content: text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns escaped text for an attribute's value; line feeds and tabs become references, which readers do not turn
  /// into spaces.
  public static func attribute(_ text: some StringProtocol) -> String {
    if isPlain(text, inAttribute: true) { return String(text) }
    var bytes: [UInt8] = []
    append(attribute: text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends escaped text for use between tags to bytes.
  public static func append(content text: some StringProtocol, to bytes: inout [UInt8]) {
    append(text, inAttribute: false, to: &bytes)
  }

  /// Appends escaped text for an attribute's value to bytes.
  public static func append(attribute text: some StringProtocol, to bytes: inout [UInt8]) {
    append(text, inAttribute: true, to: &bytes)
  }

  /// Returns the first scalar that XML cannot represent; nil if there is none.
  public static func forbidden(in text: some StringProtocol) -> Unicode.Scalar? {
    text.unicodeScalars.first { isForbidden($0) }
  }

  /// Returns the number of a character reference such as `#8211` and `#x2013`, given without `&` and `;`.
  ///
  /// - Returns: The number, which need not be that of a character; nil for other text, and for more than 32 bits.
  public static func number(ofReference name: some StringProtocol) -> UInt32? {
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
    let text = isHexadecimal ? digits.dropFirst() : digits
    // A sign is not a digit, although parsers of numbers accept it.
    guard text.utf8.allSatisfy({ Hexadecimal.value($0) != nil }) else { return nil }
    return UInt32(text, radix: isHexadecimal ? 16 : 10)
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0xFFFE, 0xFFFF: true
    default: false
    }
  }

  /// Returns a Boolean value indicating whether a text is ASCII that needs no escapes.
  private static func isPlain(_ text: some StringProtocol, inAttribute: Bool) -> Bool {
    text.utf8.allSatisfy { byte in
      switch byte {
      case 0x22, 0x26, 0x3C, 0x3E: false
      case 0x20..<0x80: true
      case 0x09, 0x0A: !inAttribute
      default: false
      }
    }
  }

  private static func append(_ text: some StringProtocol, inAttribute: Bool, to bytes: inout [UInt8]) {
    if isPlain(text, inAttribute: inAttribute) {
      bytes.append(contentsOf: text.utf8)
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: bytes.append(contentsOf: "&amp;".utf8)
      case 0x3C: bytes.append(contentsOf: "&lt;".utf8)
      case 0x3E: bytes.append(contentsOf: "&gt;".utf8)
      case 0x22: bytes.append(contentsOf: "&quot;".utf8)
      case 0x09 where inAttribute: bytes.append(contentsOf: "&#9;".utf8)
      case 0x0A where inAttribute: bytes.append(contentsOf: "&#10;".utf8)
      // XML readers turn a carriage return into a line feed.
      case 0x0D: bytes.append(contentsOf: "&#13;".utf8)
      case 0..<0x80 where !isForbidden(scalar): bytes.append(UInt8(scalar.value))
      case _ where isForbidden(scalar): bytes.append(contentsOf: UTF8.encodedReplacementCharacter)
      default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }
}
