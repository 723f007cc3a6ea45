import Glibc

/// Bytes to find within other bytes, such as a word in the output of a tool.
struct BytePattern {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Makes a pattern of the UTF-8 bytes of a text.
  init(_ text: String) { self.init(Array(text.utf8)) }

  /// Returns the indices of the first occurrence; nil if there is none.
  ///
  /// An empty pattern occurs at the start.
  func firstRange(in content: ArraySlice<UInt8>) -> Range<Int>? {
    guard let first = bytes.first else { return content.startIndex..<content.startIndex }
    guard content.count >= bytes.count else { return nil }
    let found = content.withUnsafeBytes { content -> Int in
      var offset = 0
      let last = content.count - bytes.count
      while let start = content.baseAddress, offset <= last,
        let next = memchr(start + offset, Int32(first), last - offset + 1)
      {
        offset = UnsafeRawPointer(next) - start
        if memcmp(next, bytes, bytes.count) == 0 { return offset }
        offset += 1
      }
      return -1
    }
    return found < 0 ? nil : content.startIndex + found..<content.startIndex + found + bytes.count
  }

  /// Returns the offsets in the UTF-8 bytes of the first occurrence in a text; nil if there is none.
  func firstRange(in text: String) -> Range<Int>? { firstRange(in: Array(text.utf8)[...]) }

  /// Returns a text in which every occurrence is replaced; unchanged if the pattern is empty.
  func replaced(by other: String, in text: String) -> String {
    if bytes.isEmpty { return text }
    var remaining = Array(text.utf8)[...]
    var result: [UInt8] = []
    while let range = firstRange(in: remaining) {
      result += remaining[..<range.lowerBound]
      result += other.utf8
      remaining = remaining[range.upperBound...]
    }
    return String(decoding: result + remaining, as: UTF8.self)
  }
}
