import Glibc

/// Rejects documents whose elements have so many attributes that reading them would take too long.
///
/// libxml2 compares each attribute of an element with all others, so the time grows with the square of their number:
/// 20,000 take 0.07 s, and a document of nothing else would take hours. It does so before it reports the element. It
/// also looks up the namespace of each element among all those declared by its ancestors, one by one.
struct AttributeBudget {
  /// The maximum sum, over all elements, of the squared numbers of attributes: five times 20,000 squared.
  static let limit = 1 << 31

  private let bytes: UnsafeBufferPointer<UInt8>
  /// The offset of the scan.
  private var offset = 0
  /// The number of attributes of each open element, and their total: any of them may declare a namespace.
  private var open: [Int] = []
  private var openCount = 0

  /// The cost of a namespace lookup, relative to the comparison of two attributes.
  private static let namespaceCost = 4

  /// Returns whether a document is within the budget.
  ///
  /// - Complexity: Linear; about 1 ms for 2 MB.
  static func suffices(for bytes: [UInt8]) -> Bool {
    // An attribute has at least five bytes: `a=""` and a space.
    let most = bytes.count / 5
    if most.multipliedReportingOverflow(by: most).partialValue <= limit { return true }
    return bytes.withUnsafeBufferPointer { pointer in
      var budget = Self(bytes: pointer)
      return budget.holds()
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private mutating func holds() -> Bool {
    var spent = 0
    while skip(behind: UInt8(ascii: "<")), offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "?"): skip(behind: "?>")
      case UInt8(ascii: "!") where follows("!--"):
        offset += 3
        skip(behind: "-->")
      case UInt8(ascii: "!") where follows("!["): skip(behind: "]]>")
      case UInt8(ascii: "!"): _ = attributes()
      case UInt8(ascii: "/"):
        if let count = open.popLast() { openCount -= count }
      default:
        let count = attributes()
        spent += count * count + Self.namespaceCost * (openCount + count)
        if spent > Self.limit { return false }
        if offset > 1, bytes[offset - 2] != UInt8(ascii: "/") {
          open.append(count)
          openCount += count
        }
      }
    }
    return true
  }

  /// Returns whether a text follows at the scan's offset.
  private func follows(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - offset >= count, let start = bytes.baseAddress else { return false }
    return memcmp(start + offset, text.utf8Start, count) == 0
  }

  /// Counts the quoted values up to the end of the tag.
  private mutating func attributes() -> Int {
    var count = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte == UInt8(ascii: ">") { return count }
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        count += 1
        if !skip(behind: byte) { return count }
      }
    }
    return count
  }

  /// Skips past the next byte with a value, or to the end.
  ///
  /// - Returns: True if there was one.
  @discardableResult private mutating func skip(behind byte: UInt8) -> Bool {
    let remaining = bytes.count - offset
    guard remaining > 0, let start = bytes.baseAddress, let found = memchr(start + offset, Int32(byte), remaining)
    else {
      offset = bytes.count
      return false
    }
    offset = UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1
    return true
  }

  /// Skips past the next delimiter that ends with `>`, or to the end.
  private mutating func skip(behind mark: StaticString) {
    let count = mark.utf8CodeUnitCount
    let start = offset
    while skip(behind: UInt8(ascii: ">")) {
      guard offset - start >= count, let end = bytes.baseAddress.map({ $0 + offset }) else { continue }
      if memcmp(end - count, mark.utf8Start, count) == 0 { return }
    }
  }
}
