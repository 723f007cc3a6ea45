/// Triangles that share corners; coordinates in ångström.
///
/// All columns have a row per corner. The light and the colour run smoothly from corner to corner. Triangles are seen
/// from both sides; those with a corner that does not exist or is no finite place are never drawn.
struct TriangleMesh: Equatable, Sendable {
  /// The places of the corners.
  var positions: [SIMD3<Float>] = []
  /// The directions away from the surface, of length one.
  var normals: [SIMD3<Float>] = []
  var colors: [RGBColor] = []
  /// Indices of the atoms shown (0-based), -1 where there is none.
  var atoms: [Int32] = []
  /// Three indices of corners (0-based) each.
  var triangles: [SIMD3<UInt32>] = []

  var isEmpty: Bool { triangles.isEmpty }

  /// Adds a corner and gives its index.
  mutating func addCorner(
    _ position: SIMD3<Float>, normal: SIMD3<Float>, color: RGBColor, atom: Int32 = -1
  ) -> UInt32 {
    positions.append(position)
    normals.append(normal)
    colors.append(color)
    atoms.append(atom)
    return UInt32(truncatingIfNeeded: positions.count - 1)
  }

  /// Adds a triangle between three corners.
  mutating func addTriangle(_ first: UInt32, _ second: UInt32, _ third: UInt32) {
    triangles.append(SIMD3(first, second, third))
  }

  /// Adds all of another mesh.
  mutating func append(_ other: TriangleMesh) {
    let start = UInt32(truncatingIfNeeded: positions.count)
    positions += other.positions
    normals += other.normals
    colors += other.colors
    atoms += other.atoms
    triangles += other.triangles.map { $0 &+ start }
  }

  /// Whether every corner has all its columns, so that the mesh may be read without looking.
  var isComplete: Bool {
    let count = positions.count
    guard normals.count == count, colors.count == count, atoms.count == count else { return false }
    return triangles.allSatisfy { $0.x < count && $0.y < count && $0.z < count }
  }
}
