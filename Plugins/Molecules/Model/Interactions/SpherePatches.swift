/// Points of the unit sphere, in patches of up to eight that are close to each other.
///
/// Another sphere covers or leaves most patches as a whole: the directions of their centers say so, and only the points
/// of the others must be compared with it.
struct SpherePatches: Sendable {
  /// Up to eight points, as two vectors of four for each coordinate.
  struct Patch: Sendable {
    var (firstX, firstY, firstZ) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
    var (lastX, lastY, lastZ) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
    /// -1 where there is no point, 0 where there is one.
    var (firstMissing, lastMissing) = (SIMD4<Int32>(repeating: -1), SIMD4<Int32>(repeating: -1))

    /// The most points of a patch.
    static let size = 8

    /// - Parameter points: One to eight points.
    init(_ points: ArraySlice<SIMD3<Float>>) {
      for (index, point) in points.enumerated() {
        let lane = index & 3
        if index < 4 {
          (firstX[lane], firstY[lane], firstZ[lane], firstMissing[lane]) = (point.x, point.y, point.z, 0)
        } else {
          (lastX[lane], lastY[lane], lastZ[lane], lastMissing[lane]) = (point.x, point.y, point.z, 0)
        }
      }
    }
  }

  /// The directions of the centers of four patches, as unit vectors.
  struct Centers: Sendable {
    var (x, y, z) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
    /// -1 after the last patch, 0 for the others.
    var missing = SIMD4<Int32>(repeating: -1)

    /// - Parameter directions: One to four directions.
    init(_ directions: ArraySlice<SIMD3<Float>>) {
      for (lane, direction) in directions.enumerated() {
        (x[lane], y[lane], z[lane], missing[lane]) = (direction.x, direction.y, direction.z, 0)
      }
    }
  }

  /// The number of points.
  let count: Int
  let patches: [Patch]
  /// The centers of the patches, four at a time.
  let centers: [Centers]
  /// The cosine and the sine of an angle: no point of a patch is farther from its center.
  let cosine: Float
  let sine: Float

  /// The part of a cosine that rounding may change.
  private static let tolerance: Float = 1e-5

  /// Sorts points into patches: collars between latitudes, each cut by longitude.
  ///
  /// - Parameter points: Unit vectors, spread evenly.
  /// - Complexity: O(n log n)
  init(_ points: [SIMD3<Float>]) {
    count = points.count
    let byHeight = points.sorted { $0.z < $1.z }
    var (patches, directions, cosine): ([Patch], [SIMD3<Float>], Float) = ([], [], 1)
    for collar in Self.collars(points.count) {
      let ring = byHeight[collar].sorted { Self.turn($0) < Self.turn($1) }
      let parts = (ring.count + Patch.size - 1) / Patch.size
      for part in 0..<parts {
        let own = ring[(ring.count * part / parts)..<(ring.count * (part + 1) / parts)]
        let center = Self.center(own)
        cosine = own.reduce(cosine) { min($0, ($1 * center).sum()) }
        patches.append(Patch(own))
        directions.append(center)
      }
    }
    self.patches = patches
    self.cosine = max(-1, cosine - Self.tolerance)
    sine = (1 - self.cosine * self.cosine).squareRoot()
    centers = stride(from: 0, to: directions.count, by: 4).map { first in
      Centers(directions[first..<min(first + 4, directions.count)])
    }
  }

  /// Returns the ranges of points of collars about as wide as a patch, from the south pole to the north, by height.
  private static func collars(_ count: Int) -> [Range<Int>] {
    guard count > 0 else { return [] }
    let patches = Double((count + Patch.size - 1) / Patch.size)
    // As wide as a square of a patch's area: the angle from pole to pole is π, the area of the sphere 4π.
    let collars = max(1, Int((patches * .pi / 4).squareRoot().rounded()))
    let ends = (0...collars).map { collar in
      let height = -SineAndCosine.of(.pi * Double(collar) / Double(collars)).cosine
      return collar == collars ? count : Int((height + 1) / 2 * Double(count))
    }
    return zip(ends, ends.dropFirst()).map { $0..<max($0, $1) }
  }

  /// Returns a number that increases with the longitude, from 0 to 4 over a turn.
  private static func turn(_ point: SIMD3<Float>) -> Float {
    let share = point.x / max(abs(point.x) + abs(point.y), .leastNormalMagnitude)
    return point.y < 0 ? 3 + share : 1 - share
  }

  /// Returns the direction of the mean of points; that of the first if they have none.
  private static func center(_ points: ArraySlice<SIMD3<Float>>) -> SIMD3<Float> {
    let sum = points.reduce(SIMD3<Float>.zero, +)
    let length = (sum * sum).sum().squareRoot()
    return length > 1e-3 ? sum / length : points[points.startIndex]
  }
}
