/// The primitives placed in a picture, column by column, with positions and colors.
///
/// Balls begin at 1, since 0 is the name of nothing.
struct PlacedColumns: ~Copyable {
  /// A corner of a triangle in a picture.
  struct Corner: BitwiseCopyable {
    /// The position, x, y and z in samples.
    var position: SIMD4<Float> = .zero
    /// The surface normal (y up), then the bits of a color of the form 0xBBGGRR.
    var normal: SIMD4<Float> = .zero
  }

  let balls = RawColumn(filling: SIMD4<Float>.zero)
  let ballColors = RawColumn(filling: UInt32(0))
  let sticks = RawColumn(filling: PlacedCylinder(from: .zero, to: .zero, radius: 0))
  /// The colors of the two halves.
  let stickColors = RawColumn(filling: SIMD2<UInt32>.zero)
  /// The corners of the visible patches.
  let corners = RawColumn(filling: Corner())
  /// Their triangles: three corner indices each; the fourth number is 0.
  let triangles = RawColumn(filling: SIMD4<UInt32>.zero)
  /// The first triangle and the first corner of each patch, `unplaced` for those that are not visible.
  let patchStarts = RawColumn(filling: PlacedColumns.unplaced)
  private(set) var ballCount = 1
  private var stickCount = 0
  /// The placed runs of each kind, in the order of their indices.
  private(set) var ballRuns: [DrawRun] = []
  private(set) var stickRuns: [DrawRun] = []
  private(set) var triangleRuns: [DrawRun] = []

  static let unplaced = SIMD2<UInt32>(repeating: .max)

  init() {}

  /// Removes all placed primitives.
  mutating func removeAll() {
    (ballCount, stickCount) = (1, 0)
    ballRuns.removeAll(keepingCapacity: true)
    stickRuns.removeAll(keepingCapacity: true)
    triangleRuns.removeAll(keepingCapacity: true)
  }

