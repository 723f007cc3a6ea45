/// A run of balls, sticks or triangles in one placement that may be visible.
struct DrawRun: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case balls, sticks, triangles
  }

  /// The bounding ball, in samples.
  var ball: SIMD4<Float>
  let kind: Kind
  /// The level of the balls, or ``SceneGeometry/ionLevel``.
  let level: UInt8
  /// The index of its part.
  let part: UInt32
  /// The index in the plan of the projection of its placement.
  let projection: UInt32
  /// The index of the run in the part.
  let run: UInt32
  /// The number of its primitives.
  let count: UInt32
  /// The index of the first primitive in the columns of its kind; for triangles, the number of the patch.
  var start: UInt32 = 0
}

/// The runs to draw in a picture, near ones first, in rounds with a test for hidden runs between them.
struct DrawPlan {
  private(set) var projections: [PlacedProjection] = []
  private(set) var runs: [DrawRun] = []
  private(set) var rounds: [Range<Int>] = []

  private let width: Float
  private let height: Float
  /// The margin of runs with thickened parts around their bounding balls, in samples: the diagonal of the added width
  /// and height.
  private let overhang: Float

  /// The number of primitives below which a picture is drawn in one round.
  private static let roundLimit = 4096
  /// The fractions of the primitives drawn after each round.
  private static let roundShares: [Double] = [0.1, 0.2, 0.4, 1]
  /// The number of depths distinguished when near runs are sorted first.
  private static let depthSteps = 1024

  /// Plans a picture.
  ///
  /// - Parameters:
  ///   - viewport: The size in samples.
  ///   - detail: Parts no larger than this, in samples, may be drawn as one ball.
  ///   - thinnest: The least radius or half thickness of a part, in samples.
  /// - Complexity: O(runs in all placements).
  init(_ scene: InstancedScene, _ projection: Projection, onto viewport: Viewport, detail: Float, thinnest: Float) {
    overhang = 1.5 * thinnest
    width = Float(viewport.width)
    height = Float(viewport.height) * viewport.pixelAspect
    for (index, part) in scene.parts.enumerated() {
      let level = part.geometry.level(forDetail: detail / projection.scale)
      let showsSticks = level == 0 || part.geometry.sticks.meanLength * projection.scale > detail
      for placement in part.placements {
        let placed = PlacedProjection(projection, placement)
        guard isInside(placed.ball(part.geometry.bounds)) else { continue }
        add(part.geometry, index, level: level, showsSticks: showsSticks, placed)
      }
    }
    makeRounds()
  }

  private mutating func add(
    _ geometry: SceneGeometry, _ part: Int, level: Int, showsSticks: Bool, _ projection: PlacedProjection
  ) {
    let (index, part) = (UInt32(truncatingIfNeeded: projections.count), UInt32(truncatingIfNeeded: part))
    projections.append(projection)
    func add(
      _ kind: DrawRun.Kind, _ run: Int, _ bounds: SIMD4<Float>, _ count: Int, level: UInt8 = 0
    ) {
      var ball = projection.ball(bounds)
      ball.w += overhang
      guard isInside(ball) else { return }
      runs.append(
        DrawRun(
          ball: ball, kind: kind, level: level, part: part, projection: index,
          run: UInt32(truncatingIfNeeded: run), count: UInt32(truncatingIfNeeded: count)))
    }
    for level in [UInt8(truncatingIfNeeded: level), SceneGeometry.ionLevel] {
      let balls = geometry.balls(ofLevel: level)
      for (run, bounds) in balls.runs.enumerated() {
        add(.balls, run, bounds, balls.range(ofRun: run).count, level: level)
      }
    }
    if showsSticks {
      for (run, bounds) in geometry.sticks.runs.enumerated() {
        add(.sticks, run, bounds, geometry.sticks.range(ofRun: run).count)
      }
    }
    for (run, bounds) in geometry.mesh.runs.enumerated() {
      add(.triangles, run, bounds, geometry.mesh.patches[run].triangles.count)
    }
  }

  /// Returns true if a ball touches the picture.
  @inline(__always)
  private func isInside(_ ball: SIMD4<Float>) -> Bool {
    // One more sample on every side: objects smaller than a sample are drawn as one.
    let reach = ball.w + overhang + 1
    return ball.x + reach >= 0 && ball.x - reach <= width && ball.y + reach >= 0 && ball.y - reach <= height
  }

  private mutating func makeRounds() {
    let total = runs.reduce(0) { $0 + Int($1.count) }
    guard total > Self.roundLimit else {
      rounds = runs.isEmpty ? [] : [0..<runs.count]
      return
    }
    sortNearFirst()
    var (sum, start) = (0, 0)
    var shares = Self.roundShares[...]
    for index in runs.indices {
      sum += Int(runs[index].count)
      guard let share = shares.first, Double(sum) >= share * Double(total) || index == runs.count - 1 else { continue }
      shares = shares.dropFirst()
      rounds.append(start..<index + 1)
      start = index + 1
    }
  }

