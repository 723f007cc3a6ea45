import PluginCompression

/// A writer of gray images as PNG with their pixels per meter.
///
/// - Source: W3C, "Portable Network Graphics (PNG) Specification (Third Edition)", 2025; RFC 1950 (zlib); RFC 1952 (gzip).
enum GreyPNGFile {
  /// Returns the file of an image.
  static func bytes(of image: GreyImage) -> [UInt8] {
    let perMetre = Int((image.pixelsPerInch / 0.0254).rounded())
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += chunk("IHDR", word(image.width) + word(image.height) + [8, 0, 0, 0, 0])
    bytes += chunk("pHYs", word(perMetre) + word(perMetre) + [1])
    bytes += chunk("IDAT", compressed(rows(image)))
    return bytes + chunk("IEND", [])
  }

  /// Returns a small file that claims a false size.
  static func claim(width: Int, height: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += chunk("IHDR", word(width) + word(height) + [8, 0, 0, 0, 0])
    bytes += chunk("IDAT", compressed([UInt8](repeating: 0, count: 1 << 20)))
    return bytes + chunk("IEND", [])
  }

  /// Returns each row as its differences from the row above.
  private static func rows(_ image: GreyImage) -> [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity((image.width + 1) * image.height)
    for y in 0..<image.height {
      rows.append(2)
      let start = y * image.width
      for x in 0..<image.width {
        let above = y == 0 ? 0 : image.pixels[start - image.width + x]
        rows.append(image.pixels[start + x] &- above)
      }
    }
    return rows
  }

  /// Returns a zlib stream: gzip's output with another header and checksum.
  private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    guard let packed = try? Gzip.compress(bytes), packed.count > 18 else { return [] }
    var (low, high) = (UInt32(1), UInt32(0))
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return [0x78, 0x9C] + packed[10..<(packed.count - 8)] + word(Int(high << 16 | low))
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    var sum = CRC32()
    sum.add(body)
    return word(data.count) + body + word(Int(sum.value))
  }

  private static func word(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }
}
