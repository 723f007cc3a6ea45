/// The positions at which a probe touches two atoms without overlapping a third, and the atoms that it touches at all.
///
/// The positions lie on the circles of intersection of two atoms' enlarged balls; around them the surface runs inward,
/// in the folds between atoms.
struct ProbePlaces: Sendable {
  private(set) var places: [ProbePlace] = []
  /// The circles of the positions.
  private(set) var circles: [ProbeCircle] = []
  /// True for each ball that has a part not covered by others.
  private(set) var isExposed: [Bool]

  /// The number of balls examined in one piece of work.
  private static let ballsPerPiece = 256

  /// Finds the positions, in the same order on any number of threads.
  ///
  /// - Parameter step: the largest distance of neighboring positions on a circle, in ångström.
  /// - Returns: nil if the report asked to stop.
  /// - Complexity: O(balls × neighbors).
  init?(_ balls: SurfaceBalls, step: Float, _ work: ParallelWork, _ report: RenderReport) {
    let count = balls.balls.count
    let cover = ProbeCover()
    var parts = [Part](repeating: Part(), count: (count + Self.ballsPerPiece - 1) / Self.ballsPerPiece)
    let goesOn = parts.withUnsafeMutableBufferPointer { parts in
      report.perform(parts.count, work) { piece in
        let start = piece * Self.ballsPerPiece
        parts[piece].add(start..<min(start + Self.ballsPerPiece, count), of: balls, cover, step: step)
      }
    }
    guard goesOn else { return nil }
    isExposed = Array(repeating: false, count: count)
    places.reserveCapacity(parts.reduce(0) { $0 + $1.places.count })
    circles.reserveCapacity(parts.reduce(0) { $0 + $1.circles.count })
    for part in parts {
      let first = Int32(truncatingIfNeeded: circles.count)
      for place in part.places { places.append(place.counting(from: first)) }
      circles += part.circles
      for ball in part.exposed { isExposed[Int(ball)] = true }
    }
  }

  /// Returns the probe position nearest to a point, on the arc of one of the nearest positions.
  ///
  /// Positions of an arc are consecutive, so that its end can be found from any of them.
  @inline(__always)
  func nearest(to point: SIMD3<Float>, by number: Int) -> SIMD3<Float> {
    let circle = circles[Int(places[number].circle)]
    guard let found = circle.nearest(to: point) else { return places[number].position }
    var number = number
    for _ in 0..<Self.longestWalk {
      let place = places[number]
      let off = found - place.position
      let isAhead = off.dot(circle.axis.cross(place.position - circle.middle)) > 0
      if isAhead ? place.isEnd : place.isStart { return place.position }
      let next = isAhead ? number + 1 : number - 1
      // A whole circle continues at its first position.
      guard places.indices.contains(next), places[next].circle == place.circle else { return found }
      let way = places[next].position - place.position
      if (off * off).sum() <= (way * way).sum() { return found }
      number = next
    }
    return found
  }

  /// The most positions visited along an arc.
  private static let longestWalk = 6
}

extension ProbePlace {
  /// Returns the position with its circle number offset by the circles before.
  fileprivate func counting(from first: Int32) -> ProbePlace {
    ProbePlace(position: position, circle: first &+ circle, isStart: isStart, isEnd: isEnd)
  }
}

/// The results for some of the balls.
private struct Part {
  var places: [ProbePlace] = []
  var circles: [ProbeCircle] = []
  /// The numbers of balls with a part not covered by others; may contain duplicates.
  var exposed: [Int32] = []

  mutating func add(_ numbers: Range<Int>, of balls: SurfaceBalls, _ cover: ProbeCover, step: Float) {
    var cover = cover
    var neighbors = SurfaceNeighbors()
    for index in numbers {
      let name = Int32(truncatingIfNeeded: index)
      neighbors.find(around: index, of: balls)
      if neighbors.isEnclosed { continue }
      if neighbors.indices.isEmpty { exposed.append(name) }
      for place in neighbors.indices.indices {
        // Each circle is examined once, from the ball with the smaller number.
        let other = neighbors.indices[place]
        if other < name { continue }
        if addCircle(of: balls.balls[index], with: place, among: neighbors, &cover, step: step) {
          exposed.append(name)
          exposed.append(other)
        }
      }
    }
  }

  /// Adds the free positions of one circle; returns false if there are none.
  private mutating func addCircle(
    of ball: SIMD4<Float>, with neighbor: Int, among neighbors: SurfaceNeighbors, _ cover: inout ProbeCover, step: Float
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
    let (one, two) = (across * radius, axis.cross(across) * radius)
    cover.look(axis * height, one, two, radius: radius, neighbors, except: neighbor)
    guard cover.covered != .max else { return false }
    let middle = SIMD3(ball.x, ball.y, ball.z) + axis * height
    let circle = Int32(truncatingIfNeeded: circles.count)
    circles.append(ProbeCircle(middle: middle, axis: axis, radius: radius))
    let total = cover.directions.count
    /// Adds evenly spaced positions from one fine step to another.
    func add(from first: Int, through last: Int, isWhole: Bool) {
      let length = Float(last - first) * (2 * .pi / Float(total)) * radius
      let count = max(1, Int((length / step).rounded(.up)))
      for number in 0..<(isWhole ? count : count + 1) {
        let direction = cover.directions[(first + (last - first) * number / count) & (total - 1)]
        places.append(
          ProbePlace(
            position: middle + one * direction.x + two * direction.y, circle: circle, isStart: !isWhole && number == 0,
            isEnd: !isWhole && number == count))
      }
    }
    if cover.covered == 0 {
      add(from: 0, through: total, isWhole: true)
      return true
    }
    func isFree(_ direction: Int) -> Bool { cover.covered >> UInt32(direction & (ProbeCover.count - 1)) & 1 == 0 }
    for first in 0..<ProbeCover.count where isFree(first) && !isFree(first - 1) {
      var last = first
      while isFree(last + 1) { last += 1 }
      // One full turn is added, so that no step is negative.
      let begin = cover.end(from: first * ProbeCover.steps + total, to: (first - 1) * ProbeCover.steps + total)
      let end = cover.end(from: last * ProbeCover.steps + total, to: (last + 1) * ProbeCover.steps + total)
      add(from: begin, through: end, isWhole: false)
    }
    return true
  }
}
