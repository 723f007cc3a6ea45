/// The distances of one brick of grid points from the nearest place of a probe, and the atoms they belong to.
///
/// Values are ångström, bounded to a band about the probe's radius: where they are above it a point is enclosed by the
/// surface, where they are below it a probe covers the point.
struct SurfaceField {
  /// Points along each side of the brick.
  let side: Int
  let spacing: Float
  /// The first point.
  private(set) var origin = SIMD3<Float>.zero
  private(set) var values: [Float]
  /// The ball whose surface is farthest outside of a point, -1 where none is near.
  private(set) var owners: [Int32]
  private var depths: [Float]

  private let probe: Float
  /// Values beyond the probe's radius and this much are of no use.
  private let band: Float
  /// How far outside of an enlarged ball values are wanted.
  private let overhang: Float

  init(side: Int, spacing: Float, probe: Float) {
    self.side = side
    self.spacing = spacing
    self.probe = probe
    band = 2 * spacing
    overhang = max(0, 2 * spacing - probe)
    let count = side * side * side
    values = Array(repeating: 0, count: count)
    depths = Array(repeating: 0, count: count)
    owners = Array(repeating: -1, count: count)
  }

  /// The corner behind the last point.
  private var end: SIMD3<Float> { origin + Float(side) * spacing }

  /// Works out the brick that begins at a point; false when no part of the surface can lie in it.
  ///
  /// - Parameter places: the places of probes near the brick.
  /// - Complexity: O(points that balls and probes reach).
  mutating func fill(
    from origin: SIMD3<Float>, _ balls: SurfaceBalls, isExposed: [Bool], places: [SIMD3<Float>]
  ) -> Bool {
    self.origin = origin
    var near: [Int] = []
    var hasExposed = false
    let reach = balls.largestRadius + overhang
    balls.forEachRun(from: origin - reach, to: end + reach) { run in
      for index in run {
        let ball = balls.balls[index]
        let center = SIMD3(ball.x, ball.y, ball.z)
        let away = pointwiseMax(pointwiseMax(origin - center, center - end), .zero)
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
      if !neighbors.isEnclosed { lower(toBall: balls.balls[index], &neighbors) }
    }
    for place in places { lower(toProbe: place) }
    return true
  }

  /// Finds how deep every point lies below the outermost of the enlarged balls, and in which.
  private mutating func fillDepths(_ near: [Int], _ balls: SurfaceBalls) {
    let nothing = -overhang - spacing
    let (axis, side, overhang, origin) = (SurfaceAxis(side: side, spacing: spacing), side, overhang, origin)
    depths.withUnsafeMutableBufferPointer { depths in
      owners.withUnsafeMutableBufferPointer { owners in
        depths.update(repeating: nothing)
        owners.update(repeating: -1)
        for index in near {
          let ball = balls.balls[index]
          let center = SIMD3(ball.x, ball.y, ball.z) - origin
          let reach = ball.w + overhang
          for z in axis.points(around: center.z, within: reach) {
            let dz = Float(z) * axis.spacing - center.z
            for y in axis.points(around: center.y, within: reach) {
              let dy = Float(y) * axis.spacing - center.y
              let rest = reach * reach - dy * dy - dz * dz
              guard rest > 0 else { continue }
              let flat = dy * dy + dz * dz
              let line = (z * side + y) * side
              for x in axis.points(around: center.x, within: rest.squareRoot()) {
                let dx = Float(x) * axis.spacing - center.x
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
  private mutating func lower(toBall ball: SIMD4<Float>, _ neighbors: inout SurfaceNeighbors) {
    let center = SIMD3(ball.x, ball.y, ball.z) - origin
    let inner = max(0, ball.w - probe - band)
    let (axis, side, lowest) = (SurfaceAxis(side: side, spacing: spacing), side, probe - band)
    values.withUnsafeMutableBufferPointer { values in
      for z in axis.points(around: center.z, within: ball.w) {
        let dz = Float(z) * axis.spacing - center.z
        for y in axis.points(around: center.y, within: ball.w) {
          let dy = Float(y) * axis.spacing - center.y
          let flat = dy * dy + dz * dz
          let rest = ball.w * ball.w - flat
          guard rest > 0 else { continue }
          let line = (z * side + y) * side
          for x in axis.points(around: center.x, within: rest.squareRoot()) {
            let dx = Float(x) * axis.spacing - center.x
            let square = dx * dx + flat
            guard square >= inner * inner, square > 1e-6 else { continue }
            let distance = square.squareRoot()
            let value = ball.w - distance
            guard value < values[line + x], values[line + x] > lowest else { continue }
            if !neighbors.covers(SIMD3(dx, dy, dz) * (ball.w / distance)) { values[line + x] = max(value, lowest) }
          }
        }
      }
    }
  }

  /// Lowers values to the distance from a probe's place.
  private mutating func lower(toProbe place: SIMD3<Float>) {
    let center = place - origin
    let reach = probe + band
    let (axis, side, lowest) = (SurfaceAxis(side: side, spacing: spacing), side, probe - band)
    values.withUnsafeMutableBufferPointer { values in
      for z in axis.points(around: center.z, within: reach) {
        let dz = Float(z) * axis.spacing - center.z
        for y in axis.points(around: center.y, within: reach) {
          let dy = Float(y) * axis.spacing - center.y
          let flat = dy * dy + dz * dz
          let rest = reach * reach - flat
          guard rest > 0 else { continue }
          let line = (z * side + y) * side
          for x in axis.points(around: center.x, within: rest.squareRoot()) {
            let dx = Float(x) * axis.spacing - center.x
            let distance = max((dx * dx + flat).squareRoot(), lowest)
            if distance < values[line + x] { values[line + x] = distance }
          }
        }
      }
    }
  }
}

/// The points along one side of a brick.
private struct SurfaceAxis {
  let side: Int
  let spacing: Float

  /// The points that lie within a distance of a coordinate, which counts from the first point.
  @inline(__always)
  func points(around middle: Float, within reach: Float) -> Range<Int> {
    let first = max(0, ((middle - reach) / spacing).rounded(.up))
    let last = min(Float(side - 1), ((middle + reach) / spacing).rounded(.down))
    return first <= last ? Int(first)..<Int(last) + 1 : 0..<0
  }
}
