import PluginCompression

/// A compressor of a text of one repeated letter into very few bytes.
///
/// - Source: RFC 1951 section 3.2.6 (fixed Huffman codes), RFC 1952.
struct SimulatedBomb {
  private var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
  private var bits: UInt32 = 0
  private var bitCount: UInt32 = 0

  /// The longest repetition that one code represents.
  private static let repetition = 258
  /// The number of codes that fill whole bytes, and the number of these bytes.
  private static let period = (codes: 8, bytes: 13)

  /// Returns a gzip file of a head, at least a number of letters `a`, and a tail.
  static func gzip(_ head: [UInt8], count: Int, _ tail: [UInt8]) -> [UInt8] {
    var bomb = SimulatedBomb()
    // The last block, with fixed codes.
    bomb.add(0b011, 3)
    for byte in head + Array("a".utf8) { bomb.add(literal: byte) }
    bomb.repeatLast()
    let start = bomb.bytes.count
    bomb.repeatLast()
    let periods = max(0, count / (repetition * period.codes) - 1)
    let pattern = bomb.bytes[start..<(start + period.bytes)]
    for _ in 0..<periods { bomb.bytes += pattern }
    for byte in tail { bomb.add(literal: byte) }
    bomb.add(code: 0, 7)
    bomb.add(0, (8 - bomb.bitCount % 8) % 8)
    bomb.end(head, letters: 1 + (periods + 2) * period.codes * repetition, tail)
    return bomb.bytes
  }

  /// Repeats the byte before, as often as it takes to fill whole bytes.
  private mutating func repeatLast() {
    for _ in 0..<Self.period.codes {
      add(code: 0b1100_0101, 8)
      add(code: 0, 5)
    }
  }

  /// Appends a character below 144, whose code has eight bits.
  private mutating func add(literal byte: UInt8) { add(code: 0x30 + UInt32(byte), 8) }

  /// Appends a code, which begins with its highest bit.
  private mutating func add(code: UInt32, _ count: UInt32) {
    var turned: UInt32 = 0
    for bit in 0..<count where code >> bit & 1 == 1 { turned |= 1 << (count - 1 - bit) }
    add(turned, count)
  }

  private mutating func add(_ value: UInt32, _ count: UInt32) {
    bits |= value << bitCount
    bitCount += count
    while bitCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }

  /// Appends checksum and size.
  private mutating func end(_ head: [UInt8], letters: Int, _ tail: [UInt8]) {
    var checksum = CRC32()
    checksum.add(head)
    let block = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
    for start in stride(from: 0, to: letters, by: block.count) {
      checksum.add(Array(block.prefix(letters - start)))
    }
    checksum.add(tail)
    for number in [checksum.value, UInt32(truncatingIfNeeded: head.count + letters + tail.count)] {
      bytes += (0..<4).map { UInt8(number >> (8 * $0) & 255) }
    }
  }
}
