/// A ball of the scene; coordinates and radius in ångström.
struct Sphere: Equatable, Sendable {
  var center: SIMD3<Float>
  var radius: Float
  var color: RGBColor
  /// The index of the atom shown (0-based), -1 if there is none.
  var atom: Int32 = -1
  /// A Boolean value indicating whether the ball is an ion, which is never drawn smaller than two pixels.
  var isIon = false
}

/// A stick of the scene with two colored halves; coordinates and radius in ångström.
struct Cylinder: Equatable, Sendable {
  var start: SIMD3<Float>
  var end: SIMD3<Float>
  var radius: Float
  var startColor: RGBColor
  var endColor: RGBColor
  /// The index of the atom of the first half (0-based), -1 if there is none.
  var startAtom: Int32 = -1
  /// The index of the atom of the second half (0-based), -1 if there is none.
  var endAtom: Int32 = -1
}

/// The input of a rasterizer: balls, sticks and triangles in the coordinates of the molecule.
///
/// Primitives with a coordinate or radius that is not finite, or with a radius that is not positive, are neither drawn
/// nor included in the bounds.
struct Scene: Equatable, Sendable {
  var spheres: [Sphere] = []
  var cylinders: [Cylinder] = []
  var mesh = TriangleMesh()

  var isEmpty: Bool { spheres.isEmpty && cylinders.isEmpty && mesh.isEmpty }

  /// The number of balls, sticks and triangles together.
  var primitiveCount: Int { spheres.count + cylinders.count + mesh.triangles.count }
}

extension Sphere {
  var isDrawable: Bool { center.isDrawable && radius > 0 && radius < coordinateLimit }
}

extension Cylinder {
  var isDrawable: Bool { start.isDrawable && end.isDrawable && radius > 0 && radius < coordinateLimit }
}

/// The largest plausible coordinate in ångström, whose square stays finite; larger ones are faults of the file.
private let coordinateLimit: Float = 1e8

extension SIMD3<Float> {
  /// A Boolean value indicating whether all three coordinates can be drawn.
  var isDrawable: Bool {
    abs(x) < coordinateLimit && abs(y) < coordinateLimit && abs(z) < coordinateLimit
  }

  /// The Euclidean length of the vector.
  var length: Float { (self * self).sum().squareRoot() }

  /// The normalized vector; zero stays zero.
  @inline(__always)
  var normalized: SIMD3<Float> {
    let length = self.length
    return length > 0 ? self / length : .zero
  }
}
