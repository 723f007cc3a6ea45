/// An image of 8-bit RGBA pixels, row by row from the top left, alpha not premultiplied.
///
/// Plugins make pictures; the host shows them within the terminal's abilities and writes them as PNG.
public struct Picture: Sendable, Hashable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The pixels: `4 × width × height` bytes, red, green, blue, alpha.
  ///
  /// Changing their number is a programming mistake.
  public var pixels: [UInt8] {
    didSet { precondition(pixels.count == 4 * width * height, "a picture keeps its number of pixels") }
  }

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

  /// Creates an opaque picture from the color of each pixel.
  ///
  /// - Parameters:
  ///   - size: The size in pixels; a negative width or height is 0.
  ///   - color: Returns red, green and blue of the pixel at a column and row, both counted from 0.
  @inlinable public init(size: Size, color: (_ x: Int, _ y: Int) -> (red: UInt8, green: UInt8, blue: UInt8)) {
    let (width, height) = (max(0, size.width), max(0, size.height))
    var pixels: [UInt8] = []
    pixels.reserveCapacity(4 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        let (red, green, blue) = color(x, y)
        pixels.append(red)
        pixels.append(green)
        pixels.append(blue)
        pixels.append(255)
      }
    }
    self.init(width: width, height: height, pixels: pixels)
  }

  /// Returns the part of the picture in one rectangle if the whole picture fills another.
  ///
  /// - Parameters:
  ///   - seen: A rectangle inside the other one.
  ///   - whole: The rectangle of the whole picture, in the same units; not empty.
  func part(_ seen: Rect, of whole: Rect) -> Picture {
    func scaled(_ place: Int, _ length: Int, to pixels: Int) -> Int {
      Int((Double(place) / Double(length) * Double(pixels)).rounded())
    }
    let columns =
      scaled(seen.x - whole.x, whole.width, to: width)..<scaled(seen.x - whole.x + seen.width, whole.width, to: width)
    let rows =
      scaled(
        seen.y - whole.y, whole.height, to: height)..<scaled(seen.y - whole.y + seen.height, whole.height, to: height)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * columns.count * rows.count)
    for row in rows {
      bytes += pixels[4 * (row * width + columns.lowerBound)..<4 * (row * width + columns.upperBound)]
    }
    return Picture(width: columns.count, height: rows.count, pixels: bytes)
  }

  /// A Boolean value indicating whether the picture has no pixels.
  public var isEmpty: Bool { width == 0 || height == 0 }

  /// The size in pixels.
  public var size: Size { Size(width: width, height: height) }
}
