internal import Glibc

/// A search for bytes within bytes, and for text within text byte for byte.
public enum ByteSearch {
  /// Returns the first index at which bytes occur within others; nil if they do not occur.
  ///
  /// Empty bytes occur at the start.
  /// - Complexity: linear, except for bytes that repeat the beginning of the pattern.
  @inlinable
  public static func firstIndex<Bytes: Collection<UInt8>>(
    of part: some Collection<UInt8>, in bytes: Bytes
  ) -> Bytes.Index? {
    let found: Int? = storage(of: part) { part -> Int? in
      storage(of: bytes) { bytes -> Int? in offset(of: part, in: bytes) }
    }
    return found.map { bytes.index(bytes.startIndex, offsetBy: $0) }
  }

  /// Returns true if bytes occur within others; empty bytes always do.
  ///
  /// - Complexity: linear, except for bytes that repeat the beginning of the pattern.
  @inlinable
  public static func contains(_ part: some Collection<UInt8>, in bytes: some Collection<UInt8>) -> Bool {
    firstIndex(of: part, in: bytes) != nil
  }

  /// Returns a text in which every occurrence of another one is replaced; unchanged if the other one is empty.
  ///
  /// - Complexity: linear, except for bytes that repeat the beginning of the pattern.
  public static func replacing(_ part: String, in text: String, with replacement: String) -> String {
    if part.isEmpty { return text }
    let (bytes, wanted) = (Array(text.utf8), Array(part.utf8))
    var out: [UInt8] = []
    var rest = bytes[...]
    while let start = firstIndex(of: wanted, in: rest) {
      out += rest[..<start]
      out += replacement.utf8
      rest = rest[(start + wanted.count)...]
    }
    return String(decoding: out + rest, as: UTF8.self)
  }

  /// Returns the first offset at which bytes occur within others; nil if they do not occur.
  public static func offset(of part: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let wanted = part.baseAddress, !part.isEmpty else { return 0 }
    guard let start = bytes.baseAddress, part.count <= bytes.count else { return nil }
    let last = bytes.count - part.count
    var offset = 0
    while offset <= last, let next = memchr(start + offset, Int32(part[0]), last - offset + 1) {
      offset = UnsafeRawPointer(next) - start
      if memcmp(next, wanted, part.count) == 0 { return offset }
      offset += 1
    }
    return nil
  }

  @inlinable
  static func storage<Result>(
    of bytes: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let result = bytes.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
    return result ?? Array(bytes).withUnsafeBytes { body($0) }
  }
}
