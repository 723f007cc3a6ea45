/// Finds where the start tag of a sensor's data may end, so that the bytes behind it can be taken past the reader of XML.
struct TagEndFinder {
  private static let name = Array("sensorData".utf8)

  /// The number of characters of the name matched before the next byte.
  private var matched = 0
  /// True if the name followed the last `<`.
  private var hasName = false

  /// Inspects the next bytes.
  ///
  /// - Returns: How many bytes there are up to such an end, and whether they end with one; otherwise all of them.
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
