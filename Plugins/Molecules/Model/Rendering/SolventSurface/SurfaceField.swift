/// The distances of one brick of grid points from the nearest probe position, and the sources of the distances.
///
/// Values are in ångström, clamped to a band about the probe's radius: above it a point is enclosed by the surface,
/// below it a probe covers the point.
struct SurfaceField {
  /// The number of points along each side of the brick: whole groups of eight, and no more than 64.
  static let side = 48

  let spacing: Float
  /// The origin of the whole grid.
  let start: SIMD3<Float>
  let probe: Float
  /// The index of the first point in the whole grid: neighboring bricks compute the same numbers for points they share.
  private(set) var first = SIMD3<Int32>.zero
  /// The distances, row by row along x.
  var values: [Float]
  /// The ball whose surface is farthest outside of a point, -1 if none is near.
  private var owners: [Int32]
  /// The probe position from which the value is measured, -1 if there is none.
  var nearest: [Int32]
  /// The depth of each point below the outermost of the enlarged balls.
  private var depths: [Float]
  /// The largest value.
  private let highest: Float
  /// The least value.
  private let lowest: Float

  /// The probe positions near the brick.
  private var cells = ProbeCells()
  /// The distance outside of an enlarged ball up to which values are needed.
  private let overhang: Float
  /// The balls near the brick.
  private var near: [Int32] = []
  /// The index of each ball's neighbors, -1 for balls that no probe touches here.
  private var slots: [Int32]
  private var neighborhoods: [SurfaceNeighbors] = []
  /// The balls with known neighbors.
  private var exposed: [Int32] = []

  init(spacing: Float, probe: Float, start: SIMD3<Float>, ballCount: Int) {
    self.start = start
    self.spacing = spacing
    self.probe = probe
    // The ends of a grid edge that the surface cuts lie within a spacing of it.
    overhang = max(0, 1.01 * spacing - probe)
    lowest = max(probe - 1.01 * spacing, -overhang)
    highest = probe + 1.01 * spacing
    let count = Self.side * Self.side * Self.side
    values = Array(repeating: 0, count: count)
    depths = Array(repeating: 0, count: count)
    owners = Array(repeating: -1, count: count)
    nearest = Array(repeating: -1, count: count)
    slots = Array(repeating: -1, count: ballCount)
  }

  /// The corners of the brick.
  private var low: SIMD3<Float> { start + SIMD3<Float>(first) * spacing }
  private var high: SIMD3<Float> { low + Float(Self.side) * spacing }

  /// Computes the brick that begins at a point; returns false if no part of the surface can lie in it.
  ///
  /// - Parameter numbers: the probe positions near the brick.
  /// - Complexity: O(points that balls reach + points in folds × positions near them).
  mutating func fill(
    from first: SIMD3<Int32>, _ balls: SurfaceBalls, _ probes: ProbePositions, near numbers: [Int32]
  ) -> Bool {
    self.first = first
    findNear(balls)
    guard near.contains(where: { probes.isExposed[Int($0)] }) else { return false }
    fillDepths(balls)
    bound()
    findNeighbors(balls, probes.isExposed)
    for index in exposed { lower(toBall: index, balls.balls[Int(index)]) }
    lower(toProbes: numbers, of: probes)
    return true
  }

  private mutating func findNear(_ balls: SurfaceBalls) {
    let (low, high, overhang) = (low, high, overhang)
    let reach = balls.largestRadius + overhang
    near.removeAll(keepingCapacity: true)
    balls.forEachRun(from: low - reach, to: high + reach) { run in
      for index in run {
        let ball = balls.balls[index]
        let center = SIMD3(ball.x, ball.y, ball.z)
        let away = pointwiseMax(pointwiseMax(low - center, center - high), .zero)
        let most = ball.w + overhang
        if (away * away).sum() < most * most { near.append(Int32(truncatingIfNeeded: index)) }
      }
    }
  }

  private mutating func findNeighbors(_ balls: SurfaceBalls, _ isExposed: [Bool]) {
    for index in exposed { slots[Int(index)] = -1 }
    exposed.removeAll(keepingCapacity: true)
    for index in near where isExposed[Int(index)] {
      if neighborhoods.count == exposed.count { neighborhoods.append(SurfaceNeighbors()) }
      neighborhoods[exposed.count].find(around: Int(index), of: balls)
      guard !neighborhoods[exposed.count].isEnclosed else { continue }
      slots[Int(index)] = Int32(exposed.count)
      exposed.append(index)
    }
  }

