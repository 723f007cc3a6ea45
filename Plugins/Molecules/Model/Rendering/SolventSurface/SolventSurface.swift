/// The surface that a probe rolling over atoms cannot get beneath: the solvent-excluded surface.
///
/// Brick by brick of a grid the distance of every point from the nearest free place of a probe's centre is worked out;
/// the surface is where it is the probe's radius. Memory is bounded by the triangles, not by the box around the atoms.
/// - Source: F. M. Richards, Ann. Rev. Biophys. Bioeng. 6 (1977) 151; M. L. Connolly, J. Appl. Cryst. 16 (1983) 548.
struct SolventSurface: Sendable {
  /// The radius of a water molecule in ångström.
  static let waterRadius: Float = 1.4
  /// The finest spacing of the grid in ångström.
  static let finestSpacing: Float = 0.5
  /// Cells of a brick along each side.
  private static let brick = SurfaceField.side - 2 * SurfaceNets.margin
  /// How far places of the probe on a circle lie apart at least, in ångström: those between them are worked out.
  private static let probeStep: Float = 0.6
  /// The share of the work done when the probe's places are known.
  private static let placesShare = 0.25

  var probe: Float = SolventSurface.waterRadius
  /// The spacing of the grid in ångström.
  var spacing: Float

  /// The surface with a spacing suited to as many atoms: half an ångström, more from five hundred atoms on.
  ///
  /// What is large is shown small: up to two hundred thousand atoms the spacing grows with the eighth root of their number,
  /// beyond them with the fourth, since the triangles grow with the atoms and shrink with the square of the spacing.
  init(atomCount: Int) {
    let many = max(1, Float(atomCount) / 500).squareRoot().squareRoot().squareRoot()
    let veryMany = max(1, Float(atomCount) / 10_000).squareRoot().squareRoot()
    spacing = Self.finestSpacing * max(many, veryMany)
  }

  init(spacing: Float) {
    self.spacing = spacing
  }

  /// Whether details finer than an atom are lost.
  var isCoarse: Bool { spacing > 2 * Self.finestSpacing }

  /// The mesh of the surface around atoms; its corners bear the atom they lie next to, and are white.
  ///
  /// Bricks are made side by side, each the same whatever the others are, and joined in their order: the mesh is the same
  /// on however many threads.
  ///
  /// - Parameters:
  ///   - work: how the work is done.
  ///   - progress: called with the share done; answers whether to go on.
  /// - Returns: nil when the closure asked to stop.
  /// - Complexity: O(atoms × neighbours + grid points near the surface).
  func mesh(
    around all: [SurfaceBall], work: ParallelWork = .serial, progress: (Double) -> Bool = { _ in true }
  ) -> TriangleMesh? {
    let balls = SurfaceBalls(all, probe: probe)
    guard !balls.balls.isEmpty else { return TriangleMesh() }
    return withoutActuallyEscaping(progress) { progress in
      var report = RenderReport(share: Self.placesShare, progress)
      let step = max(Self.probeStep, 0.75 * spacing)
      guard let places = ProbePlaces(balls, step: step, work, report) else { return nil }
      report.begin(from: Self.placesShare, to: 1)
      return mesh(of: balls, places, work, report)
    }
  }

  private func mesh(
    of balls: SurfaceBalls, _ places: ProbePlaces, _ work: ParallelWork, _ report: RenderReport
  ) -> TriangleMesh? {
    let start = balls.low - Float(SurfaceNets.margin) * spacing
    let bricks = bricks(balls, places, from: start)
    var meshes = [TriangleMesh](repeating: TriangleMesh(), count: bricks.count)
    var lanes = [Lane](repeating: Lane(self, from: start, ballCount: balls.balls.count), count: work.threads)
    // Fewer bricks between two reports where they hold more.
    let each = min(max(Self.ballsPerReport * bricks.count / balls.balls.count, 1), 2)
    for first in stride(from: 0, to: bricks.count, by: each * work.threads) {
      guard report.goesOn(Double(first) / Double(bricks.count)) else { return nil }
      lanes.withUnsafeMutableBufferPointer { lanes in
        meshes.withUnsafeMutableBufferPointer { meshes in
          work(min(lanes.count, bricks.count - first)) { lane in
            let end = min(first + each * lanes.count, bricks.count)
            for brick in stride(from: first + lane, to: end, by: lanes.count) {
              meshes[brick] = lanes[lane].mesh(of: bricks[brick], balls, places)
            }
          }
        }
      }
    }
    guard report.goesOn(1) else { return nil }
    return TriangleMesh(joining: meshes)
  }

  /// About so many balls are worked on by a thread between two reports.
  private static let ballsPerReport = 600

  /// What a thread needs to make one brick after the other.
  private struct Lane {
    private var field: SurfaceField
    private var nets = SurfaceNets()

    init(_ surface: SolventSurface, from start: SIMD3<Float>, ballCount: Int) {
      field = SurfaceField(spacing: surface.spacing, probe: surface.probe, start: start, ballCount: ballCount)
    }

    mutating func mesh(of brick: Brick, _ balls: SurfaceBalls, _ places: ProbePlaces) -> TriangleMesh {
      guard field.fill(from: brick.cell &* Int32(SolventSurface.brick), balls, places, places: brick.places) else {
        return TriangleMesh()
      }
      return nets.mesh(of: &field, balls, places)
    }
  }

  /// A brick that the surface may run through, with the places of probes that reach it.
  private struct Brick {
    var cell: SIMD3<Int32>
    /// The numbers of the places.
    var places: [Int32]
  }

  /// The bricks near exposed atoms, layer by layer; the others hold nothing, however far apart the atoms lie.
  private func bricks(_ balls: SurfaceBalls, _ places: ProbePlaces, from start: SIMD3<Float>) -> [Brick] {
    var bricks: [Brick] = []
    var known: [SIMD3<Int32>: Int] = [:]
    for (index, ball) in balls.balls.enumerated() where places.isExposed[index] {
      forEachBrick(around: SIMD3(ball.x, ball.y, ball.z), within: ball.w, from: start) { cell in
        guard bricks.last?.cell != cell, known[cell] == nil else { return }
        known[cell] = bricks.count
        bricks.append(Brick(cell: cell, places: []))
      }
    }
    // Most places are in the brick of the one before.
    var last = 0
    for (number, place) in places.places.enumerated() {
      forEachBrick(around: place.position, within: probe + 2 * spacing, from: start) { cell in
        if bricks[last].cell != cell {
          guard let brick = known[cell] else { return }
          last = brick
        }
        bricks[last].places.append(Int32(truncatingIfNeeded: number))
      }
    }
    return bricks.sorted { one, other in
      let (a, b) = (one.cell, other.cell)
      return a.z != b.z ? a.z < b.z : a.y != b.y ? a.y < b.y : a.x < b.x
    }
  }

  /// Calls a closure with the bricks whose points, those shared with neighbours included, may lie within a distance.
  private func forEachBrick(
    around place: SIMD3<Float>, within reach: Float, from start: SIMD3<Float>, _ body: (SIMD3<Int32>) -> Void
  ) {
    let size = Float(Self.brick) * spacing
    let overlap = Float(2 * SurfaceNets.margin) * spacing
    let low = ((place - start - reach - overlap) / size).wholeBelow
    let high = ((place - start + reach) / size).wholeBelow
    for z in max(0, low.z)...max(0, high.z) {
      for y in max(0, low.y)...max(0, high.y) {
        for x in max(0, low.x)...max(0, high.x) { body(SIMD3(x, y, z)) }
      }
    }
  }
}
