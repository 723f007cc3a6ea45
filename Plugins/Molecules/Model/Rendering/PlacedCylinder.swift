/// A stick in the coordinates of a picture, for intersection with rays along z.
struct PlacedCylinder: BitwiseCopyable {
  /// The center of the first end.
  let start: SIMD3<Float>
  /// The unit direction from the first end to the second.
  let axis: SIMD3<Float>
  let length: Float
  let radius: Float

  /// Creates a stick from the positions of its ends; one of length zero points to the right.
  init(from start: SIMD3<Float>, to end: SIMD3<Float>, radius: Float) {
    let along = end - start
    let length = along.length
    self.start = start
    self.length = length
    self.radius = radius
    axis = length > 1e-6 ? along / length : SIMD3(1, 0, 0)
  }

  /// Returns the distance along the axis of a point of the surface, 0 at the first end.
  @inline(__always)
  func distanceAlongAxis(of point: SIMD3<Float>) -> Float {
    ((point - start) * axis).sum()
  }

  /// Returns the surface normal at a point.
  @inline(__always)
  func normal(at point: SIMD3<Float>) -> SIMD3<Float> {
    let along = distanceAlongAxis(of: point)
    let outwards = point - start - axis * along
    let distance = outwards.length
    if distance < 0.93 * radius {
      if along <= 0.01 * radius { return -axis }
      if along >= length - 0.01 * radius { return axis }
    }
    return distance > 0 ? outwards / distance : SIMD3(0, 0, 1)
  }
}
