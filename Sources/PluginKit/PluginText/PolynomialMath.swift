/// Trigonometric functions by polynomials, with the same result on every machine.
///
/// For scores, synthetic pictures and tests; math libraries differ in the last bits.
@frozen
public enum PolynomialMath {
  /// The ratio of a circle's circumference to its diameter.
  public static var pi: Float {
    @inlinable get { 3.141_592_7 }
  }

  /// Returns the sine, within 4e-6.
  ///
  /// - Parameter angle: In radians.
  /// - Source: the Taylor series to the ninth power, on -π/2 … π/2.
  @inlinable
  public static func sin(_ angle: Float) -> Float {
    var reduced = angle - (angle / (2 * pi)).rounded() * 2 * pi
    if reduced > pi / 2 { reduced = pi - reduced } else if reduced < -pi / 2 { reduced = -pi - reduced }
    let square = reduced * reduced
    return reduced * (1 + square * (-1.0 / 6 + square * (1.0 / 120 + square * (-1.0 / 5040 + square / 362_880))))
  }

  /// Returns the cosine, within 4e-6.
  ///
  /// - Parameter angle: In radians.
  @inlinable
  public static func cos(_ angle: Float) -> Float { sin(angle + pi / 2) }
}
