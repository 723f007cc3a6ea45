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
        let way = SIMD3(candidate.x, candidate.y, candidate.z) - center
        let square = (way * way).sum()
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
            ball: SIMD4(way, candidate.w), index: Int32(truncatingIfNeeded: other),
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
      let place = Int(next[Int(entry.shell)])
      next[Int(entry.shell)] &+= 1
      balls[place] = entry.ball
      indices[place] = entry.index
    }
    groups.removeAll(keepingCapacity: true)
    for start in stride(from: 0, to: count, by: 8) { groups.append(SurfaceGroup(balls[start..<start + 8])) }
  }

  /// Returns true if a position relative to the center lies inside a neighbor.
  ///
  /// - Parameter last: the group that contained the last position; it is tested first.
  @inline(__always)
  func covers(_ place: SIMD3<Float>, last: inout Int) -> Bool {
    groups.withUnsafeBufferPointer { groups in
      if last < groups.count, groups[last].holds(place) { return true }
      for index in 0..<groups.count where groups[index].holds(place) {
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
  func holds(_ place: SIMD3<Float>) -> Bool {
    let (dx, dy, dz) = (x - place.x, y - place.y, z - place.z)
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
