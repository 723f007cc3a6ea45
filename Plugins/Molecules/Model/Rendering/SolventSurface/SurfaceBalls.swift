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
    let places = usable.map { Self.cell(of: $0.center, from: low, size: size, counts) }
    for place in places { starts[place + 1] += 1 }
    for place in 1..<starts.count { starts[place] += starts[place - 1] }
    var next = starts
    var balls = [SIMD4<Float>](repeating: .zero, count: usable.count)
    var atoms = [Int32](repeating: -1, count: usable.count)
    for (ball, place) in zip(usable, places) {
      balls[Int(next[place])] = SIMD4(ball.center, ball.radius + probe)
      atoms[Int(next[place])] = ball.atom
      next[place] += 1
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
    let place = (point - low) / size
    let x = min(cells.x - 1, max(0, Int(place.x)))
    let y = min(cells.y - 1, max(0, Int(place.y)))
    let z = min(cells.z - 1, max(0, Int(place.z)))
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
