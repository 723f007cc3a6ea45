/// Sine and cosine, identical on every machine.
enum SineAndCosine {
  /// Returns sine and cosine of an angle in radians.
  ///
  /// - Source: the Taylor series, after reduction of half the angle to ±π/2; the first term left out is below 1e-17.
  static func of(_ radians: Double) -> (sine: Double, cosine: Double) {
    let half = radians.remainder(dividingBy: 2 * .pi) / 2
    let square = half * half
    var (sine, cosine) = (1.0, 1.0)
    for term in stride(from: 11, through: 0, by: -1) {
      let n = Double(2 * term)
      cosine = 1 - square / ((n + 1) * (n + 2)) * cosine
      sine = 1 - square / ((n + 2) * (n + 3)) * sine
    }
    return (2 * half * sine * cosine, 2 * cosine * cosine - 1)
  }
}
