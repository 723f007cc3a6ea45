/// Single-precision vectors, used by scenes and pictures.
extension SIMD3<Float> {
  /// The Euclidean length of the vector.
  var length: Float { (self * self).sum().squareRoot() }

  /// The normalized vector; zero stays zero.
  @inline(__always)
  var normalized: SIMD3<Float> {
    let length = self.length
    return length > 0 ? self / length : .zero
  }

  /// Returns the cross product.
  @inline(__always)
  func cross(_ other: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// Returns the dot product.
  @inline(__always)
  func dot(_ other: SIMD3<Float>) -> Float { (self * other).sum() }

  /// Returns the vector without its component along a unit direction.
  @inline(__always)
  func without(_ direction: SIMD3<Float>) -> SIMD3<Float> { self - direction * dot(direction) }

  /// A unit vector perpendicular to this one.
  var anyPerpendicular: SIMD3<Float> {
    let axis: SIMD3<Float> = abs(x) < 0.7 * length ? SIMD3(1, 0, 0) : SIMD3(0, 1, 0)
    let across = cross(axis).normalized
    return across == .zero ? SIMD3(1, 0, 0) : across
  }
}

/// Double-precision vectors, used by structures.
extension SIMD3<Double> {
  /// The Euclidean length of the vector.
  var length: Double { (self * self).sum().squareRoot() }

  /// Returns the cross product.
  @inline(__always)
  func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
}
