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
  private static let brick = 40
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
    let extent = (balls.high - start) / (Float(Self.brick) * spacing)
    let bricks = SIMD3(Int(extent.x) + 1, Int(extent.y) + 1, Int(extent.z) + 1)
    let sorted = sort(places.places, from: start, bricks)
    var field = SurfaceField(side: side, spacing: spacing, probe: probe)
    var nets = SurfaceNets(side: side, level: probe)
    let total = bricks.x * bricks.y * bricks.z
    for brick in 0..<total {
      guard progress(Self.placesShare + (1 - Self.placesShare) * Double(brick) / Double(total)) else { return nil }
      let cell = SIMD3(brick % bricks.x, brick / bricks.x % bricks.y, brick / bricks.x / bricks.y)
      let origin = start + SIMD3<Float>(cell &* SIMD3(repeating: Self.brick)) * spacing
      if field.fill(from: origin, balls, isExposed: places.isExposed, places: sorted[brick]) {
        nets.add(field, atoms: balls.atoms)
      }
    }
    return nets.mesh
  }

  /// The places of probes by the bricks they reach.
  private func sort(_ places: [SIMD3<Float>], from start: SIMD3<Float>, _ bricks: SIMD3<Int>) -> [[SIMD3<Float>]] {
    var sorted = [[SIMD3<Float>]](repeating: [], count: bricks.x * bricks.y * bricks.z)
    let size = Float(Self.brick) * spacing
    let reach = probe + 2 * spacing
    let overlap = Float(2 * SurfaceNets.margin) * spacing
    for place in places {
      let low = (place - start - reach - overlap) / size
      let high = (place - start + reach) / size
      for z in max(0, Int(low.z.rounded(.down)))...max(0, min(bricks.z - 1, Int(high.z))) {
        for y in max(0, Int(low.y.rounded(.down)))...max(0, min(bricks.y - 1, Int(high.y))) {
          for x in max(0, Int(low.x.rounded(.down)))...max(0, min(bricks.x - 1, Int(high.x))) {
            sorted[(z * bricks.y + y) * bricks.x + x].append(place)
          }
        }
      }
    }
    return sorted
  }
}
