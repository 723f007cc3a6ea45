/// The solvent-excluded surface: the surface that a probe rolling over the atoms cannot penetrate.
///
/// For every point of a grid, brick by brick, the distance from the nearest free position of a probe's center is
/// computed; the surface is where it equals the probe's radius. Memory is bounded by the triangles, not by the box
/// around the atoms.
/// - Source: F. M. Richards, Ann. Rev. Biophys. Bioeng. 6 (1977) 151; M. L. Connolly, J. Appl. Cryst. 16 (1983) 548.
struct SolventSurface: Sendable {
  /// The radius of a water molecule in ångström.
  private static let waterRadius: Float = 1.4
  /// The finest spacing of the grid in ångström.
  private static let finestSpacing: Float = 0.5
  /// The number of cells along each side of a brick.
  private static let brick = SurfaceField.side - 2 * SurfaceNets.margin
  /// The least distance of probe positions on a circle, in ångström: those between them are computed.
  private static let probeStep: Float = 0.6
  /// The fraction of the work done when the probe positions are known.
  private static let placesShare = 0.25

  var probe: Float = SolventSurface.waterRadius
  /// The spacing of the grid in ångström.
  var spacing: Float

  /// Creates a surface with a spacing suited to a number of atoms: half an ångström, more from five hundred atoms on.
  ///
  /// Large molecules are shown at a small scale. Up to two hundred thousand atoms the spacing grows with the eighth
  /// root of their number, beyond that with the fourth root: the number of triangles is proportional to the atoms and
  /// inversely to the square of the spacing.
  init(atomCount: Int) {
    let many = max(1, Float(atomCount) / 500).squareRoot().squareRoot().squareRoot()
    let veryMany = max(1, Float(atomCount) / 10_000).squareRoot().squareRoot()
    spacing = Self.finestSpacing * max(many, veryMany)
  }

  init(spacing: Float) {
    self.spacing = spacing
  }

  /// A Boolean value indicating whether details finer than an atom are lost.
  var isCoarse: Bool { spacing > 2 * Self.finestSpacing }

  /// Returns the mesh of the surface around atoms; its corners carry the nearest atom, and are white.
  ///
  /// Bricks are computed in parallel, independently of each other, and joined in order: the mesh is the same on any
  /// number of threads.
  ///
  /// - Parameter progress: called with the fraction done; returns whether to continue.
  /// - Returns: nil if `progress` returned false.
  /// - Complexity: O(atoms × neighbors + grid points near the surface).
  func mesh(
    around all: [SurfaceBall], work: ParallelWork = .serial, progress: ((Double) -> Bool)? = nil
  ) -> TriangleMesh? {
    let balls = SurfaceBalls(all, probe: probe)
    guard !balls.balls.isEmpty else { return TriangleMesh() }
    var report = RenderReport(share: Self.placesShare, progress)
    let step = max(Self.probeStep, 0.75 * spacing)
    guard let probes = ProbePositions(balls, step: step, work, report) else { return nil }
    report.begin(from: Self.placesShare, to: 1)
    return mesh(of: balls, probes, work, report)
  }

  private func mesh(
    of balls: SurfaceBalls, _ probes: ProbePositions, _ work: ParallelWork, _ report: RenderReport
  ) -> TriangleMesh? {
    let start = balls.low - Float(SurfaceNets.margin) * spacing
    let bricks = bricks(balls, probes, from: start)
    var meshes = [TriangleMesh](repeating: TriangleMesh(), count: bricks.count)
    var lanes = [Lane](repeating: Lane(self, from: start, ballCount: balls.balls.count), count: work.threads)
    // Fewer bricks between two reports if they contain more balls.
    let each = min(max(Self.ballsPerReport * bricks.count / balls.balls.count, 1), 2)
    for first in stride(from: 0, to: bricks.count, by: each * work.threads) {
      guard report.shouldContinue(at: Double(first) / Double(bricks.count)) else { return nil }
      lanes.withUnsafeMutableBufferPointer { lanes in
        meshes.withUnsafeMutableBufferPointer { meshes in
          work(min(lanes.count, bricks.count - first)) { lane in
            let end = min(first + each * lanes.count, bricks.count)
            for brick in stride(from: first + lane, to: end, by: lanes.count) {
              meshes[brick] = lanes[lane].mesh(of: bricks[brick], balls, probes)
            }
          }
        }
      }
    }
    guard report.shouldContinue(at: 1) else { return nil }
    return TriangleMesh(joining: meshes)
  }

  /// The approximate number of balls that a thread processes between two reports.
  private static let ballsPerReport = 600

  /// The working memory of a thread for one brick after the other.
  private struct Lane {
    private var field: SurfaceField
    private var nets = SurfaceNets()

    init(_ surface: SolventSurface, from start: SIMD3<Float>, ballCount: Int) {
      field = SurfaceField(spacing: surface.spacing, probe: surface.probe, start: start, ballCount: ballCount)
    }

    mutating func mesh(of brick: Brick, _ balls: SurfaceBalls, _ probes: ProbePositions) -> TriangleMesh {
      guard field.fill(from: brick.cell &* Int32(SolventSurface.brick), balls, probes, near: brick.probes) else {
        return TriangleMesh()
      }
      return nets.mesh(of: &field, balls, probes)
    }
  }

  /// A brick that the surface may cross, with the probe positions that reach it.
  private struct Brick {
    var cell: SIMD3<Int32>
    /// The numbers of the positions.
    var probes: [Int32]
  }

  /// Returns the bricks near exposed atoms, layer by layer; the others are empty, however far apart the atoms are.
  private func bricks(_ balls: SurfaceBalls, _ probes: ProbePositions, from start: SIMD3<Float>) -> [Brick] {
    var bricks: [Brick] = []
    var known: [SIMD3<Int32>: Int] = [:]
    for (index, ball) in balls.balls.enumerated() where probes.isExposed[index] {
      forEachBrick(around: SIMD3(ball.x, ball.y, ball.z), within: ball.w, from: start) { cell in
        guard bricks.last?.cell != cell, known[cell] == nil else { return }
        known[cell] = bricks.count
        bricks.append(Brick(cell: cell, probes: []))
      }
    }
    // Most positions are in the brick of the previous one.
    var last = 0
    for (number, probe) in probes.all.enumerated() {
      forEachBrick(around: probe.center, within: self.probe + 2 * spacing, from: start) { cell in
        if bricks[last].cell != cell {
          guard let brick = known[cell] else { return }
          last = brick
        }
        bricks[last].probes.append(Int32(truncatingIfNeeded: number))
      }
    }
    return bricks.sorted { one, other in
      let (a, b) = (one.cell, other.cell)
      return a.z != b.z ? a.z < b.z : a.y != b.y ? a.y < b.y : a.x < b.x
    }
  }

  /// Calls `body` with the bricks that have points, including those shared with neighbors, within a distance.
  private func forEachBrick(
    around position: SIMD3<Float>, within reach: Float, from start: SIMD3<Float>, _ body: (SIMD3<Int32>) -> Void
  ) {
    let size = Float(Self.brick) * spacing
    let overlap = Float(2 * SurfaceNets.margin) * spacing
    let low = ((position - start - reach - overlap) / size).wholeBelow
    let high = ((position - start + reach) / size).wholeBelow
    for z in max(0, low.z)...max(0, high.z) {
      for y in max(0, low.y)...max(0, high.y) {
        for x in max(0, low.x)...max(0, high.x) { body(SIMD3(x, y, z)) }
      }
    }
  }
}
