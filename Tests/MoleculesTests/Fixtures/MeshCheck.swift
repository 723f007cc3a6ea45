@testable import Molecules

/// Properties of every closed mesh, computed independently of the mesher.
struct MeshCheck {
  /// The number of edges that the adjacent triangles do not traverse once in each direction.
  var openEdges = 0
  /// The number of triangles whose corners' normals point away from their counterclockwise side.
  var turnedTriangles = 0
  /// The number of normals that are not unit vectors, and of non-finite positions.
  var faults = 0
  /// The enclosed volume, in Å³; negative if the surface is inside out.
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
