/// A rigid motion of a part of a scene, in ångström.
struct Placement: Equatable, Sendable {
  var matrix: RotationMatrix
  var offset: SIMD3<Float>

  static let identity = Placement(
    matrix: RotationMatrix(SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)), offset: .zero)

  init(matrix: RotationMatrix, offset: SIMD3<Float>) {
    self.matrix = matrix
    self.offset = offset
  }

  /// Creates a placement from a transformation of a file.
  init(_ transform: Transform) {
    func column(_ index: Int) -> SIMD3<Float> {
      SIMD3(Float(transform.row0[index]), Float(transform.row1[index]), Float(transform.row2[index]))
    }
    self.init(
      matrix: RotationMatrix(column(0), column(1), column(2)), offset: SIMD3<Float>(transform.translation))
  }

  /// A Boolean value indicating whether every number can be drawn.
  var isDrawable: Bool {
    matrix.first.isDrawable && matrix.second.isDrawable && matrix.third.isDrawable && offset.isDrawable
  }

  /// Returns the position of a point.
  @inline(__always)
  func callAsFunction(_ point: SIMD3<Float>) -> SIMD3<Float> { matrix * point + offset }
}

/// The projection of one placement of a part onto the samples of a picture; lengths are in widths of a sample.
struct PlacedProjection: BitwiseCopyable {
  /// Samples per ångström.
  let scale: Float
  private let first: SIMD4<Float>
  private let second: SIMD4<Float>
  private let third: SIMD4<Float>
  private let offset: SIMD4<Float>
  /// A Boolean value indicating whether left and right are swapped.
  let isMirrored: Bool

  init(_ projection: Projection, _ placement: Placement) {
    func column(_ direction: SIMD3<Float>) -> SIMD4<Float> {
      let turned = projection.turned(direction)
      return SIMD4(turned.x, -turned.y, turned.z, 0)
    }
    scale = projection.scale
    first = column(placement.matrix.first)
    second = column(placement.matrix.second)
    third = column(placement.matrix.third)
    offset = SIMD4(projection(placement.offset), 0)
    let (one, two, three) = (placement.matrix.first, placement.matrix.second, placement.matrix.third)
    isMirrored = one.cross(two).dot(three) < 0
  }

  /// Returns the position and radius in samples of a ball given by center and radius.
  @inline(__always)
  func ball(_ ball: SIMD4<Float>) -> SIMD4<Float> {
    first * ball.x + second * ball.y + third * ball.z + offset + SIMD4(0, 0, 0, ball.w * scale)
  }

  /// Returns the position of a point; the fourth number is 0.
  @inline(__always)
  func point(_ point: SIMD3<Float>) -> SIMD4<Float> {
    first * point.x + second * point.y + third * point.z + offset
  }

  /// Returns a direction rotated to the picture (y up), with unchanged length.
  @inline(__always)
  func direction(_ direction: SIMD3<Float>) -> SIMD3<Float> {
    let turned = (first * direction.x + second * direction.y + third * direction.z) / scale
    return SIMD3(turned.x, -turned.y, turned.z)
  }
}
