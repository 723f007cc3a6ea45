import PluginText

/// The functions synthesis needs, by polynomials, so that a picture has the same bytes on every machine.
enum PictureMath {
  /// Returns the angle of a point, -π … π, within 2e-4.
  ///
  /// - Source: Abramowitz and Stegun, Handbook of Mathematical Functions, formula 4.4.49.
  static func angle(_ y: Float, _ x: Float) -> Float {
    let (small, large) = abs(x) > abs(y) ? (abs(y), abs(x)) : (abs(x), abs(y))
    if large == 0 { return 0 }
    let ratio = small / large
    let square = ratio * ratio
    var angle =
      ratio
      * (0.999_866_0 + square * (-0.330_299_5 + square * (0.180_141 + square * (-0.085_133 + square * 0.020_835_1))))
    if abs(y) > abs(x) { angle = PolynomialMath.pi / 2 - angle }
    if x < 0 { angle = PolynomialMath.pi - angle }
    return y < 0 ? -angle : angle
  }

  /// Returns the exponential, within a thousandth; 0 below -20.
  static func exp(_ exponent: Float) -> Float {
    if exponent < -20 { return 0 }
    // (1 + x/2^8)^(2^8), with two more terms of the series in the parentheses.
    let part = exponent / 256
    var power = 1 + part * (1 + part * (0.5 + part / 6))
    for _ in 0..<8 { power *= power }
    return power
  }

  /// Returns 0 below the first edge, 1 above the second, and a smooth transition between.
  static func step(_ first: Float, _ second: Float, _ value: Float) -> Float {
    let fraction = min(1, max(0, (value - first) / (second - first)))
    return fraction * fraction * (3 - 2 * fraction)
  }
}

/// Continuous noise: random values at integer points, interpolated smoothly.
///
/// - Source: Perlin, "An Image Synthesizer", SIGGRAPH 1985 (lattice noise).
struct SmoothNoise: Sendable {
  private let seed: UInt64

  init(_ seed: UInt64, _ stream: Int = 0) {
    var chance = SeededChance(seed, stream)
    self.seed = chance.next()
  }

  /// Returns the noise at a point, from -1 to 1.
  func value(_ x: Float, _ y: Float) -> Float {
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let (column, row) = (Int(left), Int(top))
    let (fractionX, fractionY) = (PictureMath.step(0, 1, x - left), PictureMath.step(0, 1, y - top))
    let upper = corner(column, row) + fractionX * (corner(column + 1, row) - corner(column, row))
    let lower = corner(column, row + 1) + fractionX * (corner(column + 1, row + 1) - corner(column, row + 1))
    return upper + fractionY * (lower - upper)
  }

  /// Returns the sum of several octaves, each half as strong and twice as fine; from -1 to 1.
  func sum(_ x: Float, _ y: Float, octaves: Int) -> Float {
    var (sum, strength, scale, total): (Float, Float, Float, Float) = (0, 1, 1, 0)
    for octave in 0..<octaves {
      sum += strength * value(x * scale + Float(octave) * 17.3, y * scale - Float(octave) * 9.1)
      total += strength
      strength /= 2
      scale *= 2
    }
    return sum / total
  }

  /// Returns the noise at an angle, continuous around the full circle.
  ///
  /// - Parameters:
  ///   - angle: In radians.
  ///   - radius: The number of lattice steps per radian.
  func round(_ angle: Float, radius: Float, _ other: Float) -> Float {
    value(radius * PolynomialMath.cos(angle) + 50, radius * PolynomialMath.sin(angle) + 50 + other * 31.7)
  }

  private func corner(_ column: Int, _ row: Int) -> Float {
    let word = SplitMix64.mixed(
      seed ^ UInt64(truncatingIfNeeded: column &* 0x1F1F_1F1F &+ row &* 0x5BD1_E995_7A3B_11))
    return Float(word >> 40) / 8_388_608 - 1
  }
}
