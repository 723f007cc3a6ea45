import PluginCompression
import PluginImages

/// A grayscale image of a simulated sensor.
struct SimulatedImage: Sendable, Hashable {
  let width: Int
  let height: Int
  /// Row by row from the top, 0 black … 255 white.
  var pixels: [UInt8]
  var pixelsPerInch: Double

  init(width: Int, height: Int, pixels: [UInt8], pixelsPerInch: Double = 500) {
    precondition(pixels.count == width * height, "a picture has a byte for each pixel")
    (self.width, self.height, self.pixels, self.pixelsPerInch) = (width, height, pixels, pixelsPerInch)
  }

  init(width: Int, height: Int, gray: UInt8 = 255, pixelsPerInch: Double = 500) {
    self.init(
      width: width, height: height, pixels: [UInt8](repeating: gray, count: width * height),
      pixelsPerInch: pixelsPerInch)
  }

  /// Returns the image scaled down to a longest edge, each pixel the mean of the area it covers.
  ///
  /// - Parameter edge: The longest edge in pixels, 1 at least; a smaller image stays unchanged.
  func reduced(toLongestEdge edge: Int) -> SimulatedImage {
    let longest = max(width, height)
    guard edge < longest, edge >= 1 else { return self }
    let (newWidth, newHeight) = (max(1, width * edge / longest), max(1, height * edge / longest))
    var reduced = [UInt8](repeating: 0, count: newWidth * newHeight)
    for y in 0..<newHeight {
      let rows = (y * height / newHeight)..<max((y + 1) * height / newHeight, y * height / newHeight + 1)
      for x in 0..<newWidth {
        let columns = (x * width / newWidth)..<max((x + 1) * width / newWidth, x * width / newWidth + 1)
        var sum = 0
        for row in rows { for column in columns { sum += Int(pixels[row * width + column]) } }
        reduced[y * newWidth + x] = UInt8(sum / (rows.count * columns.count))
      }
    }
    return SimulatedImage(
      width: newWidth, height: newHeight, pixels: reduced,
      pixelsPerInch: pixelsPerInch * Double(newWidth) / Double(width))
  }
}

extension SimulatedImage {
  /// Returns the image as a file of a type: a PNG, or a bitmap for any other type.
  func file(contentType: String) -> [UInt8] { contentType == "image/png" ? png : bitmap }

  /// The image as a Windows bitmap.
  var bitmap: [UInt8] {
    BitmapWriter.bytes(ofGrays: pixels, width: width, height: height, pixelsPerInch: pixelsPerInch)
  }
}

/// PNG with the pixels per meter.
///
/// - Source: W3C, "Portable Network Graphics (PNG) Specification (Third Edition)", 2025; RFC 1950 (zlib); RFC 1952 (gzip).
extension SimulatedImage {
  /// The image as a file.
  var png: [UInt8] {
    let perMetre = Int((pixelsPerInch / 0.0254).rounded())
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += Self.chunk("IHDR", Self.big(width) + Self.big(height) + [8, 0, 0, 0, 0])
    bytes += Self.chunk("pHYs", Self.big(perMetre) + Self.big(perMetre) + [1])
    bytes += Self.chunk("IDAT", Self.compressed(rows))
    return bytes + Self.chunk("IEND", [])
  }

  /// Returns a small file that claims a false size.
  static func pngClaim(width: Int, height: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += chunk("IHDR", big(width) + big(height) + [8, 0, 0, 0, 0])
    bytes += chunk("IDAT", compressed([UInt8](repeating: 0, count: 1 << 20)))
    return bytes + chunk("IEND", [])
  }

  /// Each row as its differences from the row above.
  private var rows: [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity((width + 1) * height)
    for y in 0..<height {
      rows.append(2)
      let start = y * width
      for x in 0..<width {
        let above = y == 0 ? 0 : pixels[start - width + x]
        rows.append(pixels[start + x] &- above)
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
    return [0x78, 0x9C] + packed[10..<(packed.count - 8)] + big(Int(high << 16 | low))
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    var sum = CRC32()
    sum.add(body)
    return big(data.count) + body + big(Int(sum.value))
  }

  private static func big(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }
}
