/// How good a picture is: the less time there is, the plainer.
///
/// A still picture has smooth edges. While a molecule turns, the steps go down as long as pictures take too long, and up
/// again when there is time to spare.
enum RenderQuality: Int, CaseIterable, Comparable, Sendable {
  /// Small parts drawn together, hollows not darkened.
  case coarse
  /// Small parts drawn together.
  case plain
  /// One sample a pixel.
  case moving
  /// Smooth edges.
  case still

  static func < (one: RenderQuality, other: RenderQuality) -> Bool { one.rawValue < other.rawValue }

  /// Pictures that take longer than this, in seconds, are too slow for what turns.
  private static let slow = 1.0 / 45

  /// Pictures that take less than this, in seconds, leave time for those of the next better quality.
  private var fast: Double { self == .moving ? Self.slow / 12 : Self.slow / 2.5 }

  /// The quality of the next picture while it turns, after one of this quality that took some seconds.
  func next(after seconds: Double) -> RenderQuality {
    if seconds > Self.slow { return RenderQuality(rawValue: rawValue - 1) ?? .coarse }
    if seconds < fast { return RenderQuality(rawValue: rawValue + 1) ?? .still }
    return self
  }

  /// The style of a picture of this quality.
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
