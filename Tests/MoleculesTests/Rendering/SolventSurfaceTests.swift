import Testing

@testable import Molecules

/// Compares solvent-excluded surfaces with areas and volumes that are known in closed form.
struct SolventSurfaceTests {
  private func ball(_ x: Float, _ y: Float = 0, _ z: Float = 0, radius: Float = 1.7, atom: Int32 = 0) -> SurfaceBall {
    SurfaceBall(center: SIMD3(x, y, z), radius: radius, atom: atom)
  }

  private func mesh(_ balls: [SurfaceBall], spacing: Float = 0.3) throws -> TriangleMesh {
    try #require(SolventSurface(spacing: spacing).mesh(around: balls))
  }

  @Test func `the surface of one atom is its sphere`() throws {
    let mesh = try mesh([ball(3, -2, 7, atom: 5)])
    let check = MeshCheck(mesh)
    #expect(check.openEdges == 0 && check.turnedTriangles == 0 && check.faults == 0)
    #expect(abs(check.area / 36.32 - 1) < 0.03)
    #expect(abs(check.volume / 20.58 - 1) < 0.04)
    #expect(mesh.atoms.allSatisfy { $0 == 5 })
    let center = SIMD3<Float>(3, -2, 7)
    let slants = zip(mesh.positions, mesh.normals).map { ($0 - center).normalized.dot($1) }
    #expect((slants.min() ?? 0) > 0.995)
    let distances = mesh.positions.map { ($0 - center).length }
    #expect((distances.min() ?? 0) > 1.66 && (distances.max() ?? 9) < 1.72)
  }

  /// Two atoms are 4 Å apart: the probe cannot pass between them, the waist is a torus about the probe's circle.
  @Test func `a probe rolling around two atoms leaves a waist`() throws {
    let mesh = try mesh([ball(-2), ball(2, atom: 1)])
    let check = MeshCheck(mesh)
    #expect(check.openEdges == 0 && check.faults == 0)
    // The probe's circle has the radius √(3.1² − 2²) = 2.3685 Å; the waist lies a probe's radius within it.
    let waist = mesh.positions.filter { abs($0.x) < 0.2 }.map { SIMD2($0.y, $0.z) }
      .map { ($0 * $0).sum().squareRoot() }
    #expect(!waist.isEmpty && waist.allSatisfy { abs($0 - 0.9685) < 0.08 })
    // Closed form (integral of the profile): two balls cut at the touching planes and the torus between them.
    #expect(abs(check.volume / Self.volumeOfPair - 1) < 0.03)
    let sides = zip(mesh.positions, mesh.atoms).filter { abs($0.0.x) > 0.3 }
    #expect(sides.allSatisfy { ($0.0.x > 0) == ($0.1 == 1) })
  }

  /// Every corner is a probe's radius from the circle of the probe, or on an atom, however coarse the grid.
  @Test(arguments: [0.3, 0.5, 0.8] as [Float])
  func `vertices lie on the exact surface and have its normals`(spacing: Float) throws {
    let mesh = try mesh([ball(-2), ball(2, atom: 1)], spacing: spacing)
    let check = MeshCheck(mesh)
    #expect(check.openEdges == 0 && check.faults == 0)
    var off: [Float] = []
    var slants: [Float] = []
    for (place, normal) in zip(mesh.positions, mesh.normals) {
      // From the circle of the probe's center within the touching planes, from the center of an atom beyond them.
      let out = SIMD3(0, place.y, place.z).normalized
      let isWaist = abs(place.x) < 2 - 2 * 1.7 / 3.1
      let center = isWaist ? out * (3.1 * 3.1 - 4 as Float).squareRoot() : SIMD3(place.x < 0 ? -2 : 2, 0, 0)
      let way = place - center
      off.append(abs(way.length - (isWaist ? 1.4 : 1.7)))
      slants.append(normal.dot(isWaist ? -way.normalized : way.normalized))
    }
    #expect((off.max() ?? 9) < 0.02)
    #expect((slants.min() ?? 0) > 0.99)
  }

  /// The volume π ∫ r(x)² dx of the profile of two balls and the torus between them, by a fine sum.
  private static var volumeOfPair: Double {
    let (ball, probe, distance) = (1.7, 1.4, 2.0)
    let circle = ((ball + probe) * (ball + probe) - distance * distance).squareRoot()
    let touch = distance - distance * ball / (ball + probe)
    let steps = 200_000
    let width = (distance + ball) / Double(steps)
    return (0..<steps).reduce(0) { sum, step in
      let x = (Double(step) + 0.5) * width
      let radius =
        x < touch
        ? circle - (probe * probe - x * x).squareRoot()
        : (max(0, ball * ball - (x - distance) * (x - distance))).squareRoot()
      return sum + 2 * .pi * radius * radius * width
    }
  }

