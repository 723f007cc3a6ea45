internal import PluginAPI

extension Picture {
  /// Alpha from which on a pixel is shown where pixels are either there or not, 0 to 255.
  private static let leastAlpha: UInt8 = 32

  /// Returns the picture with its smooth edges blended into a background.
  ///
  /// Every pixel is opaque or empty then. Half-blocks show no partly transparent pixels: edges would be jagged, and
  /// what is thinner than half a pixel would vanish.
  /// - Parameter background: The color behind the picture.
  /// - Complexity: linear in the pixels.
  func blended(into background: RGBColor) -> Picture {
    var pixels = self.pixels
    let behind = [Int(background.red), Int(background.green), Int(background.blue)]
    for start in stride(from: 0, to: pixels.count, by: 4) where pixels[start + 3] < 255 {
      let alpha = pixels[start + 3] < Self.leastAlpha ? 0 : Int(pixels[start + 3])
      for channel in 0..<3 {
        let color = alpha * Int(pixels[start + channel]) + (255 - alpha) * behind[channel]
        pixels[start + channel] = alpha == 0 ? 0 : UInt8(clamping: (color + 127) / 255)
      }
      pixels[start + 3] = alpha == 0 ? 0 : 255
    }
    return Picture(width: width, height: height, pixels: pixels)
  }
}
