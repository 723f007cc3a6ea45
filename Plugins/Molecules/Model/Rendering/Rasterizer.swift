/// Draws scenes into pixels; it reuses its memory from one picture to the next.
///
/// The same scene, camera, size and style always give the same bytes, on however many threads: every row is drawn by
/// one thread, in an order determined by the scene and the camera.
struct Rasterizer: ~Copyable {
  /// The size of the buffers in samples, before they are averaged to pixels.
  private(set) var width = 0
  private(set) var height = 0
  private(set) var stride = 4
  /// Samples along each side of a pixel.
  private(set) var samples = 1
  private(set) var aspect: Float = 1
  let depth = RawColumn(filling: DepthCanvas.emptyDepth)
  let owner = RawColumn(filling: Owner.none)
  private let coarse = RawColumn(filling: DepthCanvas.emptyDepth)
  private(set) var placed = PlacedColumns()
  /// The scene drawn last.
  private(set) var scene = InstancedScene([])

  /// The fraction of the work done when all depths are drawn and only lighting is missing.
  private static let geometryShare = 0.8
  /// The fraction of the work done when the occlusion is computed too.
  private static let lightShare = 0.95

  init() {}

  /// Draws a scene once and returns its pixels.
  ///
  /// - SeeAlso: ``draw(_:from:onto:style:work:progress:)-(InstancedScene,_,_,_,_,_)``
  mutating func draw(
    _ scene: Scene, from camera: Camera, onto viewport: Viewport, style: RenderStyle = RenderStyle(),
    work: ParallelWork = .serial, progress: ((Double) -> Bool)? = nil
  ) -> [UInt8]? {
    draw(InstancedScene(scene), from: camera, onto: viewport, style: style, work: work, progress: progress)
  }

  /// Draws a scene and returns its pixels: red, green, blue and alpha, row by row from the top, alpha not
  /// premultiplied.
  ///
  /// - Parameters:
  ///   - scene: the scene, in ångström.
  ///   - camera: the viewpoint.
  ///   - viewport: the size of the picture; at most 2²⁶ samples, larger ones lose their smoothing first.
  ///   - style: light and effects.
  ///   - work: the execution of the work.
  ///   - progress: called many times with the fraction done (0 to 1); returns whether to continue.
  /// - Returns: 4 × width × height bytes, or nil if `progress` returned false.
  /// - Complexity: O(primitives that may be visible + samples they cover).
  mutating func draw(
    _ scene: InstancedScene, from camera: Camera, onto viewport: Viewport, style: RenderStyle = RenderStyle(),
    work: ParallelWork = .serial, progress: ((Double) -> Bool)? = nil
  ) -> [UInt8]? {
    prepare(viewport, samples: style.samples)
    self.scene = scene
    let enlarged = Viewport(width: width, height: height, pixelAspect: viewport.pixelAspect)
    let projection = Projection(camera, onto: enlarged)
    let plan = DrawPlan(
      scene, projection, onto: enlarged, detail: style.detail * Float(samples).squareRoot(), thinnest: thinnest)
    var report = RenderReport(share: Self.geometryShare, progress)
    guard width > 0, height > 0 else { return [] }
    guard drawGeometry(plan, work, &report) else { return nil }
    placeSeenPatches(plan.projections, work)
    let lighting = Lighting(style, projection: projection, samples: samples, isSolid: scene.isSolid)
    report.begin(from: Self.geometryShare, to: 1)
    guard style.occlusionDirections > 0, style.occlusion > 0 else {
      return shade(lighting, openness: nil, work, &report)
    }
    report.begin(from: Self.geometryShare, to: Self.lightShare)
    guard let openness = openness(lighting, projection, directions: style.occlusionDirections, work, &report)
    else { return nil }
    report.begin(from: Self.lightShare, to: 1)
    return shade(lighting, openness: openness, work, &report)
  }

  /// Returns the sample rows in bands that are drawn at a time, each starting at a row of squares of the coarse depth.
  private func bands(_ work: ParallelWork) -> [Range<Int>] {
    let side = CoarseDepth.side
    let wanted = max(work.threads * (work.threads > 1 ? 4 : 1), height / Self.bandHeight, 1)
    let squares = (height + side - 1) / side
    let step = max(1, (squares + wanted - 1) / wanted) * side
    return Swift.stride(from: 0, to: height, by: step).map { $0..<min($0 + step, height) }
  }

  /// The approximate height of a band in rows, so that its buffers fit the cache.
  private static let bandHeight = 128
  /// The least radius or half thickness of sticks and ribbons in pixels, so that they do not break into dots, and the
  /// least diameter of balls.
  private static let thinnestRadius: Float = 0.7
  /// The least radius or half thickness in samples.
  private var thinnest: Float { Self.thinnestRadius * Float(samples) }
  /// The number of runs placed in one piece of work.
  private static let runsPerPiece = 128

  /// Draws only the depths; returns false if `progress` returned false.
  ///
  /// - Parameter detail: Parts no larger than this, in samples, may be drawn as one ball.
  mutating func drawDepths(
    of scene: InstancedScene, _ camera: Camera, onto viewport: Viewport, detail: Float, _ work: ParallelWork
  ) -> Projection {
    prepare(viewport, samples: 1)
    self.scene = scene
    let projection = Projection(camera, onto: viewport)
    var report = RenderReport(share: 1, nil)
    let plan = DrawPlan(scene, projection, onto: viewport, detail: detail, thinnest: thinnest)
    _ = drawGeometry(plan, work, &report)
    return projection
  }

