internal import PluginAPI

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
  private var samples = 1
  private var aspect: Float = 1
  let depth = RawColumn(filling: DepthCanvas.emptyDepth)
  let owner = RawColumn(filling: Owner.none)
  private let coarse = RawColumn(filling: DepthCanvas.emptyDepth)
  private(set) var placed = PlacedColumns()
  /// The scene drawn last.
  private var scene = InstancedScene([])

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
  ///   - viewport: the size of the picture; at most 2²⁶ samples, larger ones lose their smoothing first.
  ///   - style: light and effects.
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
  private mutating func drawDepths(
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
      return report.shouldContinue(at: 1)
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
      let isComplete = report.perform(bands.count, work) { band in
        let canvas = canvas(rows: bands[band])
        if isFirst { canvas.clear() }
        draw(runs, plan.projections, into: canvas, hiddenBy: isFirst ? nil : coarse)
        if !isLast { coarse.update(from: canvas) }
      }
      guard isComplete else { return false }
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

  /// Draws a scene as a picture of the contract; returns nil if `progress` returned false.
  ///
  /// - SeeAlso: ``draw(_:from:onto:style:work:progress:)``
  mutating func picture(
    of scene: InstancedScene, from camera: Camera, onto viewport: Viewport, style: RenderStyle = RenderStyle(),
    work: ParallelWork = .serial, progress: ((Double) -> Bool)? = nil
  ) -> Picture? {
    draw(scene, from: camera, onto: viewport, style: style, work: work, progress: progress).map {
      Picture(width: viewport.width, height: viewport.height, pixels: $0)
    }
  }

  /// Draws a scene once as a picture of the contract; returns nil if `progress` returned false.
  mutating func picture(
    of scene: Scene, from camera: Camera, onto viewport: Viewport, style: RenderStyle = RenderStyle(),
    work: ParallelWork = .serial, progress: ((Double) -> Bool)? = nil
  ) -> Picture? {
    picture(
      of: InstancedScene(scene), from: camera, onto: viewport, style: style, work: work, progress: progress)
  }

  // MARK: Shading

  /// The number of sample rows lit in one piece of work.
  private static let rowsPerPiece = 16

  /// Lights every sample and averages the samples to pixels; returns nil if `progress` returned false.
  ///
  /// - Parameter openness: The openness of each sample; nil to estimate it from the depths around it.
  private func shade(
    _ lighting: Lighting, openness: RawColumn<Float>?, _ work: ParallelWork, _ report: inout RenderReport
  ) -> [UInt8]? {
    let columns = width / samples
    let rows = height / samples
    let step = max(1, Self.rowsPerPiece / samples)
    let offsets = lighting.occlusionPairs.map { Int($0.y) * stride + Int($0.x) }
    var isComplete = true
    let pixels = [UInt8](unsafeUninitializedCapacity: 4 * columns * rows) { bytes, count in
      offsets.withUnsafeBufferPointer { offsets in
        let surface = surface(lighting, openness: openness, offsets)
        isComplete = report.perform((rows + step - 1) / step, work) { piece in
          shade(piece * step..<min((piece + 1) * step, rows), of: surface, into: bytes)
        }
      }
      count = isComplete ? 4 * columns * rows : 0
    }
    return isComplete ? pixels : nil
  }

  /// Returns the surface to light, valid until something else is drawn.
  private func surface(
    _ lighting: Lighting, openness: RawColumn<Float>?, _ offsets: UnsafeBufferPointer<Int>
  ) -> Surface {
    Surface(
      width: width, height: height, stride: stride, aspect: aspect, lighting: lighting,
      depth: UnsafePointer(depth.base), owner: UnsafePointer(owner.base), balls: UnsafePointer(placed.balls.base),
      ballColors: UnsafePointer(placed.ballColors.base), sticks: UnsafePointer(placed.sticks.base),
      stickColors: UnsafePointer(placed.stickColors.base), triangles: UnsafePointer(placed.triangles.base),
      corners: placed.corners.base, patchStarts: UnsafePointer(placed.patchStarts.base),
      meshRadius: Surface.meshRadiusInAngstroms * lighting.scale,
      openness: openness.map { UnsafePointer($0.base) }, pairOffsets: offsets)
  }

  /// Lights a range of rows of pixels.
  private func shade(_ rows: Range<Int>, of surface: Surface, into bytes: UnsafeMutableBufferPointer<UInt8>) {
    let columns = width / samples
    guard samples > 1 else {
      for row in rows { store(row, of: surface, into: bytes) }
      return
    }
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: columns + 1) { line in
      for row in rows {
        line.initialize(repeating: .zero)
        for y in row * samples..<(row + 1) * samples { addUp(y, of: surface, to: line) }
        store(line, into: bytes, at: 4 * row * columns)
      }
    }
  }

  /// Lights one row of samples that are pixels, four at a time.
  @inline(__always)
  private func store(_ row: Int, of surface: Surface, into bytes: UnsafeMutableBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress.map({ UnsafeMutableRawPointer($0 + 4 * row * width) }) else { return }
    for x in Swift.stride(from: 0, to: width, by: 4) {
      let colors = surface.colors(x: x, y: row)
      let pixels =
        Self.byte(colors.red) | Self.byte(colors.green) &<< 8 | Self.byte(colors.blue) &<< 16
        | Self.byte(colors.alpha * 255) &<< 24
      if x + 4 <= width {
        (start + 4 * x).storeBytes(of: pixels, as: SIMD4<UInt32>.self)
      } else {
        for lane in 0..<width - x { (start + 4 * (x + lane)).storeBytes(of: pixels[lane], as: UInt32.self) }
      }
    }
  }

  /// Returns numbers from 0 to 255 rounded to integers: they fall into the mantissa of 2²³.
  @inline(__always)
  private static func byte(_ numbers: SIMD4<Float>) -> SIMD4<UInt32> {
    unsafeBitCast(numbers + 8_388_608, to: SIMD4<UInt32>.self) & 0xFF
  }

  /// Accumulates the samples of one row into their pixels, colors weighted by their alpha.
  @inline(__always)
  private func addUp(_ y: Int, of surface: Surface, to line: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    var (column, sample) = (0, 0)
    for x in Swift.stride(from: 0, to: width, by: 4) {
      let colors = surface.colors(x: x, y: y)
      for lane in 0..<min(4, width - x) {
        line[column] += SIMD4(colors.red[lane], colors.green[lane], colors.blue[lane], 1) * colors.alpha[lane]
        sample += 1
        if sample == samples { (column, sample) = (column + 1, 0) }
      }
    }
  }

  /// Writes a row of sums as bytes: the mean color of the covered samples, and their number as alpha.
  @inline(__always)
  private func store(
    _ line: UnsafeMutableBufferPointer<SIMD4<Float>>, into bytes: UnsafeMutableBufferPointer<UInt8>, at start: Int
  ) {
    let share = 1 / Float(samples * samples)
    for column in 0..<width / samples {
      let sum = line[column]
      let mean = sum.w > 0 ? sum / sum.w : .zero
      let offset = start + 4 * column
      bytes[offset] = UInt8(min(max(mean.x + 0.5, 0), 255))
      bytes[offset + 1] = UInt8(min(max(mean.y + 0.5, 0), 255))
      bytes[offset + 2] = UInt8(min(max(mean.z + 0.5, 0), 255))
      bytes[offset + 3] = UInt8(min(max(sum.w * share * 255 + 0.5, 0), 255))
    }
  }

  // MARK: Picking

  /// Returns the index of the atom visible at a pixel of the last picture, or nil if there is none.
  ///
  /// If one ball represents several atoms it is the first of them.
  func atom(x: Int, y: Int) -> Int? {
    guard let sample = sample(x: x, y: y) else { return nil }
    let name = owner[sample]
    guard name != Owner.none else { return nil }
    let index = Owner.index(name)
    let point = SIMD3(Float(sample % stride) + 0.5, (Float(sample / stride) + 0.5) * aspect, depth[sample])
    let atom: Int32 =
      switch name & Owner.kindBits {
      case Owner.stickBit: stickAtom(index, at: point)
      case Owner.triangleBit: triangleAtom(name, at: point)
      default: ballAtom(index)
      }
    return atom >= 0 ? Int(atom) : nil
  }

  /// Returns the index in the buffers of the sample at the center of a pixel.
  private func sample(x: Int, y: Int) -> Int? {
    guard x >= 0, y >= 0, x < width / samples, y < height / samples else { return nil }
    return (y * samples + samples / 2) * stride + x * samples + samples / 2
  }

  private func ballAtom(_ index: Int) -> Int32 {
    guard let (run, offset) = Self.run(holding: index, in: placed.ballRuns) else { return -1 }
    let level = scene.parts[Int(run.part)].geometry.balls(ofLevel: run.level)
    return level.atoms[level.range(ofRun: Int(run.run)).lowerBound + offset]
  }

  private func stickAtom(_ index: Int, at point: SIMD3<Float>) -> Int32 {
    guard let (run, offset) = Self.run(holding: index, in: placed.stickRuns) else { return -1 }
    let column = scene.parts[Int(run.part)].geometry.sticks
    let stick = column.sticks[column.range(ofRun: Int(run.run)).lowerBound + offset]
    let placed = placed.sticks[index]
    return placed.distanceAlongAxis(of: point) < placed.length / 2 ? stick.startAtom : stick.endAtom
  }

  private func triangleAtom(_ name: UInt32, at point: SIMD3<Float>) -> Int32 {
    let (number, offset) = (Owner.patch(name), Owner.placeInPatch(name))
    // An unfinished picture has patches without allotted corners.
    guard number < placed.triangleRuns.count, placed.patchStarts[number] != PlacedColumns.unplaced else { return -1 }
    let run = placed.triangleRuns[number]
    guard offset < Int(run.count) else { return -1 }
    let mesh = scene.parts[Int(run.part)].geometry.mesh
    let patch = mesh.patches[Int(run.run)]
    let local = mesh.triangles[patch.triangles.lowerBound + offset]
    let triangle = placed.triangles[Int(placed.patchStarts[number].x) + offset]
    let shares = PlacedTriangle(triangle, placed.corners.base).shares(x: point.x, y: point.y)
    let nearest = shares.x >= shares.y && shares.x >= shares.z ? local.x : shares.y >= shares.z ? local.y : local.z
    return mesh.looks[patch.corners.lowerBound + Int(nearest)].atom
  }

  /// Returns the run that contains an index, and the offset in it.
  private static func run(holding index: Int, in runs: [DrawRun]) -> (run: DrawRun, offset: Int)? {
    let next = runs.partitioningIndex { Int($0.start) > index }
    guard next > 0 else { return nil }
    let run = runs[next - 1]
    let offset = index - Int(run.start)
    return offset < Int(run.count) ? (run, offset) : nil
  }

  // MARK: Openness

  /// The side in samples of the picture drawn from each direction: that of the picture itself, within bounds.
  private var sideOfMap: Int { min(max(width, height, 256), 1024) }
  /// The depth difference in ångström from which a nearer object hides a surface.
  private static let slackInAngstroms: Float = 0.6

  /// Returns for every sample drawn last the fraction of the light from all sides that reaches it, 0 to 1.
  ///
  /// From each direction the scene is drawn as depths; a sample gets light from it, by the cosine of the angle of
  /// incidence, unless something nearer lies in front of it. The directions belong to the molecule, not to the camera.
  ///
  /// - Parameter directions: The number of evenly spread directions; version 2.x of the original application used 44.
  /// - Returns: Rows as those of the depths; nil if `progress` returned false.
  /// - Complexity: O(directions × (primitives + samples)).
  /// - Source: the ambient occlusion of Molecules 2.x; directions on a Fibonacci lattice after R. Swinbank and
  ///   R. J. Purser, Q. J. R. Meteorol. Soc. 132 (2006) 1769.
  func openness(
    _ lighting: Lighting, _ projection: Projection, directions: Int, _ work: ParallelWork, _ report: inout RenderReport
  ) -> RawColumn<Float>? {
    let reached = RawColumn(filling: Float(0))
    let possible = RawColumn(filling: Float(0))
    reached.reserve(stride * height)
    possible.reserve(stride * height)
    var map = Rasterizer()
    let side = sideOfMap
    let viewport = Viewport(width: side, height: side)
    for number in 0..<directions {
      guard report.shouldContinue(at: Double(number) / Double(directions)) else { return nil }
      let direction = Self.direction(number, of: directions)
      let camera = Camera(showing: scene.bounds, orientation: Rotation(layingAlongZ: direction))
      let mapped = map.drawDepths(of: scene, camera, onto: viewport, detail: 1, work)
      let light = DirectedLight(
        direction: projection.turned(SIMD3<Float>(direction)).normalized, from: projection, to: mapped,
        depth: UnsafePointer(map.depth.base), stride: map.stride, side: side,
        slack: Self.slackInAngstroms * mapped.scale)
      let surface = surface(lighting, openness: nil, UnsafeBufferPointer(start: nil, count: 0))
      work((height + 15) / 16) { piece in
        for y in piece * 16..<min(piece * 16 + 16, height) {
          light.add(y, of: surface, to: reached.base + y * stride, possible: possible.base + y * stride)
        }
      }
    }
    for index in 0..<stride * height {
      let most = possible.base[index]
      reached.base[index] = most > 0 ? reached.base[index] / most : 1
    }
    return reached
  }

  /// Returns one of several evenly spread directions.
  private static func direction(_ number: Int, of count: Int) -> SIMD3<Double> {
    let height = 1 - (2 * Double(number) + 1) / Double(count)
    let turn = Rotation(about: SIMD3(0, 0, 1), degrees: 137.507_764 * Float(number)).matrix
    let around = SIMD3<Double>(turn * SIMD3(Float((1 - height * height).squareRoot()), 0, 0))
    return SIMD3(around.x, around.y, height)
  }
}
