/// The conversions between fractional coordinates of a cell and Cartesian ones in Å.
struct CrystalFrame: Equatable, Sendable {
  /// From fractions of the cell edges to Å: a along x, b in the xy plane.
  let toCartesian: Transform
  /// From Å to fractions of the cell edges.
  let toFractional: Transform

  /// Creates the frame of a cell; nil if its edges and angles span no volume.
  ///
  /// - Source: Protein Data Bank Contents Guide 3.30, SCALEn.
  init?(_ cell: UnitCell) {
    let (alpha, beta, gamma) = (Self.cosine(cell.alpha), Self.cosine(cell.beta), Self.cosine(cell.gamma))
    let sine = (1 - gamma * gamma).squareRoot()
    let height = 1 - alpha * alpha - beta * beta - gamma * gamma + 2 * alpha * beta * gamma
    guard cell.a > 0, cell.b > 0, cell.c > 0, sine > 1e-6, height > 1e-9, (cell.a * cell.b * cell.c).isFinite else {
      return nil
    }
    let xz = cell.c * beta
    let yz = cell.c * (alpha - beta * gamma) / sine
    let zz = cell.c * height.squareRoot() / sine
    let (xy, yy) = (cell.b * gamma, cell.b * sine)
    toCartesian = Transform(row0: SIMD3(cell.a, xy, xz), row1: SIMD3(0, yy, yz), row2: SIMD3(0, 0, zz))
    toFractional = Transform(
      row0: SIMD3(1 / cell.a, -xy / (cell.a * yy), (xy * yz - xz * yy) / (cell.a * yy * zz)),
      row1: SIMD3(0, 1 / yy, -yz / (yy * zz)), row2: SIMD3(0, 0, 1 / zz))
  }

  /// Returns the number of cell edges along each axis that a sphere of a radius in Å can reach from its center.
  func reach(_ radius: Double) -> SIMD3<Double> {
    func length(_ row: SIMD3<Double>) -> Double { (row * row).sum().squareRoot() }
    return radius * SIMD3(length(toFractional.row0), length(toFractional.row1), length(toFractional.row2))
  }

  /// Returns the cosine of an angle in degrees, exactly 0 for 90.
  ///
  /// - Source: the Taylor series of the sine of the complement; the first term left out is below 1e-16.
  static func cosine(_ degrees: Double) -> Double {
    var rest = (90 - degrees).remainder(dividingBy: 360)
    if rest > 90 { rest = 180 - rest }
    if rest < -90 { rest = -180 - rest }
    let angle = rest * .pi / 180
    var sum = 0.0
    for term in stride(from: 12, through: 0, by: -1) {
      let n = Double(2 * term)
      sum = 1 - angle * angle / ((n + 2) * (n + 3)) * sum
    }
    return angle * sum
  }
}
