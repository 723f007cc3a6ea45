import PluginText
import Testing

@testable import Molecules

/// The counted points must equal those of a comparison of every point with every sphere.
struct ProbedSpheresTests {
  /// Returns spheres at random points of a box.
  private static func spheres(_ count: Int, edge: Float, seed: UInt64) -> (points: [SIMD3<Float>], radii: [Float]) {
    var random = SplitMix64(seed: seed)
    func next() -> Float { .random(in: 0..<1, using: &random) }
    let points = (0..<count).map { _ in SIMD3(next(), next(), next()) * edge }
    return (points, (0..<count).map { _ in 2.8 + next() * 0.5 })
  }

  private static func compared(
    _ points: [SIMD3<Float>], _ radii: [Float], _ sphere: [SIMD3<Float>], samePlace: Float? = nil
  ) -> [Int] {
    points.indices.map { index in
      sphere.count { unit in
        let point = unit * radii[index]
        return !points.indices.contains { other in
          let step = points[other] - points[index]
          let square = step.x * step.x + step.y * step.y + step.z * step.z
          guard other != index, square > samePlace ?? -1 else { return false }
          let (x, y, z) = (step.x - point.x, step.y - point.y, step.z - point.z)
          return x * x + y * y + z * z <= radii[other] * radii[other]
        }
      }
    }
  }

  private static func counted(
    _ points: [SIMD3<Float>], _ radii: [Float], _ sphere: [SIMD3<Float>], samePlace: Float? = nil
  ) -> [Int] {
    let grid = PointGrid(points, edge: 2 * (radii.max() ?? 1))
    var spheres = ProbedSpheres(points, radii: radii, grid, SpherePatches(sphere), samePlace: samePlace)
    return points.indices.map { spheres.freePoints(of: $0) }
  }

  @Test(arguments: [1, 2, 7, 8, 9, 33, 401, 960])
  func `the free points are those that no sphere covers`(pointCount: Int) {
    let sphere = SurfaceArea.sphere(pointCount)
    // As dense as proteins, denser, and almost alone.
    for (count, edge) in [(60, Float(11)), (60, 6), (12, 20)] {
      let (points, radii) = Self.spheres(count, edge: edge, seed: UInt64(pointCount))
      let found = Self.counted(points, radii, sphere)
      #expect(found == Self.compared(points, radii, sphere))
      #expect(found.contains { $0 > 0 })
    }
  }

  @Test func `more neighbors than bits of a round are compared`() {
    let sphere = SurfaceArea.sphere(401)
    let (points, radii) = Self.spheres(400, edge: 7, seed: 5)
    // One is far out, so that it has free points among many neighbors.
    let all = points + [SIMD3(8.5, 3, 3)]
    let found = Self.counted(all, radii + [3], sphere)
    #expect(found == Self.compared(all, radii + [3], sphere))
    #expect((1..<401).contains(found[400]))
  }

  @Test func `spheres at one place, within another and of different sizes are compared`() {
    let sphere = SurfaceArea.sphere(401)
    let points: [SIMD3<Float>] = [[0, 0, 0], [0, 0, 0], [0.005, 0, 0], [0.3, 0, 0], [9, 0, 0], [12, 0, 0]]
    let radii: [Float] = [3, 3, 3, 1, 1.5, 6]
    for samePlace in [nil, Float(0.0001)] {
      let found = Self.counted(points, radii, sphere, samePlace: samePlace)
      #expect(found == Self.compared(points, radii, sphere, samePlace: samePlace))
      #expect(found[3] == 0 && found[4] == 0)
    }
  }

  /// Pairs of which one barely covers, or leaves, the outermost point of the other's outermost patch; a limit without a
  /// margin below the root took the patch as free or covered as a whole.
  @Test(arguments: [
    // Tangent from outside, one within the first, and the first within the other.
    (SIMD3<Float>(-5.784385, -1.4477713, -0.08635114), Float(3.3866756), Float(2.5767658), 400),
    (SIMD3(-6.539344, -1.6371799, -0.09812109), 3.3041523, 3.437733, 400),
    (SIMD3(-5.1608834, -1.2912909, -0.076572165), 2.6650243, 2.6555047, 400),
    (SIMD3(-0.18202586, -0.045504104, -0.0026562095), 2.8450127, 2.6573665, 400),
    (SIMD3(-0.4602549, -0.11514043, -0.006808031), 3.4382234, 2.963736, 400),
    (SIMD3(-0.8613868, -0.21580549, -0.013091454), 3.466483, 2.5783782, 400),
    (SIMD3(0.39694574, 0.09924574, 0.005808466), 2.9804819, 3.3896875, 1),
    (SIMD3(0.47054592, 0.11780528, 0.00706058), 2.7520158, 3.237136, 1),
    (SIMD3(0.47511524, 0.118840225, 0.007008129), 2.8422155, 3.3320181, 1),
  ])
  func `almost tangent spheres cover exactly the points within them`(
    point: SIMD3<Float>, radius: Float, other: Float, free: Int
  ) {
    let sphere = SurfaceArea.sphere(401)
    let found = Self.counted([.zero, point], [radius, other], sphere)
    #expect(found == Self.compared([.zero, point], [radius, other], sphere))
    #expect(found[0] == free)
  }

  @Test func `a sphere without a finite center is covered by none and covers none`() {
    let sphere = SurfaceArea.sphere(100)
    #expect(Self.counted([[0, 0, 0], [.nan, 0, 0], [.infinity, 0, 0]], [3, 3, 3], sphere) == [100, 100, 100])
    #expect(Self.counted([], [], sphere).isEmpty)
  }

  @Test func `patches hold each point once, near their centers`() {
    for count in [1, 2, 10, 401, 960, 10_000] {
      let points = SurfaceArea.sphere(count)
      let patches = SpherePatches(points)
      var found: [SIMD3<Float>] = []
      var farthest: Float = 1
      for (index, patch) in patches.patches.enumerated() {
        let center = patches.centers[index / 4]
        for lane in 0..<4 {
          if patch.firstMissing[lane] == 0 {
            found.append([patch.firstX[lane], patch.firstY[lane], patch.firstZ[lane]])
          }
          if patch.lastMissing[lane] == 0 { found.append([patch.lastX[lane], patch.lastY[lane], patch.lastZ[lane]]) }
        }
        for point in found.suffix(8 + Int(patch.firstMissing.wrappedSum() + patch.lastMissing.wrappedSum())) {
          farthest = min(
            farthest, point.x * center.x[index % 4] + point.y * center.y[index % 4] + point.z * center.z[index % 4])
        }
      }
      #expect(found.sorted { $0.z < $1.z } == points.sorted { $0.z < $1.z })
      #expect(patches.cosine <= farthest)
      #expect(abs(patches.cosine * patches.cosine + patches.sine * patches.sine - 1) < 1e-5)
    }
    // An even share of eight of 401 points is a cap of 0.28 rad; a patch is not much longer.
    #expect(SpherePatches(SurfaceArea.sphere(401)).cosine > 0.9)
  }
}
