/// The distances of one brick of grid points from the nearest place of a probe, and the atoms they belong to.
///
/// Values are ångström, bounded to a band about the probe's radius: where they are above it a point is enclosed by the
/// surface, where they are below it a probe covers the point.
struct SurfaceField {
  /// Points along each side of the brick.
  let side: Int
  let spacing: Float
  /// The point of the whole grid that others are counted from.
  let start: SIMD3<Float>
  /// The first point, counted in the whole grid: neighbouring bricks work out the same numbers for points they share.
  private(set) var first = SIMD3<Int32>.zero
  private(set) var values: [Float]
  /// The ball whose surface is farthest outside of a point, -1 where none is near.
  private(set) var owners: [Int32]
  private var depths: [Float]

  private let probe: Float
  /// Values beyond the probe's radius and this much are of no use.
  private let band: Float
  /// How far outside of an enlarged ball values are wanted.
  private let overhang: Float

  init(side: Int, spacing: Float, probe: Float, start: SIMD3<Float>) {
    self.side = side
    self.start = start
    self.spacing = spacing
    self.probe = probe
    band = 2 * spacing
    overhang = max(0, 2 * spacing - probe)
    let count = side * side * side
    values = Array(repeating: 0, count: count)
    depths = Array(repeating: 0, count: count)
    owners = Array(repeating: -1, count: count)
  }

  /// The corners of the brick.
  private var low: SIMD3<Float> { start + SIMD3<Float>(first) * spacing }
  private var high: SIMD3<Float> { low + Float(side) * spacing }

  /// Works out the brick that begins at a point; false when no part of the surface can lie in it.
  ///
  /// - Parameter places: the places of probes near the brick.
  /// - Complexity: O(points that balls and probes reach).
  mutating func fill(
    from first: SIMD3<Int32>, _ balls: SurfaceBalls, isExposed: [Bool], places: [SIMD3<Float>]
  ) -> Bool {
    self.first = first
    let (low, high) = (low, high)
    var near: [Int] = []
    var hasExposed = false
    let reach = balls.largestRadius + overhang
    balls.forEachRun(from: low - reach, to: high + reach) { run in
      for index in run {
        let ball = balls.balls[index]
        let center = SIMD3(ball.x, ball.y, ball.z)
        let away = pointwiseMax(pointwiseMax(low - center, center - high), .zero)
        guard away.length < ball.w + overhang else { continue }
        near.append(index)
        hasExposed = hasExposed || isExposed[index]
      }
    }
    guard hasExposed else { return false }
    fillDepths(near, balls)
    bound()
    var neighbors = SurfaceNeighbors()
    for index in near where isExposed[index] {
      neighbors.find(around: index, of: balls)
      if !neighbors.isEnclosed { lower(toBall: index, balls.balls[index], &neighbors) }
    }
    for place in places { lower(toProbe: place) }
    return true
  }

  private var axes: SurfaceAxes {
    SurfaceAxes(
      x: SurfaceAxis(first: first.x, side: side, spacing: spacing),
      y: SurfaceAxis(first: first.y, side: side, spacing: spacing),
      z: SurfaceAxis(first: first.z, side: side, spacing: spacing))
  }

  /// Finds how deep every point lies below the outermost of the enlarged balls, and in which.
  private mutating func fillDepths(_ near: [Int], _ balls: SurfaceBalls) {
    let nothing = -overhang - spacing
    let (axes, side, overhang, start) = (axes, side, overhang, start)
    depths.withUnsafeMutableBufferPointer { depths in
      owners.withUnsafeMutableBufferPointer { owners in
        depths.update(repeating: nothing)
        owners.update(repeating: -1)
        for index in near {
          let ball = balls.balls[index]
          let center = SIMD3(ball.x, ball.y, ball.z) - start
          let reach = ball.w + overhang
          for z in axes.z.points(around: center.z, within: reach) {
            let dz = axes.z.place(z) - center.z
            for y in axes.y.points(around: center.y, within: reach) {
              let dy = axes.y.place(y) - center.y
              let rest = reach * reach - dy * dy - dz * dz
              guard rest > 0 else { continue }
              let flat = dy * dy + dz * dz
              let line = (z * side + y) * side
              for x in axes.x.points(around: center.x, within: rest.squareRoot()) {
                let dx = axes.x.place(x) - center.x
                let depth = ball.w - (dx * dx + flat).squareRoot()
                if depth > depths[line + x] {
                  depths[line + x] = depth
                  owners[line + x] = Int32(truncatingIfNeeded: index)
                }
              }
            }
          }
        }
      }
    }
  }

