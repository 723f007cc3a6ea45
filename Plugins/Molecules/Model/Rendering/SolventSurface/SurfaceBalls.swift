/// An atom enclosed by a solvent surface; lengths in ångström.
struct SurfaceBall: Equatable, Sendable {
  var center: SIMD3<Float>
  /// The van der Waals radius.
  var radius: Float
  /// The scene's number of the atom.
  var atom: Int32
}

/// Atoms enlarged by the probe, sorted into cells for neighbor searches.
struct SurfaceBalls: Sendable {
  /// The center and radius including the probe's, cell by cell.
  let balls: [SIMD4<Float>]
  let atoms: [Int32]
  let probe: Float
  let largestRadius: Float
  /// The corners of the box around all enlarged balls.
  let low: SIMD3<Float>
  let high: SIMD3<Float>

  private let cellSize: Float
  private let cells: SIMD3<Int>
  private let starts: [Int32]

  /// Sorts atoms; those without a finite position or a positive radius are dropped.
  ///
  /// - Complexity: O(atoms + cells), the cells being at most eight times the atoms or 4096.
  init(_ all: [SurfaceBall], probe: Float) {
    let usable = all.filter { $0.center.isFinitePlace && $0.radius > 0 && $0.radius < 100 }
    self.probe = probe
    let largest = (usable.map(\.radius).max() ?? 0) + probe
    largestRadius = largest
    var low = SIMD3<Float>(repeating: .greatestFiniteMagnitude)
    var high = -low
    for ball in usable {
      low = pointwiseMin(low, ball.center - ball.radius - probe)
      high = pointwiseMax(high, ball.center + ball.radius + probe)
    }
    self.low = usable.isEmpty ? .zero : low
    self.high = usable.isEmpty ? .zero : high
    (cellSize, cells) = Self.cells(from: self.low, to: self.high, size: max(largest, 0.1), for: usable.count)
    var starts = [Int32](repeating: 0, count: cells.x * cells.y * cells.z + 1)
    let (size, counts) = (cellSize, cells)
    let cellOfBall = usable.map { Self.cell(of: $0.center, from: low, size: size, counts) }
    for cell in cellOfBall { starts[cell + 1] += 1 }
    for cell in 1..<starts.count { starts[cell] += starts[cell - 1] }
    var next = starts
    var balls = [SIMD4<Float>](repeating: .zero, count: usable.count)
    var atoms = [Int32](repeating: -1, count: usable.count)
    for (ball, cell) in zip(usable, cellOfBall) {
      balls[Int(next[cell])] = SIMD4(ball.center, ball.radius + probe)
      atoms[Int(next[cell])] = ball.atom
      next[cell] += 1
    }
    (self.balls, self.atoms, self.starts) = (balls, atoms, starts)
  }

  private static func cells(
    from low: SIMD3<Float>, to high: SIMD3<Float>, size: Float, for count: Int
  ) -> (Float, SIMD3<Int>) {
    var size = size
    while true {
      let counts: SIMD3<Float> = (high - low) / size + 1
      if counts.x * counts.y * counts.z <= Float(max(4096, 8 * count)) {
        return (size, SIMD3(Int(counts.x), Int(counts.y), Int(counts.z)))
      }
      size *= 1.5
    }
  }

  private static func cell(
    of point: SIMD3<Float>, from low: SIMD3<Float>, size: Float, _ cells: SIMD3<Int>
  ) -> Int {
    let position = (point - low) / size
    let x = min(cells.x - 1, max(0, Int(position.x)))
    let y = min(cells.y - 1, max(0, Int(position.y)))
    let z = min(cells.z - 1, max(0, Int(position.z)))
    return (z * cells.y + y) * cells.x + x
  }

  /// Calls `body` with runs of balls whose cells touch a box.
  @inline(__always)
  func forEachRun(from low: SIMD3<Float>, to high: SIMD3<Float>, _ body: (Range<Int>) -> Void) {
    let first = (low - self.low) / cellSize
    let last = (high - self.low) / cellSize
    guard first.x < Float(cells.x), first.y < Float(cells.y), first.z < Float(cells.z), last.min() >= 0 else { return }
    let columns = Int(max(0, first.x))...min(cells.x - 1, Int(last.x))
    let rows = Int(max(0, first.y))...min(cells.y - 1, Int(last.y))
    let layers = Int(max(0, first.z))...min(cells.z - 1, Int(last.z))
    for layer in layers {
      for row in rows {
        let line = (layer * cells.y + row) * cells.x
        let run = Int(starts[line + columns.lowerBound])..<Int(starts[line + columns.upperBound + 1])
        if !run.isEmpty { body(run) }
      }
    }
  }
}

extension SIMD3<Float> {
  /// A Boolean value indicating whether all three coordinates are plausible.
  var isFinitePlace: Bool { abs(x) < 1e7 && abs(y) < 1e7 && abs(z) < 1e7 }

