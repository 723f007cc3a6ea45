/// A rigid transformation: rotation by rows, then translation in Å.
struct Transform: Hashable, Sendable {
  var row0 = SIMD3<Double>(1, 0, 0)
  var row1 = SIMD3<Double>(0, 1, 0)
  var row2 = SIMD3<Double>(0, 0, 1)
  var translation = SIMD3<Double>(0, 0, 0)

  static let identity = Transform()

  /// Returns the image of a point.
  func apply(_ point: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((row0 * point).sum(), (row1 * point).sum(), (row2 * point).sum()) + translation
  }

  /// Returns the transformation that applies `inner` first and then this one.
  func after(_ inner: Transform) -> Transform {
    func row(_ mine: SIMD3<Double>) -> SIMD3<Double> {
      mine.x * inner.row0 + mine.y * inner.row1 + mine.z * inner.row2
    }
    return Transform(
      row0: row(row0), row1: row(row1), row2: row(row2), translation: apply(inner.translation))
  }
}

extension Transform {
  /// Creates the rotation of a unit quaternion (w, x, y, z).
  init(quaternion q: SIMD4<Double>) {
    let (w, x, y, z) = (q[0], q[1], q[2], q[3])
    self.init(
      row0: SIMD3(w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)),
      row1: SIMD3(2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)),
      row2: SIMD3(2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z))
  }
}
