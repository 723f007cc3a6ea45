/// A scene prepared for repeated drawing: spatially sorted, cut into runs, with coarser levels for small pictures.
///
/// It is immutable, so that any number of placements, pictures and threads can share it.
final class SceneGeometry: Sendable {
  /// The balls except ions, finest level first.
  let levels: [BallLevel]
  /// Ions, which are drawn at every level.
  let ions: BallLevel
  let sticks: StickColumn
  let mesh: MeshColumn
  /// The bounding ball of the scene, in ångström; of radius 0 if there is nothing to draw.
  let bounds: SIMD4<Float>

  /// The number of neighbors of a group merged into one ball of a coarser level, unless it is the whole group.
  private static let partSizes = [2, 4]
  /// The number of groups merged into one ball of a still coarser level.
  private static let groupCounts = [1, 2, 4, 8, 16, 32]
  /// The number of balls below which scenes are always drawn at the finest level.
  private static let smallest = 2048

  /// Prepares a scene.
  ///
  /// - Complexity: O(primitives).
  init(_ scene: Scene) {
    let (finest, order) = BallLevel.finest(scene.spheres.filter { !$0.isIon })
    ions = BallLevel.finest(scene.spheres.filter(\.isIon)).level
    let groupings = finest.balls.count >= Self.smallest ? order.map(Self.groupings) ?? [] : []
    levels = [finest] + groupings.map { BallLevel(finest, merging: $0) }
    sticks = StickColumn(scene.cylinders)
    mesh = MeshColumn(scene.mesh)
    bounds = BoundingBall.around((finest.runs + ions.runs + sticks.runs + mesh.runs)[...])
  }

  /// Returns the groups of merged balls for each of the coarser levels.
  private static func groupings(_ order: SpatialOrder) -> [[Range<Int>]] {
    let starts = order.starts
    let parts = partSizes.map { size in
      zip(starts, starts.dropFirst()).flatMap { start, end in
        stride(from: start, to: end, by: size).map { $0..<min($0 + size, end) }
      }
    }
    let groups = groupCounts.map { count in
      stride(from: 0, to: starts.count - 1, by: count).map { index in
        starts[index]..<starts[min(index + count, starts.count - 1)]
      }
    }
    return parts + groups
  }

  /// A Boolean value indicating whether there is nothing to draw.
  var isEmpty: Bool { ballCount == 0 && sticks.sticks.isEmpty && mesh.triangles.isEmpty }

  /// The number of balls, ions included.
  var ballCount: Int { levels[0].balls.count + ions.balls.count }

  /// The number of the level of ions in runs.
  static let ionLevel = UInt8.max

  /// Returns the balls of a level by its number, or the ions.
  @inline(__always)
  func balls(ofLevel level: UInt8) -> BallLevel { level == Self.ionLevel ? ions : levels[Int(level)] }

  /// Returns the coarsest level whose balls represent parts no larger than a length, in ångström.
  func level(forDetail length: Float) -> Int {
    levels.indices.last { $0 == 0 || levels[$0].extent <= length } ?? 0
  }
}

/// Sticks in runs that can be skipped as a whole.
struct StickColumn: Sendable {
  private(set) var sticks: [Cylinder] = []
  /// A bounding ball of each run of ``runLength`` sticks, in ångström.
  private(set) var runs: [SIMD4<Float>] = []
  /// The mean length of a stick including its ends, in ångström.
  private(set) var meanLength: Float = 0

  static let runLength = 64

  init(_ cylinders: [Cylinder]) {
    sticks = cylinders.filter(\.isDrawable)
    var length: Double = 0
    for stick in sticks { length += Double((stick.end - stick.start).length + 2 * stick.radius) }
    meanLength = Float(length / Double(max(1, sticks.count)))
    runs = stride(from: 0, to: sticks.count, by: Self.runLength).map { start in
      let ends = sticks[start..<min(start + Self.runLength, sticks.count)].flatMap { stick in
        [SIMD4(stick.start, stick.radius), SIMD4(stick.end, stick.radius)]
      }
      return BoundingBall.around(ends[...])
    }
  }

  /// Returns the sticks of a run.
  func range(ofRun run: Int) -> Range<Int> {
    run * Self.runLength..<min((run + 1) * Self.runLength, sticks.count)
  }
}

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
  private(set) var positions: [SIMD3<Float>] = []
  private(set) var looks: [Look] = []
  /// The motion of corners when thin parts are thickened, as in ``TriangleMesh``; empty if no part is thin.
  private(set) var thickening: [SIMD4<Float>] = []
  /// Half the thickness of the thinnest part, in ångström.
  private var leastHalfThickness = Float.infinity
  /// Three indices into the corners of the patch each.
  private(set) var triangles: [SIMD3<UInt16>] = []
  private(set) var patches: [Patch] = []
  /// A bounding ball of each patch, in ångström.
  private(set) var runs: [SIMD4<Float>] = []
  /// A Boolean value indicating whether back faces are never visible.
  private(set) var isClosed = false

  /// The maximum number of triangles in a patch: names distinguish 128.
  private static let patchLength = 96

  /// Cuts a mesh into patches; an incomplete mesh has none.
  init(_ mesh: TriangleMesh) {
    guard mesh.isComplete else { return }
    let (corners, count) = (mesh.positions.count, mesh.triangles.count)
    triangles.reserveCapacity(count)
    // A corner is usually in at most two patches.
    positions.reserveCapacity(corners + corners / 2)
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
          known[corner] = SIMD2(Int32(truncatingIfNeeded: positions.count - patch.corners.lowerBound), number)
          positions.append(mesh.positions[corner])
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
    patch.corners = patch.corners.lowerBound..<positions.count
    patch.triangles = patch.triangles.lowerBound..<triangles.count
    if !patch.triangles.isEmpty {
      patches.append(patch)
      runs.append(BoundingBall.around(positions[patch.corners]))
    }
    patch = Patch(corners: positions.count..<positions.count, triangles: triangles.count..<triangles.count)
  }

  /// Calls `body` with the positions of a patch's corners in a picture, thin parts thickened.
  ///
  /// - Parameter thinnest: The least half thickness of a part, in samples.
  @inline(__always)
  func forEachCorner(
    of patch: Patch, _ projection: PlacedProjection, thinnest: Float, _ body: (Int, SIMD4<Float>) -> Void
  ) {
    let least = thinnest / projection.scale
    if leastHalfThickness >= least {
      for corner in patch.corners { body(corner, projection.point(positions[corner])) }
    } else {
      for corner in patch.corners {
        let motion = thickening[corner]
        let added = max(0, least - motion.w)
        body(corner, projection.point(positions[corner] + SIMD3(motion.x, motion.y, motion.z) * added))
      }
    }
  }
}
