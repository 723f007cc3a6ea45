import PluginAPI

/// A quantity measured between points.
enum MeasuredQuantity: String, CaseIterable, Sendable {
  case distance, angle, dihedral

  /// The number of points that define it.
  var pointCount: Int {
    switch self {
    case .distance: 2
    case .angle: 3
    case .dihedral: 4
    }
  }

  /// The units of quantities.
  enum Unit: String, CaseIterable, ReadableField {
    case angstrom, degree
  }

  /// The unit of its value.
  var unit: Unit {
    switch self {
    case .distance: .angstrom
    case .angle, .dihedral: .degree
    }
  }

  /// Measures points: Å for a distance, degrees for an angle (0...180) and a dihedral (-180...180).
  ///
  /// Returns nil if the value is undefined: an angle at a point that coincides with another, a dihedral of points on a
  /// line.
  func value(_ points: [SIMD3<Double>]) -> Double? {
    precondition(points.count == pointCount, "'\(rawValue)' takes \(pointCount) points")
    switch self {
    case .distance: return (points[1] - points[0]).length
    case .angle: return Self.angle(points[0], points[1], points[2])
    case .dihedral: return Self.dihedral(points[0], points[1], points[2], points[3])
    }
  }

  /// Returns the angle at the middle point in degrees.
  ///
  /// Uses the arc tangent of cross and dot product, which is accurate near 0 and 180 degrees too.
  static func angle(_ first: SIMD3<Double>, _ middle: SIMD3<Double>, _ last: SIMD3<Double>) -> Double? {
    let (a, b) = (first - middle, last - middle)
    guard a.length > 0, b.length > 0 else { return nil }
    return ArcTangent.degrees(a.cross(b).length, (a * b).sum())
  }

  /// Returns the dihedral angle about the line from the second to the third point in degrees, positive clockwise seen
  /// along it.
  ///
  /// - Source: IUPAC-IUB 1970, rule 1.2; formula by Blondel and Karplus 1996, eq. 24 in the form with one arc tangent.
  static func dihedral(
    _ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>, _ fourth: SIMD3<Double>
  ) -> Double? {
    let (a, b, c) = (second - first, third - second, fourth - third)
    let (m, n) = (a.cross(b), b.cross(c))
    let axis = b.length
    guard axis > 0, m.length > 1e-12 * a.length * axis, n.length > 1e-12 * c.length * axis else { return nil }
    return ArcTangent.degrees((m.cross(n) * b).sum() / axis, (m * n).sum())
  }
}

extension AtomSelection {
  /// Returns the mean position of the atoms in Å, each counted once regardless of its mass; nil for an empty selection.
  func centroid(of structure: Structure) -> SIMD3<Double>? {
    var sum = SIMD3<Double>.zero
    var number = 0.0
    forEach { atom in
      sum += structure.atoms.position(atom)
      number += 1
    }
    return number > 0 ? sum / number : nil
  }

  /// Returns the closest two atoms of this set and another, with their distance in Å; nil if one is empty.
  ///
  /// - Complexity: O(*n* log *m*) for *n* atoms here and *m* there.
  func nearestPair(to other: AtomSelection, of structure: Structure) -> (first: Int, second: Int, distance: Double)? {
    let tree = ProximityTree(structure.atoms, other.atoms)
    var best: (first: Int, second: Int, square: Double)?
    forEach { atom in
      guard let found = tree.nearest(to: structure.atoms.position(atom), within: best?.square ?? .infinity) else {
        return
      }
      best = (atom, found.atom, found.square)
    }
    return best.map { ($0.first, $0.second, $0.square.squareRoot()) }
  }
}

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
