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
  private(set) var owners: [Int32]
  /// The probe position from which the value is measured, -1 if there is none.
  var nearest: [Int32]
  /// The depth of each point below the outermost of the enlarged balls.
  private(set) var depths: [Float]
  /// The largest value.
  let highest: Float
  /// The least value.
  let lowest: Float

  /// The probe positions near the brick.
  var cells = ProbeCells()
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
  /// - Parameter places: the probe positions near the brick.
  /// - Complexity: O(points that balls reach + points in folds × positions near them).
  mutating func fill(
    from first: SIMD3<Int32>, _ balls: SurfaceBalls, _ probes: ProbePlaces, places: [Int32]
  ) -> Bool {
    self.first = first
    findNear(balls)
    guard near.contains(where: { probes.isExposed[Int($0)] }) else { return false }
    fillDepths(balls)
    bound()
    findNeighbors(balls, probes.isExposed)
    for index in exposed { lower(toBall: index, balls.balls[Int(index)]) }
    lower(toPlaces: places, of: probes)
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
            let dz = axes.z.place(z) - center.z
            for y in axes.y.points(around: center.y, within: reach) {
              let dy = axes.y.place(y) - center.y
              let flat = dy * dy + dz * dz
              let rest = reach * reach - flat
              guard rest > 0 else { continue }
              let line = (z * side + y) * side
              for group in axes.x.groups(around: center.x, within: rest.squareRoot()) {
                let place = (line + 8 * group) * 4
                let dx = columns[group] - center.x
                let depth: SIMD8<Float> = ball.w - (dx * dx + flat).squareRoot()
                let before = depths.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
                let names = owners.loadUnaligned(fromByteOffset: place, as: SIMD8<Int32>.self)
                let isDeeper = depth .> before
                depths.storeBytes(
                  of: before.replacing(with: depth, where: isDeeper), toByteOffset: place, as: SIMD8<Float>.self)
                owners.storeBytes(
                  of: names.replacing(with: index, where: isDeeper), toByteOffset: place, as: SIMD8<Int32>.self)
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
        for place in stride(from: 0, to: values.count, by: 32) {
          let depth = depths.loadUnaligned(fromByteOffset: place, as: SIMD8<Float>.self)
          let value = depth.replacing(with: lowest, where: depth .< lowest).replacing(with: highest, where: depth .> 0)
          values.storeBytes(of: value, toByteOffset: place, as: SIMD8<Float>.self)
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
            let dz = axes.z.place(z) - center.z
            for y in axes.y.points(around: center.y, within: ball.w) {
              let dy = axes.y.place(y) - center.y
              let rest = ball.w * ball.w - dy * dy - dz * dz
              guard rest > 0 else { continue }
              let line = (z * side + y) * side
              for x in axes.x.points(around: center.x, within: rest.squareRoot()) where owners[line + x] == name {
                let depth = depths[line + x]
                guard depth > 0, depth < highest, ball.w - depth > 1e-3 else { continue }
                let way = SIMD3(axes.x.place(x) - center.x, dy, dz)
                if !neighbors.covers(way * (ball.w / (ball.w - depth)), last: &last) {
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
    let way = point + start - SIMD3(ball.x, ball.y, ball.z)
    let distance = way.length
    guard distance > 1e-3 else { return (owner, false) }
    var last = 0
    return (owner, !neighborhoods[Int(slots[Int(owner)])].covers(way * (ball.w / distance), last: &last))
  }
}
