import PluginText

/// Continuous noise: random values at integer points, interpolated smoothly.
///
/// - Source: Perlin, "An Image Synthesizer", SIGGRAPH 1985 (lattice noise).
struct SmoothNoise: Sendable {
  private let seed: UInt64

  init(_ seed: UInt64, _ place: Int = 0) {
    var chance = SeededChance(seed, place)
    self.seed = chance.next()
  }

  /// Returns the noise at a point, from -1 to 1.
  func value(_ x: Float, _ y: Float) -> Float {
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let (column, row) = (Int(left), Int(top))
    let (fractionX, fractionY) = (SynthesisMath.step(0, 1, x - left), SynthesisMath.step(0, 1, y - top))
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
    value(radius * SynthesisMath.cos(angle) + 50, radius * SynthesisMath.sin(angle) + 50 + other * 31.7)
  }

  private func corner(_ column: Int, _ row: Int) -> Float {
    let word = SplitMix64.mixed(
      seed ^ UInt64(truncatingIfNeeded: column &* 0x1F1F_1F1F &+ row &* 0x5BD1_E995_7A3B_11))
    return Float(word >> 40) / 8_388_608 - 1
  }
}