  /// Allots indices to runs and reserves memory for them; runs for which no names are left are dropped.
  mutating func allot(_ runs: [DrawRun]) -> [DrawRun] {
    let before = (balls: ballCount, sticks: stickCount, patches: triangleRuns.count)
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
        guard triangleRuns.count < Owner.patchCapacity else { continue }
        run.start = UInt32(truncatingIfNeeded: triangleRuns.count)
        triangleRuns.append(run)
      }
      allotted.append(run)
    }
    balls.reserve(ballCount, keeping: before.balls)
    ballColors.reserve(ballCount, keeping: before.balls)
    sticks.reserve(stickCount, keeping: before.sticks)
    stickColors.reserve(stickCount, keeping: before.sticks)
    patchStarts.reserve(triangleRuns.count, keeping: before.patches)
    for patch in before.patches..<triangleRuns.count { patchStarts.base[patch] = Self.unplaced }
    return allotted
  }

  /// Reserves memory for the visible patches and returns them; their indices are known from now on.
  ///
  /// - Parameter isSeen: Returns true if the patch of a number is visible.
  func allotPatches(of scene: InstancedScene, where isSeen: (Int) -> Bool) -> [DrawRun] {
    var (triangleCount, cornerCount) = (0, 0)
    let seen = triangleRuns.filter { isSeen(Int($0.start)) }
    for run in seen {
      patchStarts.base[Int(run.start)] = SIMD2(
        UInt32(truncatingIfNeeded: triangleCount), UInt32(truncatingIfNeeded: cornerCount))
      triangleCount += Int(run.count)
      cornerCount += scene.parts[Int(run.part)].geometry.mesh.patches[Int(run.run)].corners.count
    }
    corners.reserve(cornerCount)
    triangles.reserve(triangleCount)
    return seen
  }

  /// Writes the positions of the balls or sticks of a run; different runs may be written at the same time.
  ///
  /// Nothing is thinner than 0.7 pixel, and no ion smaller than two, at every level of detail.
  ///
  /// - Parameters:
  ///   - run: the run, whose indices were allotted.
  ///   - thinnest: the least radius of a stick and diameter of a ball, in samples.
  ///   - pixel: the samples along a side of a pixel, the least radius of an ion.
  func place(
    _ run: DrawRun, of geometry: SceneGeometry, _ projection: PlacedProjection, thinnest: Float, pixel: Float
  ) {
    switch run.kind {
    case .balls:
      // A line needs more width to hold together than a ball to be visible: the diameter of a ball suffices.
      let least = run.level == SceneGeometry.ionLevel ? pixel : thinnest / 2
      placeBalls(run, of: geometry.balls(ofLevel: run.level), projection, smallest: least)
    case .sticks: placeSticks(run, of: geometry.sticks, projection, thinnest: thinnest)
    case .triangles: break
    }
  }

  private func placeBalls(
    _ run: DrawRun, of level: BallLevel, _ projection: PlacedProjection, smallest least: Float
  ) {
    let range = level.range(ofRun: Int(run.run))
    let (placed, colors) = (balls.base + Int(run.start), ballColors.base + Int(run.start))
    // A merged ball grows as its atoms would, so that the coarser levels resemble the finest.
    let growth = max(0, least - level.atomRadius * projection.scale)
    level.balls[range].withUnsafeBufferPointer { balls in
      for index in 0..<balls.count {
        placed[index] = projection.ball(balls[index])
        placed[index].w = max(placed[index].w + growth, least)
      }
    }
    level.colors[range].withUnsafeBufferPointer { packed in
      for index in 0..<packed.count { colors[index] = packed[index] }
    }
  }

  private func placeSticks(
    _ run: DrawRun, of column: StickColumn, _ projection: PlacedProjection, thinnest: Float
  ) {
    var index = Int(run.start)
    for stick in column.sticks[column.range(ofRun: Int(run.run))] {
      let (start, end) = (projection.point(stick.start), projection.point(stick.end))
      sticks.base[index] = PlacedCylinder(
        from: SIMD3(start.x, start.y, start.z), to: SIMD3(end.x, end.y, end.z),
        radius: max(stick.radius * projection.scale, thinnest))
      stickColors.base[index] = SIMD2(stick.startColor.packed, stick.endColor.packed)
      index += 1
    }
  }

  /// Writes the positions of the triangles of an allotted patch; different patches may be written at the same time.
  ///
  /// - Parameter thinnest: The least half thickness of a part, in samples.
  func placePatch(_ run: DrawRun, of mesh: MeshColumn, _ projection: PlacedProjection, thinnest: Float) {
    let patch = mesh.patches[Int(run.run)]
    let starts = patchStarts.base[Int(run.start)]
    var index = Int(starts.y)
    mesh.forEachCorner(of: patch, projection, thinnest: thinnest) { corner, position in
      let look = mesh.looks[corner]
      corners.base[index] = Corner(
        position: position,
        normal: SIMD4(projection.direction(look.normal), Float(bitPattern: look.color)))
      index += 1
    }
    index = Int(starts.x)
    for triangle in mesh.triangles[patch.triangles] {
      triangles.base[index] = SIMD4(SIMD3(truncatingIfNeeded: triangle) &+ starts.y, 0)
      index += 1
    }
  }
}

/// A stick in the coordinates of a picture, for intersection with rays along z.
struct PlacedCylinder: BitwiseCopyable {
  /// The center of the first end.
  let start: SIMD3<Float>
  /// The unit direction from the first end to the second.
  let axis: SIMD3<Float>
  let length: Float
  let radius: Float

  /// Creates a stick from the positions of its ends; one of length zero points to the right.
  init(from start: SIMD3<Float>, to end: SIMD3<Float>, radius: Float) {
    let along = end - start
    let length = along.length
    self.start = start
    self.length = length
    self.radius = radius
    axis = length > 1e-6 ? along / length : SIMD3(1, 0, 0)
  }

