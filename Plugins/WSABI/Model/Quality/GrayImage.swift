/// A grayscale image.
struct GrayImage: Sendable, Hashable {
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
  func reduced(toLongestEdge edge: Int) -> GrayImage {
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
    return GrayImage(
      width: newWidth, height: newHeight, pixels: reduced,
      pixelsPerInch: pixelsPerInch * Double(newWidth) / Double(width))
  }
}
