import PluginAPI

/// Draws heights as a picture: water below the curve, sky above, a line at mean level.
enum TideCurve {
  /// Returns a picture of heights spread over its width.
  ///
  /// - Parameters:
  ///   - heights: Meters; one at least.
  ///   - size: Pixels.
  static func picture(of heights: [Double], size: Size) -> Picture {
    var picture = Picture(width: max(0, size.width), height: max(0, size.height))
    guard !picture.isEmpty, let highest = heights.map(abs).max() else { return picture }
    let range = max(highest, 0.01) * 1.1
    let middle = Double(picture.height) / 2
    for x in 0..<picture.width {
      let place = Double(x) / Double(max(1, picture.width - 1)) * Double(heights.count - 1)
      let surface = middle - height(at: place, in: heights) / range * middle
      for y in 0..<picture.height {
        let color = color(depth: Double(y) + 0.5 - surface, isMean: y == picture.height / 2)
        let start = 4 * (y * picture.width + x)
        for channel in 0..<4 { picture.pixels[start + channel] = color[channel] }
      }
    }
    return picture
  }

  /// Returns the height interpolated between two steps.
  private static func height(at place: Double, in heights: [Double]) -> Double {
    let index = min(Int(place), heights.count - 1)
    let next = min(index + 1, heights.count - 1)
    return heights[index] + (heights[next] - heights[index]) * (place - Double(index))
  }

  private static func color(depth: Double, isMean: Bool) -> [UInt8] {
    switch depth {
    case ..<0: isMean ? [120, 120, 120, 255] : [232, 240, 248, 255]
    case ..<2: [255, 255, 255, 255]
    default: isMean ? [70, 110, 150, 255] : [30, 90, 160, 255]
    }
  }
}
