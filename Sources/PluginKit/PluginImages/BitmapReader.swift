internal import PluginAPI

/// A reader of Windows bitmaps: 8-bit palette, 24-bit and 32-bit colors, uncompressed, rows in either order.
///
/// - Source: Microsoft, "Bitmap Storage" and "BITMAPINFOHEADER", Windows GDI reference.
struct BitmapReader {
  struct Header {
    var size: Size
    var isTopDown: Bool
    var bitsPerPixel: Int
    var paletteStart: Int
    var paletteCount: Int
    var pixelStart: Int
    /// A Boolean value indicating whether the fourth byte of a pixel is its alpha.
    var hasAlpha: Bool
  }

  private let bytes: [UInt8]

  static func header(of bytes: [UInt8]) throws(ImageError) -> Header {
    try BitmapReader(bytes: bytes).header()
  }

  static func picture(from bytes: [UInt8], maximumPixels: Int) throws(ImageError) -> Picture {
    let reader = BitmapReader(bytes: bytes)
    let header = try reader.header()
    try ImageReader.check(header.size, maximumPixels)
    return try reader.picture(header)
  }

  private func header() throws(ImageError) -> Header {
    let headerSize = try word(14)
    guard headerSize >= 40, headerSize <= 1024 else {
      throw .unsupported(.bmp, reason: "its header has \(headerSize) bytes; 40 or more are supported")
    }
    let (width, height) = (Int(Int32(truncatingIfNeeded: try word(18))), Int(Int32(truncatingIfNeeded: try word(22))))
    guard width > 0, height != 0, height != Int(Int32.min) else {
      throw .damaged(.bmp, reason: "a size of \(width)×\(height)")
    }
    let (bits, compression) = (try half(28), try word(30))
    guard [8, 24, 32].contains(bits) else {
      throw .unsupported(.bmp, reason: "\(bits) bits per pixel; 8, 24 and 32 are supported")
    }
    let hasAlpha = try hasAlpha(compression, bits: bits, headerSize: headerSize)
    let used = try word(46)
    let paletteCount = bits == 8 ? (used == 0 ? 256 : min(used, 256)) : 0
    return Header(
      size: Size(width: width, height: abs(height)), isTopDown: height < 0, bitsPerPixel: bits,
      paletteStart: 14 + headerSize, paletteCount: paletteCount, pixelStart: try word(10),
      hasAlpha: hasAlpha)
  }

  /// Returns true if the masks give pixels an alpha; they must otherwise state the order blue, green, red.
  private func hasAlpha(_ compression: Int, bits: Int, headerSize: Int) throws(ImageError) -> Bool {
    if compression == 0 { return false }
    guard compression == 3 || compression == 6, bits == 32 else {
      throw .unsupported(.bmp, reason: "compression \(compression); only uncompressed pixels are supported")
    }
    guard try word(54) == 0xFF0000, try word(58) == 0xFF00, try word(62) == 0xFF else {
      throw .unsupported(.bmp, reason: "an order of colors other than blue, green, red")
    }
    let hasAlphaMask = headerSize >= 56 || compression == 6
    return hasAlphaMask ? try word(66) == 0xFF00_0000 : false
  }

  private func picture(_ header: Header) throws(ImageError) -> Picture {
    let (width, height) = (header.size.width, header.size.height)
    let rowLength = (width * header.bitsPerPixel + 31) / 32 * 4
    let end = header.pixelStart + rowLength * height
    guard header.pixelStart >= header.paletteStart, end <= bytes.count else {
      throw .truncated(.bmp, reason: "\(bytes.count) of \(end) bytes")
    }
    let palette = try palette(header)
    var pixels = [UInt8](repeating: 255, count: 4 * width * height)
    for y in 0..<height {
      let row = header.pixelStart + rowLength * (header.isTopDown ? y : height - 1 - y)
      copyRow(at: row, header, palette, to: 4 * width * y, of: &pixels)
    }
    return Picture(width: width, height: height, pixels: pixels)
  }

  private func copyRow(
    at row: Int, _ header: Header, _ palette: [UInt8], to start: Int, of pixels: inout [UInt8]
  ) {
    let step = header.bitsPerPixel / 8
    for x in 0..<header.size.width {
      let (source, target) = (row + step * x, start + 4 * x)
      if step == 1 {
        for channel in 0..<3 { pixels[target + channel] = palette[3 * Int(bytes[source]) + channel] }
      } else {
        for channel in 0..<3 { pixels[target + channel] = bytes[source + 2 - channel] }
        if header.hasAlpha { pixels[target + 3] = bytes[source + 3] }
      }
    }
  }

  /// Returns red, green and blue of 256 colors; those missing from the file are black.
  private func palette(_ header: Header) throws(ImageError) -> [UInt8] {
    var palette = [UInt8](repeating: 0, count: 768)
    for index in 0..<header.paletteCount {
      let color = try word(header.paletteStart + 4 * index)
      for channel in 0..<3 { palette[3 * index + channel] = UInt8(color >> (16 - 8 * channel) & 255) }
    }
    return palette
  }

  private func half(_ position: Int) throws(ImageError) -> Int {
    guard position + 2 <= bytes.count else { throw .truncated(.bmp, reason: "the header is truncated") }
    return Int(bytes[position]) | Int(bytes[position + 1]) << 8
  }

  private func word(_ position: Int) throws(ImageError) -> Int {
    try half(position) | half(position + 2) << 16
  }
}
