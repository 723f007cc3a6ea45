/// The render quality: lower if there is less time.
///
/// A still picture has smooth edges. While a molecule rotates, the quality decreases as long as pictures take too long,
/// and increases again when there is time to spare.
enum RenderQuality: Int, CaseIterable, Comparable, Sendable {
  /// Small parts merged, no ambient occlusion.
  case coarse
  /// Small parts merged.
  case plain
  /// One sample per pixel.
  case moving
  /// Smooth edges.
  case still

  static func < (one: RenderQuality, other: RenderQuality) -> Bool { one.rawValue < other.rawValue }

  /// The drawing time in seconds above which pictures are too slow for animation.
  private static let slow = 1.0 / 45

  /// The drawing time in seconds below which there is time for the next better quality.
  private var fast: Double { self == .moving ? Self.slow / 12 : Self.slow / 2.5 }

  /// Returns the quality of the next picture during motion, after one of this quality that took some seconds.
  func next(after seconds: Double) -> RenderQuality {
    if seconds > Self.slow { return RenderQuality(rawValue: rawValue - 1) ?? .coarse }
    if seconds < fast { return RenderQuality(rawValue: rawValue + 1) ?? .still }
    return self
  }

  /// Returns the style of a picture of this quality.
  func style(_ viewport: Viewport) -> RenderStyle {
    var style = RenderStyle.screen(viewport)
    if self == .still { return style }
    style.samples = 1
    style.hasFineOcclusion = false
    style.detail = self < .moving ? 1.5 : 0.75
    if self == .coarse {
      style.detail = 2.5
      style.occlusion = 0
    }
    return style
  }
}