  /// Returns the distance along the axis of a point of the surface, 0 at the first end.
  @inline(__always)
  func distanceAlongAxis(of point: SIMD3<Float>) -> Float {
    ((point - start) * axis).sum()
  }

  /// Returns the surface normal at a point.
  @inline(__always)
  func normal(at point: SIMD3<Float>) -> SIMD3<Float> {
    let along = distanceAlongAxis(of: point)
    let outwards = point - start - axis * along
    let distance = outwards.length
    if distance < 0.93 * radius {
      if along <= 0.01 * radius { return -axis }
      if along >= length - 0.01 * radius { return axis }
    }
    return distance > 0 ? outwards / distance : SIMD3(0, 0, 1)
  }
}

/// A triangle in the coordinates of a picture, for interpolation of its normal and color.
struct PlacedTriangle {
  private let first: PlacedColumns.Corner
  private let second: PlacedColumns.Corner
  private let third: PlacedColumns.Corner

  /// Looks up the corners of a triangle.
  @inline(__always)
  init(_ triangle: SIMD4<UInt32>, _ corners: UnsafeMutablePointer<PlacedColumns.Corner>) {
    first = corners[Int(triangle.x)]
    second = corners[Int(triangle.y)]
    third = corners[Int(triangle.z)]
  }

  /// Returns the barycentric weights of the corners at a position in the picture; the fourth number is 0.
  @inline(__always)
  func shares(x: Float, y: Float) -> SIMD4<Float> {
    let start = first.position
    let plane = TrianglePlane(
      SIMD3(start.x, start.y, start.z), SIMD3(second.position.x, second.position.y, second.position.z),
      SIMD3(third.position.x, third.position.y, third.position.z))
    let shares = plane.shares(x: x - start.x, y: y - start.y)
    return SIMD4(1 - shares.x - shares.y, shares.x, shares.y, 0)
  }

  /// Returns the normal, directed toward the viewer, and the color at a position in the picture.
  @inline(__always)
  func look(x: Float, y: Float) -> (normal: SIMD3<Float>, color: SIMD4<Float>) {
    let shares = shares(x: x, y: y)
    let sum = first.normal * shares.x + second.normal * shares.y + third.normal * shares.z
    let normal = SIMD3(sum.x, sum.y, sum.z).normalized
    let color =
      Self.color(first) * shares.x + Self.color(second) * shares.y + Self.color(third) * shares.z
    return (normal.z < 0 ? -normal : normal, color)
  }

  @inline(__always)
  private static func color(_ corner: PlacedColumns.Corner) -> SIMD4<Float> {
    RGBColor.shades(ofPacked: corner.normal.w.bitPattern)
  }
}

/// A column of numbers in its own memory that only grows, reused from one picture to the next.
///
/// During one call of the rasterizer, threads write to different elements at the same time; that is why it is not an
/// array.
final class RawColumn<Element: BitwiseCopyable> {
  /// The first element; valid until ``reserve(_:keeping:)`` is called.
  private(set) var base: UnsafeMutablePointer<Element>
  /// The number of elements, all of them initialized.
  private(set) var count: Int
  private let filler: Element

  /// Creates a column of one element.
  ///
  /// - Parameter filler: The value of new elements.
  init(filling filler: Element) {
    self.filler = filler
    count = 1
    base = .allocate(capacity: 1)
    base.initialize(to: filler)
  }

  deinit { base.deallocate() }

  /// Reserves memory for a number of elements; the first `kept` ones keep their values.
  func reserve(_ wanted: Int, keeping kept: Int = 0) {
    precondition(kept >= 0 && kept <= count, "a column keeps no more elements than it has")
    guard wanted > count else { return }
    let room = max(wanted, count + count / 2)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: room)
    larger.update(from: base, count: kept)
    (larger + kept).initialize(repeating: filler, count: room - kept)
    base.deallocate()
    base = larger
    count = room
  }

  subscript(index: Int) -> Element {
    precondition(index >= 0 && index < count, "the column has no such element")
    return base[index]
  }
}
