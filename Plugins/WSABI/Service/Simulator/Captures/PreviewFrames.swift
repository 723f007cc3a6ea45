/// The frames of a live preview: one second of them, shown in a loop.
enum PreviewFrames {
  static let count = 20
  static let width = 160
  static let height = 120

  /// Rings that grow, for sensors without pictures of people.
  static let rings: [[UInt8]] = (0..<count).map { number in
    var image = GreyImage(width: width, height: height, pixelsPerInch: 96)
    for y in 0..<height {
      for x in 0..<width {
        let (dx, dy) = (x - width / 2, y - height / 2)
        let distance = Double(dx * dx + dy * dy).squareRoot()
        let ring = (Int(distance) + 40 - 2 * number) % 40
        image.pixels[y * width + x] = UInt8(ring < 20 ? 255 - 10 * ring : 55 + 10 * (ring - 20))
      }
    }
    return BitmapFile.bytes(of: image)
  }

  /// Returns frames of a picture that moves a little, as people do in front of a sensor.
  static func frames(of picture: GreyImage) -> [[UInt8]] {
    let canvas = canvas(picture)
    return (0..<count).map { number in
      let angle = 2 * SynthesisMath.pi * Float(number) / Float(count)
      let left = 20 + Int((16 * SynthesisMath.cos(angle)).rounded())
      let top = 15 + Int((11 * SynthesisMath.sin(2 * angle)).rounded())
      var frame = GreyImage(width: width, height: height, pixelsPerInch: 96)
      for row in 0..<height {
        let start = (row + top) * canvas.width + left
        frame.pixels.replaceSubrange(row * width..<(row + 1) * width, with: canvas.pixels[start..<start + width])
      }
      return BitmapFile.bytes(of: frame)
    }
  }

  /// Returns the image scaled to fit, centered in the canvas that frames are cut from.
  private static func canvas(_ picture: GreyImage) -> GreyImage {
    let (fullWidth, fullHeight) = (width + 40, height + 30)
    let isWide = picture.width * fullHeight > picture.height * fullWidth
    let edge = isWide ? fullWidth : fullHeight * max(picture.width, picture.height) / picture.height
    let small = picture.reduced(toLongestEdge: edge)
    var canvas = GreyImage(width: fullWidth, height: fullHeight, grey: small.pixels.first ?? 255)
    let (left, top) = ((fullWidth - small.width) / 2, (fullHeight - small.height) / 2)
    for row in max(0, -top)..<min(small.height, fullHeight - top) {
      for column in max(0, -left)..<min(small.width, fullWidth - left) {
        canvas.pixels[(row + top) * fullWidth + column + left] = small.pixels[row * small.width + column]
      }
    }
    return canvas
  }
}
