/// Parts that are drawn in many places without being copied: an assembly of chains, the mates in a crystal.
struct InstancedScene: Sendable {
  /// What is drawn, and where.
  struct Part: Sendable {
    let geometry: SceneGeometry
    let placements: [Placement]

    /// Makes a part; placements with numbers that cannot be drawn are left out.
    init(_ geometry: SceneGeometry, at placements: [Placement] = [.identity]) {
      self.geometry = geometry
      self.placements = placements.filter(\.isDrawable)
    }
  }

  var parts: [Part]
  /// Where it lies.
  let bounds: SceneBounds

  /// Makes a scene of parts.
  init(_ parts: [Part]) {
    self.parts = parts.filter { !$0.geometry.isEmpty && !$0.placements.isEmpty }
    bounds = Self.bounds(of: self.parts)
  }

  /// Makes the scene that shows another once, as it is.
  init(_ scene: Scene) {
    parts = [Part(SceneGeometry(scene))].filter { !$0.geometry.isEmpty }
    bounds = scene.bounds
  }

  /// The number of balls, sticks and triangles, each counted as often as it is drawn.
  var primitiveCount: Int {
    parts.reduce(0) { sum, part in
      let geometry = part.geometry
      let own = geometry.levels[0].balls.count + geometry.sticks.sticks.count + geometry.mesh.triangles.count
      return sum + own * part.placements.count
    }
  }

  /// The place and size of parts in their placements, taken from the balls around their runs.
  private static func bounds(of parts: [Part]) -> SceneBounds {
    SceneBounds { body in
      for part in parts {
        let balls = part.geometry.levels[0].runs
        let runs = balls.isEmpty ? part.geometry.sticks.runs + part.geometry.mesh.runs : balls
        for placement in part.placements {
          for run in runs { body(placement(SIMD3(run.x, run.y, run.z)), run.w) }
        }
      }
    }
  }
}
