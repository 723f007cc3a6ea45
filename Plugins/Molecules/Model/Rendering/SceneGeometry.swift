/// A scene made ready to be drawn many times: sorted by place, cut into runs, with coarser levels for small pictures.
///
/// It is never changed, so that any number of placements, pictures and threads share it.
final class SceneGeometry: Sendable {
  /// The balls but ions, finest level first.
  let levels: [BallLevel]
  /// Ions, which are drawn at every level.
  let ions: BallLevel
  let sticks: StickColumn
  let mesh: MeshColumn
  /// A ball around all of it, in ångström; of radius 0 if there is nothing to draw.
  let bounds: SIMD4<Float>

  /// How many neighbours of a group one ball of a coarser level stands for, as long as it is not all of them.
  private static let partSizes = [2, 4]
  /// How many groups one ball of a still coarser level stands for.
  private static let groupCounts = [1, 2, 4, 8, 16, 32]
  /// Scenes with fewer balls are always drawn whole.
  private static let smallest = 2048

  /// Makes a scene ready.
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

  /// The balls that one stands for, for each of the coarser levels.
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

  /// Whether there is nothing to draw.
  var isEmpty: Bool { ballCount == 0 && sticks.sticks.isEmpty && mesh.triangles.isEmpty }

  /// The number of balls, ions included.
  var ballCount: Int { levels[0].balls.count + ions.balls.count }

  /// The number that stands for the level of the ions in runs.
  static let ionLevel = UInt8.max

  /// The balls of a level by its number, or the ions.
  @inline(__always)
  func balls(ofLevel level: UInt8) -> BallLevel { level == Self.ionLevel ? ions : levels[Int(level)] }

  /// The coarsest level whose balls stand for parts no larger than a length, in ångström.
  func level(forDetail length: Float) -> Int {
    levels.indices.last { $0 == 0 || levels[$0].extent <= length } ?? 0
  }
}
