/// A circle on which a probe touches two atoms at once.
struct ProbeCircle: Sendable {
  let middle: SIMD3<Float>
  /// The normal of its plane.
  let axis: SIMD3<Float>
  let radius: Float

  /// Returns the point of the circle nearest to a point; nil for points on the axis.
  @inline(__always)
  func nearest(to point: SIMD3<Float>) -> SIMD3<Float>? {
    let way = point - middle
    let flat = way - axis * way.dot(axis)
    let length = flat.length
    return length > 1e-4 ? middle + flat * (radius / length) : nil
  }
}

/// A position of a probe on a circle.
struct ProbePlace: Sendable {
  let position: SIMD3<Float>
  /// The number of its circle.
  let circle: Int32
  /// A Boolean value indicating whether the circle is covered just before the position; the second one, just after it.
  let isStart: Bool
  let isEnd: Bool
}

/// The parts of one circle covered by neighbors, sampled at coarse directions and refined where the cover changes.
///
/// On a circle M + u·cos φ + v·sin φ the inside of a ball is where A·cos φ + B·sin φ < C.
struct ProbeCover {
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
