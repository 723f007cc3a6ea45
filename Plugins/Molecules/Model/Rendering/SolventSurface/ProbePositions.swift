/// The positions at which a probe touches two atoms without overlapping a third, and the atoms that it touches at all.
///
/// The positions lie on the circles of intersection of two atoms' enlarged balls; around them the surface runs inward,
/// in the folds between atoms.
struct ProbePositions: Sendable {
  private(set) var all: [ProbePosition] = []
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
    let isComplete = parts.withUnsafeMutableBufferPointer { parts in
      report.perform(parts.count, work) { piece in
        let start = piece * Self.ballsPerPiece
        parts[piece].add(start..<min(start + Self.ballsPerPiece, count), of: balls, cover, step: step)
      }
    }
    guard isComplete else { return nil }
    isExposed = Array(repeating: false, count: count)
    all.reserveCapacity(parts.reduce(0) { $0 + $1.positions.count })
    circles.reserveCapacity(parts.reduce(0) { $0 + $1.circles.count })
    for part in parts {
      let first = Int32(truncatingIfNeeded: circles.count)
      for position in part.positions { all.append(position.counting(from: first)) }
      circles += part.circles
      for ball in part.exposed { isExposed[Int(ball)] = true }
    }
  }

  /// Returns the probe position nearest to a point, on the arc of one of the nearest positions.
  ///
  /// Positions of an arc are consecutive, so that its end can be found from any of them.
  @inline(__always)
  func nearest(to point: SIMD3<Float>, by number: Int) -> SIMD3<Float> {
    let circle = circles[Int(all[number].circle)]
    guard let found = circle.nearest(to: point) else { return all[number].center }
    var number = number
    for _ in 0..<Self.longestWalk {
      let current = all[number]
      let off = found - current.center
      let isAhead = off.dot(circle.axis.cross(current.center - circle.middle)) > 0
      if isAhead ? current.isEnd : current.isStart { return current.center }
      let next = isAhead ? number + 1 : number - 1
      // A whole circle continues at its first position.
      guard all.indices.contains(next), all[next].circle == current.circle else { return found }
      let delta = all[next].center - current.center
      if (off * off).sum() <= (delta * delta).sum() { return found }
      number = next
    }
    return found
  }

  /// The most positions visited along an arc.
  private static let longestWalk = 6
}

