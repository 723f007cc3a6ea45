/// Reads MessagePack data value by value, without building a tree.
///
/// Lengths are checked against the remaining bytes before use, and values are skipped without recursion: neither a
/// false length nor deep nesting costs memory or stack.
/// - Source: MessagePack specification, https://github.com/msgpack/msgpack/blob/master/spec.md
struct MessagePackReader {
  /// One value, or the head of a collection whose elements follow.
  enum Item {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    /// A UTF-8 text, by its range in the file.
    case text(Range<Int>)
    /// Bytes, or an extension, by their range in the file.
    case data(Range<Int>)
    /// The head of an array with a number of elements.
    case array(Int)
    /// The head of a map with a number of pairs of key and value.
    case map(Int)
  }

  let bytes: UnsafeBufferPointer<UInt8>
  /// The offset of the next byte.
  var offset: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  /// Reads the next value or head.
  ///
  /// - Throws: ``MessagePackError``.
  mutating func next() throws(MessagePackError) -> Item {
    let start = offset
    let head = try unsigned(1)
    switch head {
    case 0x00...0x7F: return .integer(head)
    case 0x80...0x8F: return .map(try counted(head & 15, bytesEach: 2, start))
    case 0x90...0x9F: return .array(try counted(head & 15, bytesEach: 1, start))
    case 0xA0...0xBF: return .text(try range(head & 31, start))
    case 0xC0: return .null
    case 0xC2, 0xC3: return .bool(head == 0xC3)
    case 0xC4...0xC6: return .data(try range(try unsigned(1 << (head - 0xC4)), start))
    case 0xC7...0xC9: return .data(try range(try unsigned(1 << (head - 0xC7)) + 1, start))
    case 0xCA: return .number(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try unsigned(4)))))
    case 0xCB: return .number(Double(bitPattern: UInt64(bitPattern: Int64(try unsigned(8)))))
    case 0xCC...0xCE: return .integer(try unsigned(1 << (head - 0xCC)))
    case 0xCF:
      let value = try unsigned(8)
      return value >= 0 ? .integer(value) : .number(Double(UInt(bitPattern: value)))
    case 0xD0...0xD3: return .integer(try signed(1 << (head - 0xD0)))
    case 0xD4...0xD8: return .data(try range(1 + 1 << (head - 0xD4), start))
    case 0xD9...0xDB: return .text(try range(try unsigned(1 << (head - 0xD9)), start))
    case 0xDC, 0xDD: return .array(try counted(try unsigned(head == 0xDC ? 2 : 4), bytesEach: 1, start))
    case 0xDE, 0xDF: return .map(try counted(try unsigned(head == 0xDE ? 2 : 4), bytesEach: 2, start))
    case 0xE0...0xFF: return .integer(head - 256)
    default: throw .unexpected(offset: start, expected: "a MessagePack value")
    }
  }

  /// Skips the next value with its contents.
  ///
  /// - Complexity: linear in its bytes, excluding binary data.
  mutating func skip() throws(MessagePackError) {
    var open = 1
    while open > 0 {
      open -= 1
      switch try next() {
      case .array(let count): open += count
      case .map(let count): open += 2 * count
      default: break
      }
    }
  }

  /// Reads the head of a map and returns its number of pairs.
  mutating func mapCount() throws(MessagePackError) -> Int {
    let start = offset
    guard case .map(let count) = try next() else { throw .unexpected(offset: start, expected: "a map") }
    return count
  }

  /// Reads the head of an array and returns its number of elements.
  mutating func arrayCount() throws(MessagePackError) -> Int {
    let start = offset
    guard case .array(let count) = try next() else { throw .unexpected(offset: start, expected: "an array") }
    return count
  }

  /// Reads a text and returns its range in the file.
  mutating func text() throws(MessagePackError) -> Range<Int> {
    let start = offset
    guard case .text(let range) = try next() else { throw .unexpected(offset: start, expected: "a text") }
    return range
  }

  /// Reads a text and returns it in lower case.
  mutating func word() throws(MessagePackError) -> String {
    String(decoding: bytes[try text()], as: UTF8.self).lowercased()
  }

  /// Reads bytes and returns their range in the file; writers before 2013 have no separate type for them.
  mutating func data() throws(MessagePackError) -> Range<Int> {
    let start = offset
    switch try next() {
    case .data(let range), .text(let range): return range
    default: throw .unexpected(offset: start, expected: "binary data")
    }
  }

  mutating func number() throws(MessagePackError) -> Double {
    let start = offset
    switch try next() {
    case .integer(let value): return Double(value)
    case .number(let value): return value
    case .bool(let value): return value ? 1 : 0
    default: throw .unexpected(offset: start, expected: "a number")
    }
  }

  /// Reads an integer; one that is too large becomes the largest 32-bit integer.
  mutating func integer() throws(MessagePackError) -> Int {
    let value = try number()
    return value.isNaN ? 0 : Int(max(-2_147_483_648, min(value, 2_147_483_647)))
  }

  /// Reads a big-endian number of 1, 2, 4 or 8 bytes; one of eight may become negative.
  private mutating func unsigned(_ count: Int) throws(MessagePackError) -> Int {
    guard bytes.count - offset >= count else { throw .truncated(offset: bytes.count) }
    var value: UInt = 0
    for _ in 0..<count {
      value = value << 8 | UInt(bytes[offset])
      offset += 1
    }
    return Int(bitPattern: value)
  }

  private mutating func signed(_ count: Int) throws(MessagePackError) -> Int {
    let shift = 64 - 8 * count
    return (try unsigned(count) << shift) >> shift
  }

  private mutating func range(_ count: Int, _ start: Int) throws(MessagePackError) -> Range<Int> {
    guard bytes.count - offset >= count else { throw .truncated(offset: start) }
    defer { offset += count }
    return offset..<offset + count
  }

  private func counted(_ count: Int, bytesEach: Int, _ start: Int) throws(MessagePackError) -> Int {
    guard (bytes.count - offset) / bytesEach >= count else { throw .truncated(offset: start) }
    return count
  }
}

/// An error in MessagePack data.
enum MessagePackError: Error, Equatable, CustomStringConvertible {
  /// The data end inside the value that begins at this offset, or its length is false.
  case truncated(offset: Int)
  /// The value at this offset is not of the expected kind.
  case unexpected(offset: Int, expected: String)

  /// The byte offset, from 0.
  var offset: Int {
    switch self {
    case .truncated(let offset), .unexpected(let offset, _): offset
    }
  }

  var description: String {
    switch self {
    case .truncated(let offset): "the data ends inside the value at byte \(offset)"
    case .unexpected(let offset, let expected): "byte \(offset) is not the start of \(expected)"
    }
  }
}
