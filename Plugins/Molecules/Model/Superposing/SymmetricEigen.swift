/// Eigenvalues and eigenvectors of a small symmetric matrix.
struct SymmetricEigen {
  private(set) var values: [Double]
  /// Unit vectors in the order of the values.
  private(set) var vectors: [[Double]]

  /// Solves a matrix given by rows; only its symmetric part counts.
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
