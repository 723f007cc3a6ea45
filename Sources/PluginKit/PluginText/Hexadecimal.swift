/// Hexadecimal text, with two digits per byte.
public enum Hexadecimal {
  /// Returns the digits of bytes.
  public static func text(_ bytes: some Sequence<UInt8>, isUppercase: Bool = false) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
      digits.append(digit(byte >> 4, isUppercase: isUppercase))
      digits.append(digit(byte & 15, isUppercase: isUppercase))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Returns the digits of a number, with leading zeros up to a length.
  public static func text(_ number: some UnsignedInteger, digits count: Int, isUppercase: Bool = false) -> String {
    let digits = String(number, radix: 16, uppercase: isUppercase)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }

  /// Returns the bytes of digits of either case; nil for a text with other characters or an odd number of digits.
  public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 2)
    var high: UInt8?
    for digit in text.utf8 {
      guard let value = value(digit) else { return nil }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? bytes : nil
  }

  /// Returns the ASCII digit of a value from 0 to 15.
  public static func digit(_ value: UInt8, isUppercase: Bool = false) -> UInt8 {
    precondition(value < 16, "a hexadecimal digit has a value below 16")
    return value < 10 ? 0x30 + value : (isUppercase ? 0x41 : 0x61) + value - 10
  }

  /// Returns the value of an ASCII digit; nil for any other byte.
  public static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }
}
