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
