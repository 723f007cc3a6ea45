/// A mesh cut into patches of neighboring triangles, each with its own corners, that can be skipped as a whole.
struct MeshColumn: Sendable {
  /// The appearance of a corner of a triangle.
  struct Look: Sendable {
    /// The unit normal of the surface.
    var normal: SIMD3<Float>
    /// The color in the form 0xBBGGRR.
    var color: UInt32
    /// The index of the atom shown (0-based), -1 if there is none.
    var atom: Int32
  }

  /// A group of triangles and their corners.
  struct Patch: Sendable {
    var corners: Range<Int>
    var triangles: Range<Int>
  }

  /// The positions of the corners in ångström, which suffice to draw depths.
  private(set) var places: [SIMD3<Float>] = []
  private(set) var looks: [Look] = []
  /// The motion of corners when thin parts are thickened, as in ``TriangleMesh``; empty if no part is thin.
  private(set) var thickening: [SIMD4<Float>] = []
  /// Half the thickness of the thinnest part, in ångström.
  private(set) var leastHalfThickness = Float.infinity
  /// Three indices into the corners of the patch each.
  private(set) var triangles: [SIMD3<UInt16>] = []
  private(set) var patches: [Patch] = []
  /// A bounding ball of each patch, in ångström.
  private(set) var runs: [SIMD4<Float>] = []
  /// A Boolean value indicating whether back faces are never visible.
  private(set) var isClosed = false

  /// The most triangles in a patch: names distinguish 128.
  private static let patchLength = 96

  /// Cuts a mesh into patches; an incomplete mesh has none.
  init(_ mesh: TriangleMesh) {
    guard mesh.isComplete else { return }
    let (corners, count) = (mesh.positions.count, mesh.triangles.count)
    triangles.reserveCapacity(count)
    // A corner is usually in at most two patches.
    places.reserveCapacity(corners + corners / 2)
    looks.reserveCapacity(corners + corners / 2)
    if !mesh.thickening.isEmpty { thickening.reserveCapacity(corners + corners / 2) }
    // The index of a corner in the patch that used it last, and the index of that patch.
    var known = [SIMD2<Int32>](repeating: SIMD2(-1, -1), count: corners)
    var patch = Patch(corners: 0..<0, triangles: 0..<0)
    for triangle in mesh.triangles {
      guard mesh.positions[Int(triangle.x)].isDrawable, mesh.positions[Int(triangle.y)].isDrawable,
        mesh.positions[Int(triangle.z)].isDrawable
      else { continue }
      let number = Int32(truncatingIfNeeded: patches.count)
      var local = SIMD3<UInt16>.zero
      for side in 0..<3 {
        let corner = Int(triangle[side])
        if known[corner].y != number {
          known[corner] = SIMD2(Int32(truncatingIfNeeded: places.count - patch.corners.lowerBound), number)
          places.append(mesh.positions[corner])
          looks.append(
            Look(normal: mesh.normals[corner], color: mesh.colors[corner].packed, atom: mesh.atoms[corner]))
          if !mesh.thickening.isEmpty { thickening.append(mesh.thickening[corner]) }
        }
        local[side] = UInt16(truncatingIfNeeded: known[corner].x)
      }
      triangles.append(local)
      if triangles.count - patch.triangles.lowerBound >= Self.patchLength { finish(&patch) }
    }
    finish(&patch)
    leastHalfThickness = thickening.reduce(.infinity) { min($0, $1.w) }
    isClosed = mesh.isClosed && triangles.count == count
  }

  private mutating func finish(_ patch: inout Patch) {
    patch.corners = patch.corners.lowerBound..<places.count
    patch.triangles = patch.triangles.lowerBound..<triangles.count
    if !patch.triangles.isEmpty {
      patches.append(patch)
      runs.append(BoundingBall.around(places[patch.corners]))
    }
    patch = Patch(corners: places.count..<places.count, triangles: triangles.count..<triangles.count)
  }
}

extension MeshColumn {
  /// Calls `body` with the positions of a patch's corners in a picture, thin parts thickened.
  ///
  /// - Parameter thinnest: The least half thickness of a part, in samples.
  @inline(__always)
  func forEachCorner(
    of patch: Patch, _ projection: PlacedProjection, thinnest: Float, _ body: (Int, SIMD4<Float>) -> Void
  ) {
    let least = thinnest / projection.scale
    if leastHalfThickness >= least {
      for corner in patch.corners { body(corner, projection.point(places[corner])) }
    } else {
      for corner in patch.corners {
        let motion = thickening[corner]
        let added = max(0, least - motion.w)
        body(corner, projection.point(places[corner] + SIMD3(motion.x, motion.y, motion.z) * added))
      }
    }
  }
}
