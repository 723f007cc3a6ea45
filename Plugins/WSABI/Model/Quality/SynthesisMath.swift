/// Trigonometric functions by polynomials, so that a score is the same on every machine.
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
}
