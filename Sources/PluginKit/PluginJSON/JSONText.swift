/// Bytes of a document that are good only within the call that hands them over.
@frozen
public struct JSONText {
  /// UTF-8.
  public let bytes: UnsafeBufferPointer<UInt8>

  /// Makes a text of bytes that someone else keeps.
  @inlinable
  public init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The text by itself.
  @inlinable
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// The whole number that a number is; nil if it has a fraction or an exponent, or more than 64 bits.
  @inlinable
  public var integer: Int? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    var value = 0
    for byte in isNegative ? bytes.dropFirst() : bytes[...] {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      let (tens, isLarge) = value.multipliedReportingOverflow(by: 10)
      let digit = Int(byte - UInt8(ascii: "0"))
      // Below zero, because there is one number more.
      let (next, isLarger) = tens.subtractingReportingOverflow(digit)
      if isLarge || isLarger { return nil }
      value = next
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  /// The number nearest to a number.
  @inlinable
  public var number: Double? { Double(string) }

  /// Whether it is these bytes; for `case .key("name")`.
  @inlinable
  public static func ~= (pattern: StaticString, text: JSONText) -> Bool {
    let other = UnsafeBufferPointer(start: pattern.utf8Start, count: pattern.utf8CodeUnitCount)
    return text.bytes.count == other.count && text.bytes.elementsEqual(other)
  }
}