/// The results for some of the balls.
private struct Part {
  var positions: [ProbePosition] = []
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
      for neighbor in neighbors.indices.indices {
        // Each circle is examined once, from the ball with the smaller number.
        let other = neighbors.indices[neighbor]
        if other < name { continue }
        if addCircle(of: balls.balls[index], with: neighbor, among: neighbors, &cover, step: step) {
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
    let delta = SIMD3(other.x, other.y, other.z)
    let distance = delta.length
    guard distance > 1e-3 else { return false }
    let height = (distance * distance + ball.w * ball.w - other.w * other.w) / (2 * distance)
    let square = ball.w * ball.w - height * height
    guard square > 1e-4 else { return false }
    let radius = square.squareRoot()
    let axis = delta / distance
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
        positions.append(
          ProbePosition(
            center: middle + one * direction.x + two * direction.y, circle: circle, isStart: !isWhole && number == 0,
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

/// A circle on which a probe touches two atoms at once.
struct ProbeCircle: Sendable {
  let middle: SIMD3<Float>
  /// The normal of its plane.
  let axis: SIMD3<Float>
  let radius: Float

  /// Returns the point of the circle nearest to a point; nil for points on the axis.
  @inline(__always)
  func nearest(to point: SIMD3<Float>) -> SIMD3<Float>? {
    let delta = point - middle
    let flat = delta - axis * delta.dot(axis)
    let length = flat.length
    return length > 1e-4 ? middle + flat * (radius / length) : nil
  }
}

/// A position of a probe on a circle.
struct ProbePosition: Sendable {
  let center: SIMD3<Float>
  /// The number of its circle.
  let circle: Int32
  /// A Boolean value indicating whether the circle is covered just before the position; the second one, just after it.
  let isStart: Bool
  let isEnd: Bool

  /// Returns the position with its circle number offset by the circles before.
  fileprivate func counting(from first: Int32) -> ProbePosition {
    ProbePosition(center: center, circle: first &+ circle, isStart: isStart, isEnd: isEnd)
  }
}

/// The parts of one circle covered by neighbors, sampled at coarse directions and refined where the cover changes.
///
/// On a circle M + u·cos φ + v·sin φ the inside of a ball is where A·cos φ + B·sin φ < C.
private struct ProbeCover {
  /// The number of coarse directions.
  static let count = 32
  /// The number of fine steps from one coarse direction to the next.
  static let steps = 16
  /// Cosine and sine of every fine step.
  let directions: [SIMD2<Float>]
  private let cosines: [SIMD8<Float>]
  private let sines: [SIMD8<Float>]
  /// A, B and C of the balls that cut the circle.
  private var cuts: [SIMD3<Float>] = []

  /// A bit for each covered direction.
  private(set) var covered: UInt32 = 0

  init() {
    let total = Self.count * Self.steps
    directions = (0..<total).map { index in
      let column = Rotation(about: SIMD3(0, 0, 1), degrees: Float(index) * (360 / Float(total))).matrix.first
      return SIMD2(column.x, column.y)
    }
    var (cosines, sines) = ([SIMD8<Float>](), [SIMD8<Float>]())
    for start in stride(from: 0, to: Self.count, by: 8) {
      var (cosine, sine) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
      for lane in 0..<8 {
        let direction = directions[(start + lane) * Self.steps]
        (cosine[lane], sine[lane]) = (direction.x, direction.y)
      }
      cosines.append(cosine)
      sines.append(sine)
    }
    (self.cosines, self.sines) = (cosines, sines)
  }

  /// Examines a circle.
  ///
  /// - Parameters:
  ///   - middle: its center, relative to the center of the neighbors' ball.
  ///   - one: the vector to direction 0, as long as the radius.
  ///   - two: the vector to the direction a quarter turn further.
  ///   - skipped: the neighbor that shares the circle.
  mutating func look(
    _ middle: SIMD3<Float>, _ one: SIMD3<Float>, _ two: SIMD3<Float>, radius: Float, _ neighbors: SurfaceNeighbors,
    except skipped: Int
  ) {
    cuts.removeAll(keepingCapacity: true)
    covered = 0
    let square = radius * radius
    neighbors.groups.withUnsafeBufferPointer { groups in
      for number in 0..<groups.count {
        let group = groups[number]
        let (dx, dy, dz) = (middle.x - group.x, middle.y - group.y, middle.z - group.z)
        let a: SIMD8<Float> = (dx * one.x + dy * one.y + dz * one.z) * 2
        let b: SIMD8<Float> = (dx * two.x + dy * two.y + dz * two.z) * 2
        let squares: SIMD8<Float> = dx * dx + dy * dy + dz * dz
        let c: SIMD8<Float> = group.limit - squares - square
        // If C is above the amplitude all of the circle is covered, if it is below the negative amplitude nothing is.
        let excess: SIMD8<Float> = c * c - a * a - b * b
        for lane in 0..<8 where 8 * number + lane != skipped {
          if excess[lane] >= 0 {
            guard c[lane] > 0 else { continue }
            covered = .max
            return
          }
          add(SIMD3(a[lane], b[lane], c[lane]))
          if covered == .max { return }
        }
      }
    }
  }

  /// Adds the part covered by one ball.
  @inline(__always)
  private mutating func add(_ cut: SIMD3<Float>) {
    cuts.append(cut)
    let bits = SIMD8<UInt32>(1, 2, 4, 8, 16, 32, 64, 128)
    var sum = SIMD8<UInt32>.zero
    for group in 0..<Self.count / 8 {
      let value: SIMD8<Float> = cosines[group] * cut.x + sines[group] * cut.y
      let here = SIMD8<UInt32>.zero.replacing(with: bits &<< UInt32(8 * group), where: value .< cut.z)
      sum |= here
    }
    covered |= sum.wrappedSum()
  }

  /// Returns true if a fine step is covered.
  private func covers(_ step: Int) -> Bool {
    let direction = directions[step & (directions.count - 1)]
    return cuts.contains { $0.x * direction.x + $0.y * direction.y < $0.z }
  }

  /// Returns the last free fine step between a free one and a covered one.
  func end(from free: Int, to covered: Int) -> Int {
    var (free, covered) = (free, covered)
    while abs(free - covered) > 1 {
      let half = (free + covered) / 2
      if covers(half) { covered = half } else { free = half }
    }
    return free
  }
}

/// Probe positions near a brick, sorted into cells of four grid points along each side.
///
/// Cells are numbered in the whole grid, so that neighboring bricks visit positions in the same order.
struct ProbeCells {
  /// The number of grid points along a cell, as a power of two.
  static let shift = 2

  /// The first cell, and the number of cells along each side.
  let first: SIMD3<Int32>
  let count: Int
  private var starts: [Int32]
  private var entries: [Entry] = []

  /// A probe position and its number.
  struct Entry {
    var center: SIMD3<Float>
    var number: Int32
  }

  /// Creates an empty set of cells.
  init() {
    (first, count, starts) = (.zero, 1, [0, 0])
  }

  /// Sorts positions of probes near a brick into cells.
  ///
  /// - Parameters:
  ///   - rim: cells beyond the brick on each side.
  ///   - grid: the origin of the whole grid, and the length of a cell.
  init(
    around brick: SIMD3<Int32>, rim: Int, _ numbers: [Int32], of probes: ProbePositions,
    grid: (start: SIMD3<Float>, edge: Float)
  ) {
    let rim = Int32(rim)
    first = (brick &>> Int32(Self.shift)) &- rim
    count = Int((Int32(SurfaceField.side) - 1) >> Int32(Self.shift) + 2 + 2 * rim)
    starts = Array(repeating: 0, count: count * count * count + 1)
    var cells: [Int32] = []
    cells.reserveCapacity(numbers.count)
    for number in numbers {
      let center = probes.all[Int(number)].center
      let cell = ((center - grid.start) / grid.edge).wholeBelow &- first
      let isInside = cell.min() >= 0 && cell.max() < Int32(count)
      let row = isInside ? index(Int(cell.x), Int(cell.y), Int(cell.z)) : -1
      cells.append(Int32(truncatingIfNeeded: row))
      if row >= 0 { starts[row + 1] += 1 }
    }
    for cell in 1..<starts.count { starts[cell] += starts[cell - 1] }
    var next = starts
    entries = Array(repeating: Entry(center: .zero, number: -1), count: Int(starts[starts.count - 1]))
    for (number, cell) in zip(numbers, cells) where cell >= 0 {
      entries[Int(next[Int(cell)])] = Entry(center: probes.all[Int(number)].center, number: number)
      next[Int(cell)] += 1
    }
  }

  @inline(__always)
  private func index(_ x: Int, _ y: Int, _ z: Int) -> Int { (z * count + y) * count + x }

  /// Calls `body` with the runs of positions in the cells around one.
  @inline(__always)
  func forEachRun(around cell: SIMD3<Int>, within rim: Int, _ body: (UnsafeBufferPointer<Entry>) -> Void) {
    guard !entries.isEmpty, cell.min() + rim >= 0, cell.max() - rim < count else { return }
    entries.withUnsafeBufferPointer { entries in
      for z in max(0, cell.z - rim)...min(count - 1, cell.z + rim) {
        for y in max(0, cell.y - rim)...min(count - 1, cell.y + rim) {
          let low = Int(starts[index(max(0, cell.x - rim), y, z)])
          let high = Int(starts[index(min(count - 1, cell.x + rim), y, z) + 1])
          if low < high { body(UnsafeBufferPointer(rebasing: entries[low..<high])) }
        }
      }
    }
  }
}