  private var axes: SurfaceAxes {
    SurfaceAxes(
      x: SurfaceAxis(first: first.x, side: Self.side, spacing: spacing),
      y: SurfaceAxis(first: first.y, side: Self.side, spacing: spacing),
      z: SurfaceAxis(first: first.z, side: Self.side, spacing: spacing))
  }

  /// Computes the depth of every point below the outermost of the enlarged balls, and finds that ball.
  private mutating func fillDepths(_ balls: SurfaceBalls) {
    let (axes, side, overhang, start, near) = (axes, Self.side, overhang, start, near)
    let columns = axes.x.groups
    depths.withUnsafeMutableBytes { depths in
      owners.withUnsafeMutableBytes { owners in
        // Nothing farther outside than the overhang is stored, so that bricks agree.
        depths.assumingMemoryBound(to: Float.self).update(repeating: -overhang)
        owners.assumingMemoryBound(to: Int32.self).update(repeating: -1)
        for index in near {
          let ball = balls.balls[Int(index)]
          let center = SIMD3(ball.x, ball.y, ball.z) - start
          let reach = ball.w + overhang
          for z in axes.z.points(around: center.z, within: reach) {
            let dz = axes.z.distance(z) - center.z
            for y in axes.y.points(around: center.y, within: reach) {
              let dy = axes.y.distance(y) - center.y
              let flat = dy * dy + dz * dz
              let remaining = reach * reach - flat
              guard remaining > 0 else { continue }
              let line = (z * side + y) * side
              for group in axes.x.groups(around: center.x, within: remaining.squareRoot()) {
                let offset = (line + 8 * group) * 4
                let dx = columns[group] - center.x
                let depth: SIMD8<Float> = ball.w - (dx * dx + flat).squareRoot()
                let before = depths.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
                let names = owners.loadUnaligned(fromByteOffset: offset, as: SIMD8<Int32>.self)
                let isDeeper = depth .> before
                depths.storeBytes(
                  of: before.replacing(with: depth, where: isDeeper), toByteOffset: offset, as: SIMD8<Float>.self)
                owners.storeBytes(
                  of: names.replacing(with: index, where: isDeeper), toByteOffset: offset, as: SIMD8<Int32>.self)
              }
            }
          }
        }
      }
    }
  }

  /// Sets values to the bounds given by the depths alone: outside the balls they are exact, inside they are the
  /// largest.
  private mutating func bound() {
    let (lowest, highest) = (SIMD8(repeating: lowest), SIMD8(repeating: highest))
    nearest.withUnsafeMutableBufferPointer { $0.update(repeating: -1) }
    values.withUnsafeMutableBytes { values in
      depths.withUnsafeBytes { depths in
        for offset in stride(from: 0, to: values.count, by: 32) {
          let depth = depths.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
          let value = depth.replacing(with: lowest, where: depth .< lowest).replacing(with: highest, where: depth .> 0)
          values.storeBytes(of: value, toByteOffset: offset, as: SIMD8<Float>.self)
        }
      }
    }
  }

  /// Lowers values to the distance from the free part of a ball.
  ///
  /// Only the ball that contains a point most deeply can have its nearest position free: the others' nearest positions
  /// lie within that one, by the triangle inequality.
  private mutating func lower(toBall name: Int32, _ ball: SIMD4<Float>) {
    let center = SIMD3(ball.x, ball.y, ball.z) - start
    let (axes, side, highest, lowest) = (axes, Self.side, highest, lowest)
    let neighbors = neighborhoods[Int(slots[Int(name)])]
    var last = 0
    values.withUnsafeMutableBufferPointer { values in
      owners.withUnsafeBufferPointer { owners in
        depths.withUnsafeBufferPointer { depths in
          for z in axes.z.points(around: center.z, within: ball.w) {
            let dz = axes.z.distance(z) - center.z
            for y in axes.y.points(around: center.y, within: ball.w) {
              let dy = axes.y.distance(y) - center.y
              let remaining = ball.w * ball.w - dy * dy - dz * dz
              guard remaining > 0 else { continue }
              let line = (z * side + y) * side
              for x in axes.x.points(around: center.x, within: remaining.squareRoot()) where owners[line + x] == name {
                let depth = depths[line + x]
                guard depth > 0, depth < highest, ball.w - depth > 1e-3 else { continue }
                let delta = SIMD3(axes.x.distance(x) - center.x, dy, dz)
                if !neighbors.covers(delta * (ball.w / (ball.w - depth)), last: &last) {
                  values[line + x] = max(depth, lowest)
                }
              }
            }
          }
        }
      }
    }
  }

