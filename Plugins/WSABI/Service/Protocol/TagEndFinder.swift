/// A finder of the possible end of the sensor data's start tag, so that the bytes after it can bypass the XML parser.
struct TagEndFinder {
  private static let name = Array("sensorData".utf8)

  /// The number of characters of the name matched before the next byte.
  private var matched = 0
  /// True if the name followed the last `<`.
  private var hasName = false

  /// Inspects the next bytes.
  ///
  /// - Returns: The number of bytes up to such an end, and true if there is one; otherwise all bytes.
  mutating func next(_ bytes: UnsafeRawBufferPointer) -> (count: Int, isEnd: Bool) {
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "<"): (matched, hasName) = (0, false)
      case UInt8(ascii: ">") where hasName: return (index + 1, true)
      case Self.name[matched]:
        matched += 1
        if matched == Self.name.count { (matched, hasName) = (0, true) }
      default: matched = byte == Self.name[0] ? 1 : 0
      }
    }
    return (bytes.count, false)
  }
}
