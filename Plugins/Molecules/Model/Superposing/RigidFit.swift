/// The rigid transformation that best superposes one set of points on another.
struct RigidFit: Equatable, Sendable {
  /// The transformation of the first set onto the second.
  var motion: Transform
  /// The root mean square distance after the transformation, in Å.
  var rmsd: Double
  /// A Boolean value indicating whether other rotations fit as well: the points are collinear, coincide, or are mirror
  /// images in a special way.
  var isAmbiguous: Bool

  /// Fits points to others, pair by pair.
  ///
  /// The rotation is the unit quaternion that maximizes qᵀNq, the eigenvector of the greatest eigenvalue of a symmetric
  /// 4×4 matrix: always a proper rotation, never a reflection. If that eigenvalue is degenerate, the rotation nearest
  /// to the identity is taken.
  ///
  /// - Parameters: two sets of the same, not zero, number of points in Å.
  /// - Complexity: linear in the points.
  /// - Source: B. K. P. Horn, J. Opt. Soc. Am. A 4 (1987) 629; the key matrix is that of QCP (Theobald 2005).
  init(_ moving: [SIMD3<Double>], onto fixed: [SIMD3<Double>]) {
    precondition(moving.count == fixed.count && !moving.isEmpty, "points are superposed pair by pair")
    let count = Double(moving.count)
    let from = moving.reduce(.zero, +) / count
    let to = fixed.reduce(.zero, +) / count
    let (eigen, scale) = Self.eigen(moving, from, fixed, to)
    let tolerance = 1e-10 * max(scale, .leastNormalMagnitude)
    let best = eigen.values.max() ?? 0
    let tops = (0..<4).filter { best - eigen.values[$0] <= tolerance }
    isAmbiguous = tops.count > 1
    let quaternion = Self.nearestToIdentity(tops.map { eigen.vectors[$0] })
    var motion = Transform(quaternion: quaternion)
    motion.translation = to - motion.apply(from)
    self.motion = motion
    let squares = zip(moving, fixed).reduce(0.0) { sum, pair in
      let step = motion.apply(pair.0) - pair.1
      return sum + (step * step).sum()
    }
    rmsd = (squares / count).squareRoot()
  }

  private static func eigen(
    _ moving: [SIMD3<Double>], _ from: SIMD3<Double>, _ fixed: [SIMD3<Double>], _ to: SIMD3<Double>
  ) -> (SymmetricEigen, scale: Double) {
    var (x, y, z) = (SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero)
    var scale = 0.0
    for (a, b) in zip(moving, fixed) {
      let (p, q) = (a - from, b - to)
      x += p.x * q
      y += p.y * q
      z += p.z * q
      scale += ((p * p).sum() * (q * q).sum()).squareRoot()
    }
    let matrix: [[Double]] = [
      [x.x + y.y + z.z, y.z - z.y, z.x - x.z, x.y - y.x],
      [y.z - z.y, x.x - y.y - z.z, x.y + y.x, z.x + x.z],
      [z.x - x.z, x.y + y.x, y.y - x.x - z.z, y.z + z.y],
      [x.y - y.x, z.x + x.z, y.z + z.y, z.z - x.x - y.y],
    ]
    return (SymmetricEigen(matrix), scale)
  }

  /// Returns the unit vector in the span of some vectors that is nearest to (1, 0, 0, 0), the identity.
  private static func nearestToIdentity(_ vectors: [[Double]]) -> SIMD4<Double> {
    var sum = SIMD4<Double>.zero
    for vector in vectors { sum += vector[0] * SIMD4(vector[0], vector[1], vector[2], vector[3]) }
    let length = (sum * sum).sum().squareRoot()
    if length > 1e-6 { return sum / length }
    let first = vectors[0]
    return SIMD4(first[0], first[1], first[2], first[3])
  }
}

/// Eigenvalues and eigenvectors of a small symmetric matrix.
private struct SymmetricEigen {
  private(set) var values: [Double]
  /// Unit vectors in the order of the values.
  private(set) var vectors: [[Double]]

  /// Solves a matrix given by rows; only its symmetric part is used.
  ///
  /// - Source: cyclic Jacobi rotations, Golub and Van Loan, Matrix Computations, 8.5; converges for every matrix.
  init(_ matrix: [[Double]]) {
    let size = matrix.count
    var a = matrix
    var v = (0..<size).map { row in (0..<size).map { $0 == row ? 1.0 : 0.0 } }
    for _ in 0..<60 {
      var (off, diagonal) = (0.0, 0.0)
      for row in 0..<size {
        diagonal += a[row][row] * a[row][row]
        for column in 0..<row { off += a[row][column] * a[row][column] }
      }
      if !(off > 1e-32 * diagonal) { break }
      for p in 0..<size - 1 {
        for q in p + 1..<size { Self.rotate(&a, &v, p, q) }
      }
    }
    values = (0..<size).map { a[$0][$0] }
    vectors = (0..<size).map { column in (0..<size).map { v[$0][column] } }
  }

  /// Makes the element at p, q zero.
  private static func rotate(_ a: inout [[Double]], _ v: inout [[Double]], _ p: Int, _ q: Int) {
    guard a[p][q] != 0 else { return }
    let theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
    let t = (theta >= 0 ? 1 : -1) / (abs(theta) + (theta * theta + 1).squareRoot())
    let c = 1 / (t * t + 1).squareRoot()
    let s = t * c
    for k in a.indices {
      let (kp, kq) = (a[k][p], a[k][q])
      a[k][p] = c * kp - s * kq
      a[k][q] = s * kp + c * kq
    }
    for k in a.indices {
      let (pk, qk) = (a[p][k], a[q][k])
      a[p][k] = c * pk - s * qk
      a[q][k] = s * pk + c * qk
    }
    for k in v.indices {
      let (kp, kq) = (v[k][p], v[k][q])
      v[k][p] = c * kp - s * kq
      v[k][q] = s * kp + c * kq
    }
  }
}
