/// Checksums of files, and gzip without compression.
enum SimulatedChecksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  /// Returns the CRC-32 of zlib and gzip.
  static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 255)] ^ value >> 8 }
    return value ^ 0xFFFF_FFFF
  }

  /// Returns a gzip file of uncompressed blocks.
  ///
  /// - Source: RFC 1951 section 3.2.4, RFC 1952.
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var start = 0
    repeat {
      let count = min(65_535, bytes.count - start)
      let isLast = start + count == bytes.count
      file.append(isLast ? 1 : 0)
      file += little(UInt32(count)).prefix(2) + little(~UInt32(count)).prefix(2)
      file += bytes[start..<(start + count)]
      start += count
    } while start < bytes.count
    return file + little(crc32(bytes)) + little(UInt32(truncatingIfNeeded: bytes.count))
  }

  private static func little(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
}