  /// The coordinates rounded down, for numbers that fit 32 bits; one by one, since a vector's conversion is not
  /// inlined.
  @inline(__always)
  var wholeBelow: SIMD3<Int32> {
    let (a, b, c) = (Int32(x), Int32(y), Int32(z))
    return SIMD3<Int32>(Float(a) > x ? a - 1 : a, Float(b) > y ? b - 1 : b, Float(c) > z ? c - 1 : c)
  }
}

/// The balls that intersect one ball, relative to its center, roughly the nearest first.
struct SurfaceNeighbors: Sendable {
  /// The balls, padded to whole groups with empty ones.
  private(set) var balls: [SIMD4<Float>] = []
  /// Their numbers, -1 for padding.
  private(set) var indices: [Int32] = []
  /// The balls in groups of eight.
  private(set) var groups: [SurfaceGroup] = []
  /// A Boolean value indicating whether one of the balls contains the whole central one.
  private(set) var isEnclosed = false
  private var found: [Found] = []

  private struct Found {
    var ball: SIMD4<Float>
    var index: Int32
    var shell: Int32
  }

  /// The number of distance shells into which the balls are sorted.
  private static let shells = 8

  /// Finds the neighbors of a ball; of two identical balls the first is not covered by the second.
  mutating func find(around index: Int, of all: SurfaceBalls) {
    found.removeAll(keepingCapacity: true)
    isEnclosed = false
    let ball = all.balls[index]
    let center = SIMD3(ball.x, ball.y, ball.z)
    let reach = ball.w + all.largestRadius
    let scale = Float(Self.shells) / (reach * reach)
    all.forEachRun(from: center - reach, to: center + reach) { run in
      for other in run where other != index {
        let candidate = all.balls[other]
        let delta = SIMD3(candidate.x, candidate.y, candidate.z) - center
        let square = (delta * delta).sum()
        let sum = ball.w + candidate.w
        guard square < sum * sum else { continue }
        let difference = candidate.w - ball.w
        if difference >= 0, square <= difference * difference, square > 0 || difference > 0 || other < index {
          isEnclosed = true
        } else if difference <= 0, square <= difference * difference {
          // It lies within this ball and hides nothing of it.
          continue
        }
        found.append(
          Found(
            ball: SIMD4(delta, candidate.w), index: Int32(truncatingIfNeeded: other),
            shell: min(Int32(Self.shells - 1), Int32(square * scale))))
      }
    }
    sort()
  }

  /// Sorts the neighbors into groups, shell by shell.
  private mutating func sort() {
    var next = SIMD8<Int32>.zero
    for entry in found where Int(entry.shell) + 1 < Self.shells { next[Int(entry.shell) + 1] &+= 1 }
    for shell in 1..<Self.shells { next[shell] &+= next[shell - 1] }
    let count = (found.count + 7) / 8 * 8
    balls.removeAll(keepingCapacity: true)
    indices.removeAll(keepingCapacity: true)
    balls.append(contentsOf: repeatElement(SIMD4(1e9, 0, 0, 0), count: count))
    indices.append(contentsOf: repeatElement(-1, count: count))
    for entry in found {
      let index = Int(next[Int(entry.shell)])
      next[Int(entry.shell)] &+= 1
      balls[index] = entry.ball
      indices[index] = entry.index
    }
    groups.removeAll(keepingCapacity: true)
    for start in stride(from: 0, to: count, by: 8) { groups.append(SurfaceGroup(balls[start..<start + 8])) }
  }

  /// Returns true if a position relative to the center lies inside a neighbor.
  ///
  /// - Parameter last: the group that contained the last position; it is tested first.
  @inline(__always)
  func covers(_ position: SIMD3<Float>, last: inout Int) -> Bool {
    groups.withUnsafeBufferPointer { groups in
      if last < groups.count, groups[last].holds(position) { return true }
      for index in 0..<groups.count where groups[index].holds(position) {
        last = index
        return true
      }
      return false
    }
  }
}

/// A group of eight balls.
struct SurfaceGroup: Sendable {
  let x: SIMD8<Float>
  let y: SIMD8<Float>
  let z: SIMD8<Float>
  /// The squares of their radii, slightly reduced: a point on a ball is not inside it.
  let limit: SIMD8<Float>

  init(_ balls: ArraySlice<SIMD4<Float>>) {
    var (x, y, z, w) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    for (lane, ball) in balls.enumerated() { (x[lane], y[lane], z[lane], w[lane]) = (ball.x, ball.y, ball.z, ball.w) }
    (self.x, self.y, self.z) = (x, y, z)
    limit = w * w * 0.9999
  }

  /// Returns true if a position lies inside one of the balls.
  @inline(__always)
  func holds(_ position: SIMD3<Float>) -> Bool {
    let (dx, dy, dz) = (x - position.x, y - position.y, z - position.z)
    let squares: SIMD8<Float> = dx * dx + dy * dy + dz * dz
    return (squares - limit).least < 0
  }
}

extension SIMD8<Float> {
  /// The smallest of the eight numbers.
  @inline(__always)
  var least: Float {
    let four = lowHalf.replacing(with: highHalf, where: highHalf .< lowHalf)
    let two = four.lowHalf.replacing(with: four.highHalf, where: four.highHalf .< four.lowHalf)
    return two.y < two.x ? two.y : two.x
  }
}