  /// Sorts runs by their nearest depth, in steps; runs of one step keep their order.
  private mutating func sortNearFirst() {
    var (low, high) = (Float.greatestFiniteMagnitude, -Float.greatestFiniteMagnitude)
    for run in runs {
      low = min(low, run.ball.z + run.ball.w)
      high = max(high, run.ball.z + run.ball.w)
    }
    let scale = Float(Self.depthSteps - 1) / max(high - low, 1e-6)
    var starts = [Int](repeating: 0, count: Self.depthSteps + 1)
    let steps = runs.map { run in
      min(max(Int((high - run.ball.z - run.ball.w) * scale), 0), Self.depthSteps - 1)
    }
    for step in steps { starts[step + 1] += 1 }
    for step in 0..<Self.depthSteps { starts[step + 1] += starts[step] }
    var order = [Int](repeating: 0, count: runs.count)
    for (index, step) in steps.enumerated() {
      order[starts[step]] = index
      starts[step] += 1
    }
    runs = order.map { runs[$0] }
  }
}

/// The farthest depth in every square of 8 × 8 samples; objects entirely behind it are hidden.
struct CoarseDepth {
  let columns: Int
  let rows: Int
  let inverseAspect: Float
  private let farthest: UnsafeMutablePointer<Float>

  /// The number of samples along a side of a square.
  static let side = 8
  /// The tolerance added to compared depths, in widths of a sample, so that rounding hides nothing visible.
  private static let slack: Float = 0.02
  /// The largest object tested for visibility; larger ones are drawn without a test.
  private static let largestLook = 1024

  /// Returns the number of squares of a picture.
  static func count(width: Int, height: Int) -> Int {
    ((width + side - 1) / side) * ((height + side - 1) / side)
  }

  /// Creates the squares of a picture in memory that is large enough for them.
  init(width: Int, height: Int, aspect: Float, memory: UnsafeMutablePointer<Float>) {
    columns = (width + Self.side - 1) / Self.side
    rows = (height + Self.side - 1) / Self.side
    inverseAspect = 1 / aspect
    farthest = memory
  }

  /// Updates the squares that begin in the canvas's rows.
  func update(from canvas: DepthCanvas) {
    for row in stride(from: canvas.rows.lowerBound, to: canvas.rows.upperBound, by: Self.side) {
      let rows = row..<min(row + Self.side, canvas.rows.upperBound)
      let squares = farthest + row / Self.side * columns
      for column in 0..<columns { squares[column] = lowest(column, rows, canvas) }
    }
  }

  @inline(__always)
  private func lowest(_ column: Int, _ rows: Range<Int>, _ canvas: DepthCanvas) -> Float {
    let x = column * Self.side
    if x + Self.side > canvas.width {
      var lowest = Float.greatestFiniteMagnitude
      for row in rows {
        for sample in x..<canvas.width { lowest = min(lowest, canvas.depth[row * canvas.stride + sample]) }
      }
      return lowest
    }
    var lowest = SIMD4<Float>(repeating: .greatestFiniteMagnitude)
    for row in rows {
      let samples = UnsafeRawPointer(canvas.depth + row * canvas.stride + x)
      let (one, other) = (
        samples.loadUnaligned(as: SIMD4<Float>.self),
        samples.loadUnaligned(fromByteOffset: 16, as: SIMD4<Float>.self)
      )
      lowest = lowest.replacing(with: one, where: one .< lowest)
      lowest = lowest.replacing(with: other, where: other .< lowest)
    }
    return min(min(lowest.x, lowest.y), min(lowest.z, lowest.w))
  }

  /// Returns true if a ball certainly lies behind the drawn samples.
  @inline(__always)
  func hides(_ ball: SIMD4<Float>) -> Bool {
    let nearest = ball.z + ball.w + Self.slack
    let perSquare = 1 / Float(Self.side)
    let rise = ball.w * inverseAspect
    let middle = ball.y * inverseAspect
    let left = max((ball.x - ball.w - 1) * perSquare, 0)
    let right = min((ball.x + ball.w + 1) * perSquare, Float(columns) - 0.5)
    let top = max((middle - rise - 1) * perSquare, 0)
    let bottom = min((middle + rise + 1) * perSquare, Float(rows) - 0.5)
    guard left <= right, top <= bottom else { return false }
    let across = Int(left)...Int(right)
    let down = Int(top)...Int(bottom)
    if across.count * down.count > Self.largestLook { return false }
    for row in down {
      let squares = farthest + row * columns
      for column in across where squares[column] <= nearest { return false }
    }
    return true
  }
}
