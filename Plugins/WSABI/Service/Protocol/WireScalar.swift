import PluginText

/// A parser of the texts of plain values by their type.
///
/// - Source: XML Schema 1.1, part 2 (W3C, April 2012), sections 3.3 and 3.4.
enum WireScalar {
  /// Returns the value of a text; nil if it does not match the type, or the type is not one of these.
  static func value(_ text: String, type: String) -> WireValue? {
    let bare = text.trimmed()
    switch type {
    case "string": return .string(text)
    case "boolean": return boolean(bare).map { .boolean($0) }
    case "float", "double": return number(bare).map { .double($0, type: type) }
    case "decimal": return isDecimal(bare) ? .decimal(bare, type: type) : nil
    case "dateTime": return isDateTime(bare) ? .dateTime(bare) : nil
    case "anyURI": return .uri(bare)
    case "base64Binary": return Base64.bytes(bare).map { .bytes($0) }
    default: return bounds[type].flatMap { integer(bare, type: type, $0) }
    }
  }

  /// Integer types with the smallest and the largest number of each; nil for no bound, or none within 64 bits.
  private static let bounds: [String: (least: Int?, greatest: Int?)] = [
    "integer": (nil, nil), "nonNegativeInteger": (0, nil), "positiveInteger": (1, nil),
    "nonPositiveInteger": (nil, 0), "negativeInteger": (nil, -1), "unsignedLong": (0, nil),
    "long": (Int.min, Int.max), "int": (Int(Int32.min), Int(Int32.max)), "short": (-32_768, 32_767),
    "byte": (-128, 127), "unsignedInt": (0, Int(UInt32.max)), "unsignedShort": (0, 65_535), "unsignedByte": (0, 255),
  ]

  /// Returns true if a type of XML Schema is one of those that are distinguished.
  static func knows(_ type: String) -> Bool {
    bounds[type] != nil
      || ["string", "boolean", "float", "double", "decimal", "dateTime", "anyURI", "base64Binary"].contains(type)
  }

  static func boolean(_ text: String) -> Bool? {
    switch text {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  private static func integer(
    _ text: String, type: String, _ bounds: (least: Int?, greatest: Int?)
  ) -> WireValue? {
    let digits =
      text.utf8.first == UInt8(ascii: "-") || text.utf8.first == UInt8(ascii: "+") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(isDigit) else { return nil }
    guard let number = Int(text) else {
      // A number beyond 64 bits exceeds every bound on its side.
      let isNegative = text.utf8.first == UInt8(ascii: "-")
      let bound = isNegative ? bounds.least : bounds.greatest
      if bound != nil { return nil }
      if type == "unsignedLong", UInt64(text) == nil { return nil }
      return .decimal(text, type: type)
    }
    if let least = bounds.least, number < least { return nil }
    if let greatest = bounds.greatest, number > greatest { return nil }
    return .integer(number, type: type)
  }

  /// Returns true if a text is a number in the notation of `decimal`.
  static func isDecimal(_ text: String) -> Bool {
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    let whole = rest.prefix(while: isDigit)
    rest = rest.dropFirst(whole.count)
    if rest.isEmpty { return !whole.isEmpty }
    guard rest.first == UInt8(ascii: ".") else { return false }
    return rest.dropFirst().allSatisfy(isDigit) && whole.count + rest.count > 1
  }

  /// Returns the number of a `float` or `double`; nil if the text is malformed, or too large for 64 bits.
  static func number(_ text: String) -> Double? {
    switch text {
    case "NaN": return .nan
    case "INF", "+INF": return .infinity
    case "-INF": return -.infinity
    default: break
    }
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    guard let mantissa = parts.first, isDecimal(String(mantissa)), parts.count <= 2 else { return nil }
    if parts.count == 2 {
      let exponent = parts[1].utf8
      let digits =
        exponent.first == UInt8(ascii: "-") || exponent.first == UInt8(ascii: "+")
        ? exponent.dropFirst() : exponent[...]
      guard (1...9).contains(digits.count), digits.allSatisfy(isDigit) else { return nil }
    }
    guard let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// Returns true if a text is a date and time: `2012-02-14T09:30:15.1234567-05:00`, with optional fraction and zone.
  static func isDateTime(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, bytes.count <= 64 else { return false }
    let marks: [Int: UInt8] = [4: 0x2D, 7: 0x2D, 10: 0x54, 13: 0x3A, 16: 0x3A]
    for (index, byte) in bytes.prefix(19).enumerated() {
      if let mark = marks[index] {
        if byte != mark { return false }
      } else if !isDigit(byte) {
        return false
      }
    }
    func number(_ start: Int) -> Int { Int(bytes[start] - 0x30) * 10 + Int(bytes[start + 1] - 0x30) }
    guard (1...12).contains(number(5)), (1...31).contains(number(8)), number(11) <= 24, number(14) < 60,
      number(17) <= 60
    else { return false }
    return isRestOfTime(bytes[19...])
  }

  /// Returns true if bytes are a fraction of a second, a zone, both or neither.
  private static func isRestOfTime(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix(while: isDigit)
      if digits.isEmpty { return false }
      rest = rest.dropFirst(1 + digits.count)
    }
    if rest.isEmpty || rest.elementsEqual("Z".utf8) { return true }
    let zone = Array(rest)
    guard zone.count == 6, zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-"), zone[3] == UInt8(ascii: ":")
    else { return false }
    return [1, 2, 4, 5].allSatisfy { isDigit(zone[$0]) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
