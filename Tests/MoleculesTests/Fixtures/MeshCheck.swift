@testable import Molecules

/// What must hold of every mesh of a solid, found without regard to how it was made.
struct MeshCheck {
  /// Edges that are not run through once in each direction by the triangles beside them.
  var openEdges = 0
  /// Triangles whose corners' normals point against the side that is seen counter-clockwise.
  var turnedTriangles = 0
  /// Normals that are not of length one, and places that are no numbers.
  var faults = 0
  /// The volume enclosed, in Å³; negative when the surface is inside out.
  var volume = 0.0
  var area = 0.0

  init(_ mesh: TriangleMesh) {
    var numbers: [SIMD3<Int32>: Int] = [:]
    let corners = mesh.positions.map { place -> Int in
      let key = SIMD3<Int32>((place * 512).rounded(.toNearestOrAwayFromZero))
      if let known = numbers[key] { return known }
      numbers[key] = numbers.count
      return numbers.count - 1
    }
    faults = mesh.normals.count { !(abs($0.length - 1) < 1e-3) }
    faults += mesh.positions.count { !($0.x.isFinite && $0.y.isFinite && $0.z.isFinite) }
    var edges: [SIMD2<Int>: Int] = [:]
    for triangle in mesh.triangles {
      let indices = [Int(triangle.x), Int(triangle.y), Int(triangle.z)]
      let ids = indices.map { corners[$0] }
      guard Set(ids).count == 3 else { continue }
      for index in 0..<3 { edges[SIMD2(ids[index], ids[(index + 1) % 3]), default: 0] += 1 }
      let places = indices.map { SIMD3<Double>(mesh.positions[$0]) }
      let face = Self.cross(places[1] - places[0], places[2] - places[0])
      let normal = indices.reduce(SIMD3<Double>.zero) { $0 + SIMD3<Double>(mesh.normals[$1]) }
      if (face * normal).sum() < 0 { turnedTriangles += 1 }
      area += (face * face).sum().squareRoot() / 2
      volume += (places[0] * face).sum() / 6
    }
    openEdges = edges.count { edges[SIMD2($0.key.y, $0.key.x)] != $0.value }
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
