/// A writer of gray images as Windows bitmaps.
///
/// - Source: Microsoft, "Bitmap Storage" and "BITMAPINFOHEADER", Windows GDI reference.
enum BitmapFile {
  /// Returns the bytes before the pixels: the headers and a palette of 256 gray levels.
  ///
  /// - Parameter width: In pixels; rows take a multiple of four bytes.
  static func head(width: Int, height: Int, pixelsPerMetre: Int) -> [UInt8] {
    let size = (width + 3) / 4 * 4 * height
    var bytes: [UInt8] = Array("BM".utf8) + word(1078 + size) + word(0) + word(1078)
    bytes += word(40) + word(width) + word(height) + [1, 0, 8, 0] + word(0) + word(size)
    bytes += word(pixelsPerMetre) + word(pixelsPerMetre) + word(256) + word(0)
    for grey in UInt8.min...UInt8.max { bytes += [grey, grey, grey, 0] }
    return bytes
  }

  /// Returns the file of an image.
  static func bytes(of image: GreyImage) -> [UInt8] {
    let perMetre = Int((image.pixelsPerInch / 0.0254).rounded())
    var bytes = head(width: image.width, height: image.height, pixelsPerMetre: perMetre)
    let padding = [UInt8](repeating: 0, count: (4 - image.width % 4) % 4)
    bytes.reserveCapacity(bytes.count + (image.width + padding.count) * image.height)
    for row in (0..<image.height).reversed() {
      bytes += image.pixels[(row * image.width)..<((row + 1) * image.width)]
      bytes += padding
    }
    return bytes
  }

  private static func word(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