  /// Returns the ball with the free position nearest to a point, as far as the points of its cell determine it; nil in
  /// folds.
  ///
  /// - Parameters:
  ///   - point: relative to the start of the whole grid.
  ///   - corners: the points of its cell.
  mutating func ball(at point: SIMD3<Float>, _ corners: SIMD8<Int>, _ balls: SurfaceBalls) -> (
    owner: Int32, isFree: Bool
  ) {
    var owner: Int32 = -1
    var deepest = -Float.greatestFiniteMagnitude
    for lane in 0..<8 where owners[corners[lane]] != owner && owners[corners[lane]] >= 0 {
      let ball = balls.balls[Int(owners[corners[lane]])]
      let depth = ball.w - (point + start - SIMD3(ball.x, ball.y, ball.z)).length
      if depth > deepest { (deepest, owner) = (depth, owners[corners[lane]]) }
    }
    guard owner >= 0, slots[Int(owner)] >= 0 else { return (owner, false) }
    let ball = balls.balls[Int(owner)]
    let delta = point + start - SIMD3(ball.x, ball.y, ball.z)
    let distance = delta.length
    guard distance > 1e-3 else { return (owner, false) }
    var last = 0
    return (owner, !neighborhoods[Int(slots[Int(owner)])].covers(delta * (ball.w / distance), last: &last))
  }

  // MARK: Folds

  /// Lowers values in folds to the distance from the nearest probe position.
  ///
  /// Points that still have the largest value, although they are not too deep below the balls, lie in folds or too
  /// deep.
  private mutating func lower(toProbes numbers: [Int32], of probes: ProbePositions) {
    cells = ProbeCells()
    guard !numbers.isEmpty else { return }
    let edge = spacing * Float(1 << ProbeCells.shift)
    let rim = Int((highest / edge).rounded(.up))
    cells = ProbeCells(around: first, rim: rim, numbers, of: probes, grid: (start, edge))
    var near = NearProbes()
    var folds: [SIMD4<Int32>] = []
    let inner = rim..<cells.count - rim
    for z in inner {
      for y in inner {
        for x in inner {
          let cell = SIMD3(x, y, z)
          let corner = (cells.first &+ SIMD3<Int32>(truncatingIfNeeded: cell)) &<< Int32(ProbeCells.shift)
          collectFolds(inCellAt: SIMD3<Int>(truncatingIfNeeded: corner &- first), into: &folds)
          guard !folds.isEmpty else { continue }
          near.removeAll()
          collect(around: cell, corner, rim: rim, into: &near)
          if !near.isEmpty { lower(folds, near, probes) }
        }
      }
    }
  }

  /// Returns the number of the probe position nearest to a point of the brick; nil if none reaches it.
  func number(nearestTo position: SIMD3<Float>) -> Int32? {
    let edge = spacing * Float(1 << ProbeCells.shift)
    let cell = SIMD3<Int>(truncatingIfNeeded: ((position - start) / edge).wholeBelow &- cells.first)
    var found: Int32?
    var best = highest * highest
    cells.forEachRun(around: cell, within: Int((highest / edge).rounded(.up))) { run in
      for entry in run {
        let delta = entry.center - position
        let square = (delta * delta).sum()
        if square < best { (best, found) = (square, entry.number) }
      }
    }
    return found
  }

  /// Collects the probe positions that reach a cell.
  private func collect(
    around cell: SIMD3<Int>, _ corner: SIMD3<Int32>, rim: Int,
    into near: inout NearProbes
  ) {
    let low = start + SIMD3<Float>(corner) * spacing
    let high = low + spacing * Float(1 << ProbeCells.shift - 1)
    // Between two positions of a circle the probe may come slightly nearer.
    let most = highest + 0.1
    cells.forEachRun(around: cell, within: rim) { run in
      for entry in run {
        let (below, above) = (low - entry.center, entry.center - high)
        var away = below.replacing(with: above, where: above .> below)
        away.replace(with: 0, where: away .< 0)
        if (away * away).sum() < most * most { near.append(entry.center, entry.number) }
      }
    }
    near.finish()
  }

  /// Collects the points of a cell that lie in folds or too deep: three indices along the sides, and the one in
  /// `values`.
  private func collectFolds(inCellAt corner: SIMD3<Int>, into folds: inout [SIMD4<Int32>]) {
    folds.removeAll(keepingCapacity: true)
    let size = 1 << ProbeCells.shift
    let columns = max(0, corner.x)..<max(0, min(Self.side, corner.x + size))
    values.withUnsafeBufferPointer { values in
      depths.withUnsafeBufferPointer { depths in
        for z in max(0, corner.z)..<max(0, min(Self.side, corner.z + size)) {
          for y in max(0, corner.y)..<max(0, min(Self.side, corner.y + size)) {
            let line = (z * Self.side + y) * Self.side
            for x in columns where values[line + x] == highest && depths[line + x] < highest {
              folds.append(SIMD4(Int32(x), Int32(y), Int32(z), Int32(line + x)))
            }
          }
        }
      }
    }
  }

