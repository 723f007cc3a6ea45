/// What was placed in a picture, column by column: where it lies and what colour it has.
///
/// Balls begin at 1, since 0 names nothing.
struct PlacedColumns: ~Copyable {
  /// A corner of a triangle in a picture.
  struct Corner: BitwiseCopyable {
    /// x, y and z in samples.
    var position: SIMD4<Float> = .zero
    /// The direction away from the surface (y up), then the bits of a colour of the form 0xBBGGRR.
    var normal: SIMD4<Float> = .zero
  }

  let balls = RawColumn(filling: SIMD4<Float>.zero)
  let ballColors = RawColumn(filling: UInt32(0))
  let sticks = RawColumn(filling: PlacedCylinder(from: .zero, to: .zero, radius: 0))
  /// The colours of the two halves.
  let stickColors = RawColumn(filling: SIMD2<UInt32>.zero)
  let corners = RawColumn(filling: Corner())
  /// Three places among the corners each; the fourth number is 0.
  let triangles = RawColumn(filling: SIMD4<UInt32>.zero)
  private(set) var ballCount = 1
  private(set) var stickCount = 0
  private(set) var cornerCount = 0
  private(set) var triangleCount = 0
  /// The runs placed of each kind, in the order of their places.
  private(set) var ballRuns: [DrawRun] = []
  private(set) var stickRuns: [DrawRun] = []
  private(set) var triangleRuns: [DrawRun] = []

  init() {}

  /// Forgets everything that was placed.
  mutating func removeAll() {
    (ballCount, stickCount, cornerCount, triangleCount) = (1, 0, 0, 0)
    ballRuns.removeAll(keepingCapacity: true)
    stickRuns.removeAll(keepingCapacity: true)
    triangleRuns.removeAll(keepingCapacity: true)
  }

  /// Gives runs their places, and makes room for them; runs for which there are no names left are left out.
  mutating func allot(_ runs: [DrawRun], of scene: InstancedScene) -> [DrawRun] {
    let before = (balls: ballCount, sticks: stickCount, corners: cornerCount, triangles: triangleCount)
    var allotted: [DrawRun] = []
    allotted.reserveCapacity(runs.count)
    for run in runs {
      var run = run
      let count = Int(run.count)
      switch run.kind {
      case .balls:
        guard ballCount + count < Owner.capacity else { continue }
        run.start = UInt32(truncatingIfNeeded: ballCount)
        ballCount += count
        ballRuns.append(run)
      case .sticks:
        guard stickCount + count < Owner.capacity else { continue }
        run.start = UInt32(truncatingIfNeeded: stickCount)
        stickCount += count
        stickRuns.append(run)
      case .triangles:
        guard triangleCount + count < Owner.capacity else { continue }
        run.start = UInt32(truncatingIfNeeded: triangleCount)
        run.cornerStart = UInt32(truncatingIfNeeded: cornerCount)
        triangleCount += count
        cornerCount += scene.parts[Int(run.part)].geometry.mesh.patches[Int(run.run)].corners.count
        triangleRuns.append(run)
      }
      allotted.append(run)
    }
    balls.reserve(ballCount, keeping: before.balls)
    ballColors.reserve(ballCount, keeping: before.balls)
    sticks.reserve(stickCount, keeping: before.sticks)
    stickColors.reserve(stickCount, keeping: before.sticks)
    corners.reserve(cornerCount, keeping: before.corners)
    triangles.reserve(triangleCount, keeping: before.triangles)
    return allotted
  }

  /// Writes where the primitives of a run lie; different runs may be written at a time.
  ///
  /// - Parameter thinnest: The least radius of a stick in samples.
  func place(_ run: DrawRun, of geometry: SceneGeometry, _ projection: PlacedProjection, thinnest: Float) {
    switch run.kind {
    case .balls: placeBalls(run, of: geometry.levels[Int(run.level)], projection)
    case .sticks: placeSticks(run, of: geometry.sticks, projection, thinnest: thinnest)
    case .triangles: placeTriangles(run, of: geometry.mesh, projection)
    }
  }

  private func placeBalls(_ run: DrawRun, of level: BallLevel, _ projection: PlacedProjection) {
    let range = level.range(ofRun: Int(run.run))
    let (places, colors) = (balls.base + Int(run.start), ballColors.base + Int(run.start))
    level.balls[range].withUnsafeBufferPointer { balls in
      for index in 0..<balls.count { places[index] = projection.ball(balls[index]) }
    }
    level.colors[range].withUnsafeBufferPointer { packed in
      for index in 0..<packed.count { colors[index] = packed[index] }
    }
  }

  private func placeSticks(
    _ run: DrawRun, of column: StickColumn, _ projection: PlacedProjection, thinnest: Float
  ) {
    var place = Int(run.start)
    for stick in column.sticks[column.range(ofRun: Int(run.run))] {
      let (start, end) = (projection.point(stick.start), projection.point(stick.end))
      sticks.base[place] = PlacedCylinder(
        from: SIMD3(start.x, start.y, start.z), to: SIMD3(end.x, end.y, end.z),
        radius: max(stick.radius * projection.scale, thinnest))
      stickColors.base[place] = SIMD2(stick.startColor.packed, stick.endColor.packed)
      place += 1
    }
  }

  private func placeTriangles(_ run: DrawRun, of mesh: MeshColumn, _ projection: PlacedProjection) {
    let patch = mesh.patches[Int(run.run)]
    var place = Int(run.cornerStart)
    for corner in mesh.corners[patch.corners] {
      let normal = projection.direction(corner.normal)
      corners.base[place] = Corner(
        position: projection.point(corner.position), normal: SIMD4(normal, Float(bitPattern: corner.color)))
      place += 1
    }
    place = Int(run.start)
    for triangle in mesh.triangles[patch.triangles] {
      triangles.base[place] = SIMD4(triangle &+ run.cornerStart, 0)
      place += 1
    }
  }
}
