/// An image of 8-bit RGBA pixels, row by row from the top left, alpha not premultiplied.
///
/// Plugins make pictures; the host shows them as the terminal can and writes them as PNG.
public struct Picture: Sendable, Hashable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The pixels: `4 × width × height` bytes, red, green, blue, alpha.
  public var pixels: [UInt8]

  /// Creates a picture from its pixels.
  ///
  /// - Parameters:
  ///   - width: Width in pixels, 0 or more.
  ///   - height: Height in pixels, 0 or more.
  ///   - pixels: Exactly `4 × width × height` bytes, RGBA by rows from the top.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(width >= 0 && height >= 0, "a picture has no negative size")
    precondition(pixels.count == 4 * width * height, "a picture of \(width)×\(height) has 4 × width × height bytes")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// Creates a transparent picture.
  public init(width: Int, height: Int) {
    self.init(width: width, height: height, pixels: [UInt8](repeating: 0, count: 4 * width * height))
  }

  /// Whether there is no pixel in it.
  public var isEmpty: Bool { width == 0 || height == 0 }

  /// The size in pixels.
  public var size: Size { Size(width: width, height: height) }
}
