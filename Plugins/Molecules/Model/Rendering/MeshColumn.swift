/// A mesh cut into patches of neighbouring triangles, each with corners of its own, that can be passed over as a whole.
struct MeshColumn: Sendable {
  /// A corner of a triangle in ångström.
  struct Corner: Sendable {
    var position: SIMD3<Float>
    var normal: SIMD3<Float>
    /// A number of the form 0xBBGGRR.
    var color: UInt32
    /// The index of the atom shown (0-based), -1 when there is none.
    var atom: Int32
  }

  /// Some triangles and the corners they have.
  struct Patch: Sendable {
    var corners: Range<Int>
    var triangles: Range<Int>
  }

  private(set) var corners: [Corner] = []
  /// Three indices into the corners of the patch each.
  private(set) var triangles: [SIMD3<UInt32>] = []
  private(set) var patches: [Patch] = []
  /// A ball around each patch, in ångström.
  private(set) var runs: [SIMD4<Float>] = []

  private static let patchLength = 96

  /// Cuts a mesh; one that is not complete gives none.
  init(_ mesh: TriangleMesh) {
    guard mesh.isComplete else { return }
    var places = [Int32](repeating: -1, count: mesh.positions.count)
    var used: [Int] = []
    var patch = Patch(corners: 0..<0, triangles: 0..<0)
    for triangle in mesh.triangles {
      guard mesh.positions[Int(triangle.x)].isDrawable, mesh.positions[Int(triangle.y)].isDrawable,
        mesh.positions[Int(triangle.z)].isDrawable
      else { continue }
      var local = SIMD3<UInt32>.zero
      for side in 0..<3 {
        let corner = Int(triangle[side])
        if places[corner] < 0 {
          places[corner] = Int32(truncatingIfNeeded: corners.count - patch.corners.lowerBound)
          used.append(corner)
          corners.append(
            Corner(
              position: mesh.positions[corner], normal: mesh.normals[corner], color: mesh.colors[corner].packed,
              atom: mesh.atoms[corner]))
        }
        local[side] = UInt32(truncatingIfNeeded: places[corner])
      }
      triangles.append(local)
      if triangles.count - patch.triangles.lowerBound >= Self.patchLength {
        finish(&patch)
        for corner in used { places[corner] = -1 }
        used.removeAll(keepingCapacity: true)
      }
    }
    finish(&patch)
  }

  private mutating func finish(_ patch: inout Patch) {
    patch.corners = patch.corners.lowerBound..<corners.count
    patch.triangles = patch.triangles.lowerBound..<triangles.count
    if !patch.triangles.isEmpty {
      patches.append(patch)
      let balls = corners[patch.corners].map { SIMD4($0.position, 0) }
      runs.append(BoundingBall.around(balls[...]))
    }
    patch = Patch(corners: corners.count..<corners.count, triangles: triangles.count..<triangles.count)
  }
}
