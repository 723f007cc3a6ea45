/// A rotation stored as a unit quaternion, so that any number of small rotations accumulates without gimbal lock.
struct Rotation: Equatable, Sendable {
  /// The unit quaternion: x, y, z the vector part and w the scalar part.
  private(set) var quaternion: SIMD4<Float>

  static let identity = Rotation(SIMD4(0, 0, 0, 1))

  /// Creates a rotation from a quaternion, which is normalized; the identity if that is impossible.
  init(_ quaternion: SIMD4<Float>) {
    let length = (quaternion * quaternion).sum().squareRoot()
    self.quaternion = length > 1e-12 && length.isFinite ? quaternion / length : SIMD4(0, 0, 0, 1)
  }

  /// Restores the quaternion of a rotation bit by bit; any other is normalized.
  init(kept quaternion: SIMD4<Float>) {
    let square = (quaternion * quaternion).sum()
    self.init(quaternion)
    if abs(square - 1) < 1e-5 { self.quaternion = quaternion }
  }

  /// Creates a rotation about an axis, counterclockwise if the axis points at the viewer.
  ///
  /// - Parameters:
  ///   - axis: direction of the axis, of any length above zero.
  ///   - degrees: angle of the rotation in degrees.
  init(about axis: SIMD3<Float>, degrees: Float) {
    let (sine, cosine) = Self.sineAndCosine(ofHalf: Double(degrees))
    self.init(SIMD4(axis.normalized * Float(sine), Float(cosine)))
  }

  /// Returns the sine and cosine of half an angle given in degrees, to the precision of a Float and identical on every
  /// machine.
  ///
  /// - Source: the Taylor series, after reduction of the half angle to ±π/2; the first term left out is below 1e-9.
  private static func sineAndCosine(ofHalf degrees: Double) -> (Double, Double) {
    let half = degrees.remainder(dividingBy: 360) * .pi / 360
    let square = half * half
    var (sine, cosine) = (0.0, 0.0)
    for term in stride(from: 7, through: 0, by: -1) {
      let n = Double(2 * term)
      cosine = 1 - square / ((n + 1) * (n + 2)) * cosine
      sine = 1 - square / ((n + 2) * (n + 3)) * sine
    }
    return (half * sine, cosine)
  }

  /// Creates the rotation that maps one direction to x and another, perpendicular to it, to y.
  ///
  /// - Source: the quaternion of a rotation matrix after S. W. Shepperd, J. Guidance and Control 1 (1978) 223.
  init(layingAlongX first: SIMD3<Double>, alongY second: SIMD3<Double>) {
    let third = first.cross(second)
    let trace = first.x + second.y + third.z
    let quaternion: SIMD4<Double>
    if trace >= max(first.x, second.y, third.z) {
      quaternion = SIMD4(third.y - second.z, first.z - third.x, second.x - first.y, 1 + trace)
    } else if first.x >= max(second.y, third.z) {
      quaternion = SIMD4(1 + 2 * first.x - trace, first.y + second.x, first.z + third.x, third.y - second.z)
    } else if second.y >= third.z {
      quaternion = SIMD4(first.y + second.x, 1 + 2 * second.y - trace, second.z + third.y, first.z - third.x)
    } else {
      quaternion = SIMD4(first.z + third.x, second.z + third.y, 1 + 2 * third.z - trace, second.x - first.y)
    }
    self.init(SIMD4<Float>(quaternion))
  }

  /// Creates a rotation that turns a unit direction toward the viewer.
  init(layingAlongZ direction: SIMD3<Double>) {
    let helper: SIMD3<Double> = abs(direction.x) < 0.7 ? SIMD3(1, 0, 0) : SIMD3(0, 1, 0)
    let across = helper.cross(direction)
    let first = across / across.length
    self.init(layingAlongX: first, alongY: direction.cross(first))
  }

  /// Returns the rotation by the right operand followed by the left one.
  static func * (left: Rotation, right: Rotation) -> Rotation {
    let a = left.quaternion
    let b = right.quaternion
    return Rotation(
      SIMD4(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z))
  }

  var inverse: Rotation {
    var inverse = self
    inverse.quaternion = SIMD4(-quaternion.x, -quaternion.y, -quaternion.z, quaternion.w)
    return inverse
  }

  /// The rotation as a matrix, by columns.
  ///
  /// - Source: K. Shoemake, "Animating rotation with quaternion curves", SIGGRAPH 1985, appendix I.2.
  var matrix: RotationMatrix {
    let q = quaternion
    return RotationMatrix(
      SIMD3(1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.z * q.w), 2 * (q.x * q.z - q.y * q.w)),
      SIMD3(2 * (q.x * q.y - q.z * q.w), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.x * q.w)),
      SIMD3(2 * (q.x * q.z + q.y * q.w), 2 * (q.y * q.z - q.x * q.w), 1 - 2 * (q.x * q.x + q.y * q.y)))
  }
}

/// A 3 × 3 rotation matrix stored as its three columns.
struct RotationMatrix: Equatable, Sendable {
  var first: SIMD3<Float>
  var second: SIMD3<Float>
  var third: SIMD3<Float>

  init(_ first: SIMD3<Float>, _ second: SIMD3<Float>, _ third: SIMD3<Float>) {
    self.first = first
    self.second = second
    self.third = third
  }

  /// Returns the vector rotated by the matrix.
  @inline(__always)
  static func * (matrix: RotationMatrix, vector: SIMD3<Float>) -> SIMD3<Float> {
    matrix.first * vector.x + matrix.second * vector.y + matrix.third * vector.z
  }
}
