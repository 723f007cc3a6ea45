/// The functions synthesis needs, by polynomials, so that a picture has the same bytes on every machine.
enum SynthesisMath {
  static let pi: Float = 3.141_592_7

  /// Returns the sine, within 2e-6.
  ///
  /// - Source: the Taylor series to the ninth power, on -π/2 … π/2.
  static func sin(_ angle: Float) -> Float {
    var rest = angle - (angle / (2 * pi)).rounded() * 2 * pi
    if rest > pi / 2 { rest = pi - rest } else if rest < -pi / 2 { rest = -pi - rest }
    let square = rest * rest
    return rest * (1 + square * (-1.0 / 6 + square * (1.0 / 120 + square * (-1.0 / 5040 + square / 362_880))))
  }

  static func cos(_ angle: Float) -> Float { sin(angle + pi / 2) }

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
    if abs(y) > abs(x) { angle = pi / 2 - angle }
    if x < 0 { angle = pi - angle }
    return y < 0 ? -angle : angle
  }

  /// Returns the exponential, within a thousandth; 0 below -20.
  static func exp(_ exponent: Float) -> Float {
    if exponent < -20 { return 0 }
    // (1 + x/2^8)^(2^8), with two terms more of the series within.
    let part = exponent / 256
    var power = 1 + part * (1 + part * (0.5 + part / 6))
    for _ in 0..<8 { power *= power }
    return power
  }

  /// Returns 0 below the first edge, 1 above the second, and a smooth transition between.
  static func step(_ first: Float, _ second: Float, _ value: Float) -> Float {
    let place = min(1, max(0, (value - first) / (second - first)))
    return place * place * (3 - 2 * place)
  }
}
