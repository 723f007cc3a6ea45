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
  private static let brick = 56
  /// The share of the work done when the probe's places are known.
  private static let placesShare = 0.25

  var probe: Float = SolventSurface.waterRadius
  /// The spacing of the grid in ångström.
  var spacing: Float

  /// The surface with a spacing suited to as many atoms: half an ångström, more from ten thousand atoms on.
  ///
  /// The triangles of a surface grow with the atoms and shrink with the square of the spacing.
  init(atomCount: Int) {
    let excess = max(1, Float(atomCount) / 10_000)
    spacing = Self.finestSpacing * excess.squareRoot().squareRoot()
  }

  init(spacing: Float) {
    self.spacing = spacing
  }

  /// Whether details finer than an atom are lost.
  var isCoarse: Bool { spacing > 2 * Self.finestSpacing }

  /// The mesh of the surface around atoms; its corners bear the atom they lie next to, and are white.
  ///
  /// - Parameter progress: called with the share done; answers whether to go on.
  /// - Returns: nil when the closure asked to stop.
  /// - Complexity: O(atoms × neighbours + grid points near the surface).
  func mesh(around all: [SurfaceBall], progress: (Double) -> Bool = { _ in true }) -> TriangleMesh? {
    let balls = SurfaceBalls(all, probe: probe)
    guard !balls.balls.isEmpty else { return TriangleMesh() }
    let step = max(0.5, spacing)
    guard let places = ProbePlaces(balls, step: step, progress: { progress($0 * Self.placesShare) }) else { return nil }
    let side = Self.brick + 2 * SurfaceNets.margin
    let start = balls.low - Float(SurfaceNets.margin) * spacing
    let bricks = bricks(balls, places, from: start)
    var field = SurfaceField(side: side, spacing: spacing, probe: probe, start: start)
    var nets = SurfaceNets(side: side, level: probe)
    for (index, brick) in bricks.enumerated() {
      guard progress(Self.placesShare + (1 - Self.placesShare) * Double(index) / Double(bricks.count)) else {
        return nil
      }
      if field.fill(from: brick.cell &* Int32(Self.brick), balls, isExposed: places.isExposed, places: brick.places) {
        nets.add(field, atoms: balls.atoms)
      }
    }
    return nets.mesh
  }

  /// A brick that the surface may run through, with the places of probes that reach it.
  private struct Brick {
    var cell: SIMD3<Int32>
    var places: [SIMD3<Float>]
  }

  /// The bricks near exposed atoms, layer by layer; the others hold nothing, however far apart the atoms lie.
  private func bricks(_ balls: SurfaceBalls, _ places: ProbePlaces, from start: SIMD3<Float>) -> [Brick] {
    var found: [SIMD3<Int32>: [SIMD3<Float>]] = [:]
    for (index, ball) in balls.balls.enumerated() where places.isExposed[index] {
      forEachBrick(around: SIMD3(ball.x, ball.y, ball.z), within: ball.w, from: start) { cell in
        if found[cell] == nil { found[cell] = [] }
      }
    }
    for place in places.places {
      forEachBrick(around: place, within: probe + 2 * spacing, from: start) { found[$0]?.append(place) }
    }
    return found.map { Brick(cell: $0.key, places: $0.value) }.sorted { one, other in
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
    let low = SIMD3<Int32>(((place - start - reach - overlap) / size).rounded(.down))
    let high = SIMD3<Int32>(((place - start + reach) / size).rounded(.down))
    for z in max(0, low.z)...max(0, high.z) {
      for y in max(0, low.y)...max(0, high.y) {
        for x in max(0, low.x)...max(0, high.x) { body(SIMD3(x, y, z)) }
      }
    }
  }
}