  private mutating func lower(_ folds: [SIMD4<Int32>], _ near: NearProbes, _ probes: ProbePositions) {
    for fold in folds {
      let point = start + SIMD3<Float>(first &+ SIMD3(fold.x, fold.y, fold.z)) * spacing
      let number = near.nearest(to: point)
      let distance = (point - probes.nearest(to: point, by: Int(number))).length
      guard distance < highest else { continue }
      values[Int(fold.w)] = max(distance, lowest)
      nearest[Int(fold.w)] = number
    }
  }
}

/// The probe positions that may be nearest to the points of a cell, in groups of eight.
private struct NearProbes {
  struct Group {
    var x = SIMD8<Float>(repeating: 1e9)
    var y = SIMD8<Float>(repeating: 1e9)
    var z = SIMD8<Float>(repeating: 1e9)
  }

  private var groups: [Group] = []
  /// The incomplete group.
  private var last = Group()
  private var numbers: [Int32] = []

  var isEmpty: Bool { numbers.isEmpty }

  mutating func removeAll() {
    groups.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    last = Group()
  }

  @inline(__always)
  mutating func append(_ position: SIMD3<Float>, _ number: Int32) {
    let lane = numbers.count & 7
    last.x[lane] = position.x
    last.y[lane] = position.y
    last.z[lane] = position.z
    numbers.append(number)
    if lane == 7 { finish() }
  }

  /// Appends the last group to the others, full or not.
  @inline(__always)
  mutating func finish() {
    groups.append(last)
    last = Group()
  }

  /// Returns the number of the position nearest to a point; requires at least one, and a finished last group.
  @inline(__always)
  func nearest(to point: SIMD3<Float>) -> Int32 {
    var best = SIMD8<Float>(repeating: .greatestFiniteMagnitude)
    var which = SIMD8<Int32>.zero
    groups.withUnsafeBufferPointer { groups in
      for index in 0..<groups.count {
        let (dx, dy, dz) = (groups[index].x - point.x, groups[index].y - point.y, groups[index].z - point.z)
        let square: SIMD8<Float> = dx * dx + dy * dy + dz * dz
        let isNearer = square .< best
        best.replace(with: square, where: isNearer)
        which.replace(with: Int32(truncatingIfNeeded: index), where: isNearer)
      }
    }
    let least = best.least
    var found = Int32.max
    for lane in 0..<8 where best[lane] == least { found = min(found, numbers[Int(which[lane]) * 8 + lane]) }
    return found
  }
}

/// The points along the three sides of a brick.
private struct SurfaceAxes {
  let x: SurfaceAxis
  let y: SurfaceAxis
  let z: SurfaceAxis
}

/// The points along one side of a brick.
private struct SurfaceAxis {
  /// The index of the first point in the whole grid.
  let first: Int32
  let side: Int
  let spacing: Float

  /// Returns the distance of a point of the brick from the start of the whole grid.
  @inline(__always)
  func distance(_ point: Int) -> Float { Float(first &+ Int32(truncatingIfNeeded: point)) * spacing }

  /// The distances of all points, eight at a time.
  var groups: [SIMD8<Float>] {
    stride(from: 0, to: side, by: 8).map { start in
      var group = SIMD8<Float>.zero
      for lane in 0..<8 { group[lane] = distance(start + lane) }
      return group
    }
  }

  /// Returns the points of the brick within a distance of a position, relative to the start of the whole grid, and at
  /// most one more at either end.
  @inline(__always)
  func points(around middle: Float, within reach: Float) -> Range<Int> {
    let low = (middle - reach) / spacing - Float(first)
    let high = (middle + reach) / spacing - Float(first)
    guard high >= 0, low <= Float(side - 1) else { return 0..<0 }
    return Int(max(0, low))..<min(side, Int(min(high, Float(side))) + 1)
  }

  /// Returns the groups of eight that contain those points.
  @inline(__always)
  func groups(around middle: Float, within reach: Float) -> Range<Int> {
    let points = points(around: middle, within: reach)
    return points.isEmpty ? 0..<0 : points.lowerBound >> 3..<(points.upperBound + 7) >> 3
  }
}
