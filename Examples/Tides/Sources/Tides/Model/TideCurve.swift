import PluginAPI

/// Draws heights as a picture: water below the curve, sky above, a line at mean level.
enum TideCurve {
  /// Returns a picture of heights spread over its width.
  ///
  /// - Parameters:
  ///   - heights: Meters; one at least.
  ///   - size: Pixels.
  static func picture(of heights: [Double], size: Size) -> Picture {
    let range = max(heights.map(abs).max() ?? 0, 0.01) * 1.1
    let middle = Double(size.height) / 2
    let surface = (0..<max(0, size.width)).map { x in
      let step = Double(x) / Double(max(1, size.width - 1)) * Double(heights.count - 1)
      let (before, after) = (heights[Int(step)], heights[min(Int(step) + 1, heights.count - 1)])
      return middle - (before + (after - before) * (step - step.rounded(.down))) / range * middle
    }
    return Picture(size: size) { x, y in
      let isMean = y == size.height / 2
      return switch Double(y) + 0.5 - surface[x] {
      case ..<0: isMean ? (120, 120, 120) : (232, 240, 248)
      case ..<2: (255, 255, 255)
      default: isMean ? (70, 110, 150) : (30, 90, 160)
      }
    }
  }
}
