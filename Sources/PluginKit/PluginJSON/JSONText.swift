/// Bytes of a document that are valid only within the call that receives them.
@frozen
public struct JSONText {
  /// UTF-8.
  public let bytes: UnsafeBufferPointer<UInt8>

  /// Creates a text from bytes owned by someone else.
  @inlinable
  public init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// A copy of the text.
  @inlinable
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// The whole number; nil if the number has a fraction or an exponent, or more than 64 bits.
  @inlinable
  public var integer: Int? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    var value = 0
    for byte in isNegative ? bytes.dropFirst() : bytes[...] {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      let (tens, isLarge) = value.multipliedReportingOverflow(by: 10)
      let digit = Int(byte - UInt8(ascii: "0"))
      // Negative, because that range has one more number.
      let (next, isLarger) = tens.subtractingReportingOverflow(digit)
      if isLarge || isLarger { return nil }
      value = next
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// The nearest double; nil if the text is not a number.
  @inlinable
  public var number: Double? { Double(string) }

  /// Returns true if the text equals these bytes; for `case .key("name")`.
  @inlinable
  public static func ~= (pattern: StaticString, text: JSONText) -> Bool {
    let other = UnsafeBufferPointer(start: pattern.utf8Start, count: pattern.utf8CodeUnitCount)
    return text.bytes.count == other.count && text.bytes.elementsEqual(other)
  }
}