  @Test func `atoms with room for the probe between them have separate surfaces`() throws {
    let check = MeshCheck(try mesh([ball(-4), ball(4)]))
    #expect(check.openEdges == 0)
    #expect(abs(check.area / (2 * 36.32) - 1) < 0.03)
  }

  @Test func `an atom inside another adds nothing`() throws {
    let alone = try mesh([ball(0, radius: 2)])
    let both = try mesh([ball(0, radius: 2), ball(0.2, radius: 1)])
    #expect(alone.triangles.count == both.triangles.count)
    let twice = MeshCheck(try mesh([ball(0, radius: 2), ball(0, radius: 2)]))
    #expect(abs(twice.area / MeshCheck(alone).area - 1) < 1e-3)
  }

  @Test func `the surface of many atoms across several bricks is closed`() throws {
    var balls: [SurfaceBall] = []
    var seed: UInt64 = 7
    func next() -> Float {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(seed >> 40) / Float(1 << 24)
    }
    for atom in 0..<400 {
      balls.append(ball(next() * 30, next() * 16, next() * 16, radius: 1.2 + next(), atom: Int32(atom)))
    }
    let mesh = try mesh(balls, spacing: 0.5)
    let check = MeshCheck(mesh)
    #expect(mesh.isComplete && check.faults == 0)
    #expect(check.openEdges == 0)
    #expect(Double(check.turnedTriangles) < 0.01 * Double(mesh.triangles.count))
    // No corner lies inside an atom by more than the grid's tolerance.
    let deepest = mesh.positions.indices.filter { $0 % 7 == 0 }.map { corner in
      balls.map { ($0.center - mesh.positions[corner]).length - $0.radius }.min() ?? 9
    }
    #expect((deepest.min() ?? -9) > -0.2)
    #expect((deepest.max() ?? 9) < 3)
  }

  @Test func `the surface of distant atoms is computed without filling the space between`() throws {
    let check = MeshCheck(try mesh([ball(-3000), ball(3000, 100)], spacing: 0.5))
    let ratio = check.area / 72.64
    #expect(check.openEdges == 0 && ratio > 0.9 && ratio < 1.1)
  }

  @Test func `the same atoms give the same mesh`() throws {
    let balls = (0..<20).map { ball(Float($0) * 1.3, Float($0 % 3), 0, atom: Int32($0)) }
    #expect(try mesh(balls) == mesh(balls))
  }

  @Test func `the mesh does not depend on the number of threads`() throws {
    var seed: UInt64 = 3
    func next() -> Float {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(seed >> 40) / Float(1 << 24)
    }
    // More balls than fit one piece of work, in many bricks.
    let balls = (0..<900).map { ball(next() * 50, next() * 40, next() * 30, atom: Int32($0)) }
    let alone = try mesh(balls, spacing: 0.5)
    for helpers in 1...3 {
      let work = DrawingThreads(helpers: helpers).work
      #expect(SolventSurface(spacing: 0.5).mesh(around: balls, work: work) == alone)
    }
  }

  @Test func `an empty set has no surface, and faulty atoms are left out`() throws {
    #expect(try mesh([]).isEmpty)
    let broken = [ball(.nan), ball(0, radius: .infinity), ball(0, radius: -1), ball(1e30)]
    #expect(try mesh(broken).isEmpty)
    #expect(try mesh(broken + [ball(0)]).triangles.count == mesh([ball(0)]).triangles.count)
  }

  @Test func `the computation can be stopped and reports its progress`() {
    let balls = (0..<50).map { ball(Float($0) * 2) }
    #expect(SolventSurface(spacing: 0.5).mesh(around: balls) { $0 < 0.5 } == nil)
    var shares: [Double] = []
    _ = SolventSurface(spacing: 0.5).mesh(around: balls) {
      shares.append($0)
      return true
    }
    #expect(shares == shares.sorted() && shares.first == 0 && (shares.last ?? 0) > 0.8)
  }

  @Test func `large molecules get a coarser grid`() {
    #expect(SolventSurface(atomCount: 300).spacing == 0.5)
    let spacings = [500, 5000, 10_000, 100_000, 1_000_000].map { SolventSurface(atomCount: $0).spacing }
    #expect(spacings == spacings.sorted() && spacings[0] == 0.5 && spacings[2] < 0.75)
    let large = SolventSurface(atomCount: 2_000_000)
    #expect(large.spacing > 1.5 && large.isCoarse)
    #expect(!SolventSurface(atomCount: 49_061).isCoarse)
  }
}