  private mutating func prepare(_ viewport: Viewport, samples wanted: Int) {
    samples = min(max(wanted, 1), 4)
    while samples > 1, viewport.width * viewport.height * samples * samples > 1 << 26 { samples -= 1 }
    width = viewport.width * samples
    height = viewport.height * samples
    aspect = viewport.pixelAspect
    stride = (width + 7) / 4 * 4
    depth.reserve(stride * height)
    owner.reserve(stride * height)
    coarse.reserve(CoarseDepth.count(width: width, height: height))
    placed.removeAll()
  }

  private func canvas(rows: Range<Int>) -> DepthCanvas {
    DepthCanvas(width: width, rows: rows, stride: stride, aspect: aspect, depth: depth.base, owner: owner.base)
  }

  /// Places and draws everything, near runs first; returns false if `progress` returned false.
  private mutating func drawGeometry(
    _ plan: DrawPlan, _ work: ParallelWork, _ report: inout RenderReport
  ) -> Bool {
    let bands = bands(work)
    let coarse = CoarseDepth(width: width, height: height, aspect: aspect, memory: coarse.base)
    guard !plan.rounds.isEmpty else {
      canvas(rows: 0..<height).clear()
      return report.goesOn(1)
    }
    let total = Double(plan.runs.count)
    for (number, round) in plan.rounds.enumerated() {
      // The first half of a round's share is for placing, the second for drawing, so that progress never decreases.
      let start = Self.geometryShare * Double(round.lowerBound) / total
      let end = Self.geometryShare * Double(round.upperBound) / total
      report.begin(from: start, to: (start + end) / 2)
      let (isFirst, isLast) = (number == 0, number == plan.rounds.count - 1)
      let seen = isFirst ? Array(plan.runs[round]) : plan.runs[round].filter { !coarse.hides($0.ball) }
      let runs = placed.allot(seen)
      guard place(runs, plan.projections, work, &report) else { return false }
      report.begin(from: (start + end) / 2, to: end)
      let goesOn = report.perform(bands.count, work) { band in
        let canvas = canvas(rows: bands[band])
        if isFirst { canvas.clear() }
        draw(runs, plan.projections, into: canvas, hiddenBy: isFirst ? nil : coarse)
        if !isLast { coarse.update(from: canvas) }
      }
      guard goesOn else { return false }
    }
    return true
  }

  private func place(
    _ runs: [DrawRun], _ projections: [PlacedProjection], _ work: ParallelWork, _ report: inout RenderReport
  ) -> Bool {
    report.perform((runs.count + Self.runsPerPiece - 1) / Self.runsPerPiece, work) { piece in
      for index in piece * Self.runsPerPiece..<min((piece + 1) * Self.runsPerPiece, runs.count) {
        let run = runs[index]
        placed.place(
          run, of: scene.parts[Int(run.part)].geometry, projections[Int(run.projection)], thinnest: thinnest,
          pixel: Float(samples))
      }
    }
  }

  /// Draws the primitives that reach into the canvas's rows.
  private func draw(
    _ runs: [DrawRun], _ projections: [PlacedProjection], into canvas: DepthCanvas, hiddenBy coarse: CoarseDepth?
  ) {
    for run in runs {
      guard canvas.isReached(from: run.ball.y - run.ball.w, to: run.ball.y + run.ball.w) else { continue }
      let range = Int(run.start)..<Int(run.start) + Int(run.count)
      switch run.kind {
      case .balls: drawBalls(range, into: canvas, hiddenBy: coarse)
      case .sticks:
        for index in range {
          canvas.drawCylinder(placed.sticks.base[index], name: UInt32(truncatingIfNeeded: index) | Owner.stickBit)
        }
      case .triangles:
        canvas.drawPatch(
          Int(run.run), of: scene.parts[Int(run.part)].geometry.mesh, projections[Int(run.projection)],
          thinnest: thinnest, name: Owner.name(ofPatch: run.start))
      }
    }
  }

  @inline(__always)
  private func drawBalls(_ range: Range<Int>, into canvas: DepthCanvas, hiddenBy coarse: CoarseDepth?) {
    let balls = placed.balls.base
    for index in range {
      let ball = balls[index]
      if ball.w >= Self.worthLooking, let coarse, coarse.hides(ball) { continue }
      canvas.drawSphere(ball, name: UInt32(truncatingIfNeeded: index))
    }
  }

  /// The least radius in samples of balls that are tested against the coarse depth.
  private static let worthLooking: Float = 3

  /// Places the visible patches of triangles: only they need light and color.
  private func placeSeenPatches(_ projections: [PlacedProjection], _ work: ParallelWork) {
    guard !placed.triangleRuns.isEmpty else { return }
    let isSeen = seenPatches()
    let runs = placed.allotPatches(of: scene) { isSeen[$0] }
    work((runs.count + Self.runsPerPiece - 1) / Self.runsPerPiece) { piece in
      for run in runs[piece * Self.runsPerPiece..<min((piece + 1) * Self.runsPerPiece, runs.count)] {
        placed.placePatch(
          run, of: scene.parts[Int(run.part)].geometry.mesh, projections[Int(run.projection)], thinnest: thinnest)
      }
    }
  }

  private func seenPatches() -> [Bool] {
    var isSeen = [Bool](repeating: false, count: placed.triangleRuns.count)
    // Light is computed for four samples at a time, including some beyond the end of a row.
    let columns = (width + 3) / 4 * 4
    for row in 0..<height {
      var last = Owner.none
      for name in UnsafeBufferPointer(start: owner.base + row * stride, count: columns) where name != last {
        last = name
        if name & Owner.kindBits == Owner.triangleBit { isSeen[Owner.patch(name)] = true }
      }
    }
    return isSeen
  }
}
