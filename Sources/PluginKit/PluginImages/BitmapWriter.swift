/// A writer of gray images as Windows bitmaps.
///
/// - Source: Microsoft, "Bitmap Storage" and "BITMAPINFOHEADER", Windows GDI reference.
public enum BitmapWriter {
  /// Returns the bytes before the pixels: the headers and a palette of 256 gray levels.
  ///
  /// - Parameters:
  ///   - width: In pixels; in the file, rows are padded to a multiple of four bytes.
  ///   - height: In pixels; rows follow from the bottom.
  ///   - pixelsPerInch: The resolution of both axes.
  public static func head(width: Int, height: Int, pixelsPerInch: Double) -> [UInt8] {
    let size = (width + 3) / 4 * 4 * height
    let pixelsPerMeter = Int((pixelsPerInch / 0.0254).rounded())
    var bytes: [UInt8] = Array("BM".utf8) + word(1078 + size) + word(0) + word(1078)
    bytes += word(40) + word(width) + word(height) + [1, 0, 8, 0] + word(0) + word(size)
    bytes += word(pixelsPerMeter) + word(pixelsPerMeter) + word(256) + word(0)
    for gray in UInt8.min...UInt8.max { bytes += [gray, gray, gray, 0] }
    return bytes
  }

  /// Returns the file of an image.
  ///
  /// - Parameters:
  ///   - grays: Row by row from the top, 0 black … 255 white; `width × height` bytes.
  ///   - width: In pixels.
  ///   - height: In pixels.
  ///   - pixelsPerInch: The resolution of both axes.
  public static func bytes(ofGrays grays: [UInt8], width: Int, height: Int, pixelsPerInch: Double) -> [UInt8] {
    precondition(grays.count == width * height, "an image has a byte for each pixel")
    var bytes = head(width: width, height: height, pixelsPerInch: pixelsPerInch)
    let padding = [UInt8](repeating: 0, count: (4 - width % 4) % 4)
    bytes.reserveCapacity(bytes.count + (width + padding.count) * height)
    for row in (0..<height).reversed() {
      bytes += grays[(row * width)..<((row + 1) * width)]
      bytes += padding
    }
    return bytes
  }

  private static func word(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
