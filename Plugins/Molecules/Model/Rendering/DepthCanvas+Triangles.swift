extension DepthCanvas {
  /// Draws a flat triangle, four pixels of a row at a time, where it is nearer than the samples drawn so far.
  ///
  /// A pixel is covered if its center lies on the inner side of all three edges; a center on a shared edge belongs to
  /// both triangles, so that no gap opens between them.
  ///
  /// - Parameters:
  ///   - first: x, y, z of a corner, in pixels; all finite.
  ///   - second: the next corner.
  ///   - third: the last corner, in either winding order.
  ///   - name: the value for the id-buffer.
  /// - Complexity: O(pixels of the rectangle around it).
  @inline(__always)
  func drawTriangle(_ first: SIMD3<Float>, _ second: SIMD3<Float>, _ third: SIMD3<Float>, name: UInt32) {
    let lowY = min(first.y, second.y, third.y) * inverseAspect
    let highY = max(first.y, second.y, third.y) * inverseAspect
    let top = max(lowY - 0.5, firstRow)
    let bottom = min(highY + 0.5, endRow)
    let left = max(min(first.x, second.x, third.x) - 0.5, 0)
    let right = min(max(first.x, second.x, third.x) + 0.5, endColumn)
    guard top < bottom, left < right else { return }
    let (upper, lower) = (Self.roundedUp(top), Int(bottom))
    let (start, end) = (Self.roundedUp(left), Int(right))
    guard upper < lower, start < end else { return }
    let plane = TrianglePlane(first, second, third)
    guard plane.isVisible else { return }
    let names = SIMD4<UInt32>(repeating: name)
    let none = SIMD4<Float>(repeating: -.infinity)
    for row in upper..<lower {
      let y = (Float(row) + 0.5) * aspect - first.y
      var x = start
      while x < end {
        let places = SIMD4<Float>(0.5, 1.5, 2.5, 3.5) + (Float(x) - first.x)
        let (second, third) = plane.shares(places, y)
        let inside = (second .>= 0) .& (third .>= 0) .& (second + third .<= 1)
        let z = first.z + second * plane.rise.x + third * plane.rise.y
        store(none.replacing(with: z, where: inside), names, row: row, x: x)
        x += 4
      }
    }
  }
}

extension DepthCanvas {
  /// Returns the least integer not below a nonnegative number, without a call to the C library.
  @inline(__always)
  private static func roundedUp(_ number: Float) -> Int {
    let whole = Int(number)
    return Float(whole) < number ? whole + 1 : whole
  }

  /// Draws the triangles of a patch; back faces only if the mesh is not closed.
  ///
  /// Its corners are transformed again for every canvas, in memory that stays in the cache.
  ///
  /// - Parameters:
  ///   - thinnest: The least half thickness of a part, in samples.
  ///   - name: the value for the id-buffer for the first triangle; those of the others follow.
  func drawPatch(
    _ number: Int, of mesh: MeshColumn, _ projection: PlacedProjection, thinnest: Float, name: UInt32
  ) {
    let patch = mesh.patches[number]
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: patch.corners.count) { corners in
      let start = patch.corners.lowerBound
      mesh.forEachCorner(of: patch, projection, thinnest: thinnest) { corners[$0 - start] = $1 }
      // Seen from the front a triangle runs clockwise, since y grows downward: its area is negative.
      let turn: Float = projection.isMirrored ? -1 : 1
      let isClosed = mesh.isClosed
      var name = name
      for triangle in mesh.triangles[patch.triangles] {
        let (first, second, third) = (corners[Int(triangle.x)], corners[Int(triangle.y)], corners[Int(triangle.z)])
        let (one, other) = (second - first, third - first)
        if !isClosed || (one.x * other.y - one.y * other.x) * turn < 0 {
          drawTriangle(
            SIMD3(first.x, first.y, first.z), SIMD3(second.x, second.y, second.z), SIMD3(third.x, third.y, third.z),
            name: name)
        }
        name += 1
      }
    }
  }
}

/// The barycentric coordinates of positions on a triangle, as weights of its second and third corner.
struct TrianglePlane {
  /// The depth of the second and third corner relative to the first.
  let rise: SIMD2<Float>
  private let secondX: Float
  private let secondY: Float
  private let thirdX: Float
  private let thirdY: Float
  /// A Boolean value indicating whether the triangle is not seen edge-on.
  let isVisible: Bool

  @inline(__always)
  init(_ first: SIMD3<Float>, _ second: SIMD3<Float>, _ third: SIMD3<Float>) {
    let one = second - first
    let other = third - first
    let area = one.x * other.y - one.y * other.x
    isVisible = abs(area) > 1e-12
    let scale = isVisible ? 1 / area : 0
    secondX = other.y * scale
    secondY = -other.x * scale
    thirdX = -one.y * scale
    thirdY = one.x * scale
    rise = SIMD2(one.z, other.z)
  }

  /// Returns the weights of second and third corner at positions of one row, relative to the first corner.
  @inline(__always)
  func shares(_ x: SIMD4<Float>, _ y: Float) -> (second: SIMD4<Float>, third: SIMD4<Float>) {
    (x * secondX + y * secondY, x * thirdX + y * thirdY)
  }

  /// Returns the weights of second and third corner at a position relative to the first corner, clamped to the
  /// triangle.
  @inline(__always)
  func shares(x: Float, y: Float) -> SIMD2<Float> {
    let second = min(max(x * secondX + y * secondY, 0), 1)
    let third = min(max(x * thirdX + y * thirdY, 0), 1 - second)
    return SIMD2(second, third)
  }
}
