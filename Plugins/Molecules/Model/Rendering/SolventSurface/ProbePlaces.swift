/// Where a probe touches two atoms at once without running into a third, and which atoms it touches at all.
///
/// The places lie on the circles in which the enlarged balls of two atoms cut each other; around them the surface runs
/// inwards, in the folds between atoms.
struct ProbePlaces: Sendable {
  private(set) var places: [SIMD3<Float>] = []
  /// Whether a ball has a part that no other one covers.
  private(set) var isExposed: [Bool]

  /// Unit vectors around a circle, cosine and sine.
  private static let directions: [SIMD2<Float>] = (0..<48).map { index in
    let column = Rotation(about: SIMD3(0, 0, 1), degrees: Float(index) * 7.5).matrix.first
    return SIMD2(column.x, column.y)
  }

  /// Finds the places.
  ///
  /// - Parameters:
  ///   - step: how far neighbouring places on a circle lie apart at most, in ångström, as far as 48 allow.
  ///   - progress: called every thousand balls with the share done; answers whether to go on.
  /// - Returns: nil when the closure asked to stop.
  /// - Complexity: O(balls × neighbours).
  init?(_ balls: SurfaceBalls, step: Float, progress: (Double) -> Bool) {
    isExposed = Array(repeating: false, count: balls.balls.count)
    var neighbors = SurfaceNeighbors()
    for index in balls.balls.indices {
      if index % 1024 == 0, !progress(Double(index) / Double(balls.balls.count)) { return nil }
      neighbors.find(around: index, of: balls)
      if neighbors.isEnclosed { continue }
      if neighbors.balls.isEmpty { isExposed[index] = true }
      for neighbor in neighbors.balls.indices {
        // Each circle is looked at once, from the ball with the smaller number.
        let other = neighbors.indices[neighbor]
        if other < index { continue }
        if addCircle(of: balls.balls[index], with: neighbor, among: &neighbors, step: step) {
          isExposed[index] = true
          isExposed[other] = true
        }
      }
    }
  }

  /// Adds the free places of one circle; false when there are none.
  private mutating func addCircle(
    of ball: SIMD4<Float>, with neighbor: Int, among neighbors: inout SurfaceNeighbors, step: Float
  ) -> Bool {
    let other = neighbors.balls[neighbor]
    let way = SIMD3(other.x, other.y, other.z)
    let distance = way.length
    guard distance > 1e-3 else { return false }
    let height = (distance * distance + ball.w * ball.w - other.w * other.w) / (2 * distance)
    let square = ball.w * ball.w - height * height
    guard square > 1e-4 else { return false }
    let radius = square.squareRoot()
    let axis = way / distance
    let across = axis.anyPerpendicular
    let circle = SurfaceCircle(
      middle: axis * height, one: across * radius, two: axis.cross(across) * radius, axis: axis, radius: radius)
    // Every so many of the 48 directions, a divisor of them.
    let wanted = 6.2832 * radius / step
    let stride: Int = wanted > 24 ? 1 : wanted > 16 ? 2 : wanted > 12 ? 3 : wanted > 8 ? 4 : 6
    if neighbors.covers(circle.place(Self.directions[0]), except: neighbor), neighbors.lastCovers(circle) {
      return false
    }
    let center = SIMD3(ball.x, ball.y, ball.z)
    var hasFree = false
    var wasFree: Bool?
    var index = 0
    while index <= 48 {
      let direction = Self.directions[index % 48]
      let place = circle.place(direction)
      let isFree = !neighbors.covers(place, except: neighbor)
      if let wasFree, wasFree != isFree {
        let before = Self.directions[index - stride]
        places.append(
          center
            + circle.end(free: isFree ? direction : before, covered: isFree ? before : direction) {
              neighbors.covers($0, except: neighbor)
            })
      }
      if isFree, index < 48 {
        places.append(center + place)
        hasFree = true
      }
      wasFree = isFree
      index += stride
    }
    return hasFree
  }
}

/// The circle in which two balls cut each other, relative to the centre of the first.
struct SurfaceCircle {
  let middle: SIMD3<Float>
  /// Two ways from the middle to the circle, at right angles.
  let one: SIMD3<Float>
  let two: SIMD3<Float>
  let axis: SIMD3<Float>
  let radius: Float

  @inline(__always)
  func place(_ direction: SIMD2<Float>) -> SIMD3<Float> { middle + one * direction.x + two * direction.y }

  /// The last free place between a free and a covered one, to a sixteenth of the way.
  func end(free: SIMD2<Float>, covered: SIMD2<Float>, isCovered: (SIMD3<Float>) -> Bool) -> SIMD3<Float> {
    var (free, covered) = (free, covered)
    for _ in 0..<4 {
      let sum = free + covered
      let half = sum / max((sum * sum).sum().squareRoot(), 1e-6)
      if isCovered(place(half)) { covered = half } else { free = half }
    }
    return place(free)
  }

  /// Whether all of the circle lies inside a ball.
  @inline(__always)
  func lies(within ball: SIMD4<Float>) -> Bool {
    let way = middle - SIMD3(ball.x, ball.y, ball.z)
    let farthest = way.without(axis).length + radius
    let height = way.dot(axis)
    return farthest * farthest + height * height < ball.w * ball.w * 0.9999
  }
}

/// The balls that cut one ball, relative to its centre.
struct SurfaceNeighbors {
  private(set) var balls: [SIMD4<Float>] = []
  private(set) var indices: [Int] = []
  /// Whether one of the balls holds all of the one in the middle.
  private(set) var isEnclosed = false
  /// The one that covered the last place.
  private var last = 0

  /// Finds the neighbours of a ball; of two that are the same the first is not covered by the second.
  mutating func find(around index: Int, of all: SurfaceBalls) {
    balls.removeAll(keepingCapacity: true)
    indices.removeAll(keepingCapacity: true)
    (isEnclosed, last) = (false, 0)
    let ball = all.balls[index]
    let center = SIMD3(ball.x, ball.y, ball.z)
    let reach = ball.w + all.largestRadius
    all.forEachRun(from: center - reach, to: center + reach) { run in
      for other in run where other != index {
        let candidate = all.balls[other]
        let way = SIMD3(candidate.x, candidate.y, candidate.z) - center
        let square = (way * way).sum()
        let sum = ball.w + candidate.w
        guard square < sum * sum else { continue }
        let difference = candidate.w - ball.w
        if difference >= 0, square <= difference * difference, square > 0 || difference > 0 || other < index {
          isEnclosed = true
        }
        balls.append(SIMD4(way, candidate.w))
        indices.append(other)
      }
    }
  }

  /// Whether the ball that covered the last place covers all of a circle.
  @inline(__always)
  func lastCovers(_ circle: SurfaceCircle) -> Bool { last < balls.count && circle.lies(within: balls[last]) }

  /// Whether a place relative to the centre lies inside a neighbour; one of them may be passed over.
  @inline(__always)
  mutating func covers(_ place: SIMD3<Float>, except skipped: Int = -1) -> Bool {
    let count = balls.count
    guard count > 0 else { return false }
    let start = last
    return balls.withUnsafeBufferPointer { balls in
      var index = start
      for _ in 0..<count {
        let ball = balls[index]
        let way = place - SIMD3(ball.x, ball.y, ball.z)
        if (way * way).sum() < ball.w * ball.w * 0.9999, index != skipped {
          last = index
          return true
        }
        index += 1
        if index == count { index = 0 }
      }
      return false
    }
  }
}