  /// Sets values to what the depths alone tell: outside the balls they are right, inside they are the largest.
  private mutating func bound() {
    let (lowest, highest) = (max(probe - band, -overhang), probe + band)
    for index in values.indices {
      let depth = depths[index]
      values[index] = depth <= 0 ? max(depth, lowest) : highest
    }
  }

  /// Lowers values to the distance from the free part of a ball.
  ///
  /// Of all balls only the one a point lies deepest in can have its nearest place free: the others' nearest places lie
  /// within that one, by the triangle inequality.
  private mutating func lower(toBall index: Int, _ ball: SIMD4<Float>, _ neighbors: inout SurfaceNeighbors) {
    let center = SIMD3(ball.x, ball.y, ball.z) - start
    let (axes, side, highest) = (axes, side, probe + band)
    let (name, lowest) = (Int32(truncatingIfNeeded: index), probe - band)
    values.withUnsafeMutableBufferPointer { values in
      owners.withUnsafeBufferPointer { owners in
        for z in axes.z.points(around: center.z, within: ball.w) {
          let dz = axes.z.place(z) - center.z
          for y in axes.y.points(around: center.y, within: ball.w) {
            let dy = axes.y.place(y) - center.y
            let flat = dy * dy + dz * dz
            let rest = ball.w * ball.w - flat
            guard rest > 0 else { continue }
            let line = (z * side + y) * side
            for x in axes.x.points(around: center.x, within: rest.squareRoot()) where owners[line + x] == name {
              let dx = axes.x.place(x) - center.x
              let distance = (dx * dx + flat).squareRoot()
              let value = ball.w - distance
              guard value > 0, value < highest, distance > 1e-3 else { continue }
              if !neighbors.covers(SIMD3(dx, dy, dz) * (ball.w / distance)) { values[line + x] = max(value, lowest) }
            }
          }
        }
      }
    }
  }

  /// Lowers values to the distance from a probe's place.
  private mutating func lower(toProbe place: SIMD3<Float>) {
    let center = place - start
    let reach = probe + band
    let (axes, side, lowest) = (axes, side, probe - band)
    values.withUnsafeMutableBufferPointer { values in
      for z in axes.z.points(around: center.z, within: reach) {
        let dz = axes.z.place(z) - center.z
        for y in axes.y.points(around: center.y, within: reach) {
          let dy = axes.y.place(y) - center.y
          let flat = dy * dy + dz * dz
          let rest = reach * reach - flat
          guard rest > 0 else { continue }
          let line = (z * side + y) * side
          for x in axes.x.points(around: center.x, within: rest.squareRoot()) {
            let dx = axes.x.place(x) - center.x
            let distance = max((dx * dx + flat).squareRoot(), lowest)
            if distance < values[line + x] { values[line + x] = distance }
          }
        }
      }
    }
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
  /// The first point, counted in the whole grid.
  let first: Int32
  let side: Int
  let spacing: Float

  /// How far a point of the brick lies from the start of the whole grid.
  @inline(__always)
  func place(_ point: Int) -> Float { Float(first &+ Int32(truncatingIfNeeded: point)) * spacing }

  /// The points of the brick that lie within a distance of a place, which counts from the start of the whole grid.
  @inline(__always)
  func points(around middle: Float, within reach: Float) -> Range<Int> {
    let low = max(0, ((middle - reach) / spacing).rounded(.up) - Float(first))
    let high = min(Float(side - 1), ((middle + reach) / spacing).rounded(.down) - Float(first))
    return low <= high ? Int(low)..<Int(high) + 1 : 0..<0
  }
}
