/// The two-argument arc tangent, identical on every machine.
enum ArcTangent {
  /// Returns the angle of the point (x, y) in degrees, -180...180; 0 for the origin.
  ///
  /// - Source: halving, tan(a/2) = t / (1 + √(1 + t²)), twice, then the Taylor series; the first term left out is
  ///   below 1e-19.
  static func degrees(_ y: Double, _ x: Double) -> Double {
    if y == 0 { return x < 0 ? 180 : 0 }
    let isSteep = abs(y) > abs(x)
    var tangent = isSteep ? abs(x / y) : abs(y / x)
    for _ in 0..<2 { tangent /= 1 + (1 + tangent * tangent).squareRoot() }
    let square = tangent * tangent
    var sum = 0.0
    for term in stride(from: 13, through: 0, by: -1) {
      sum = 1 / Double(2 * term + 1) - square * sum
    }
    var angle = 4 * tangent * sum * (180 / .pi)
    if isSteep { angle = 90 - angle }
    if x < 0 { angle = 180 - angle }
    return y < 0 ? -angle : angle
  }
}
