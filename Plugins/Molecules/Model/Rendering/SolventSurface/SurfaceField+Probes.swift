/// The probe positions that may be nearest to the points of a cell, in groups of eight.
private struct NearPlaces {
  struct Group {
    var x = SIMD8<Float>(repeating: 1e9)
    var y = SIMD8<Float>(repeating: 1e9)
    var z = SIMD8<Float>(repeating: 1e9)
  }

  private var groups: [Group] = []
  /// The incomplete group.
  private var last = Group()
  private var numbers: [Int32] = []

  var isEmpty: Bool { numbers.isEmpty }

  mutating func removeAll() {
    groups.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    last = Group()
  }

  @inline(__always)
  mutating func append(_ position: SIMD3<Float>, _ number: Int32) {
    let lane = numbers.count & 7
    last.x[lane] = position.x
    last.y[lane] = position.y
    last.z[lane] = position.z
    numbers.append(number)
    if lane == 7 { finish() }
  }

  /// Appends the last group to the others, full or not.
  @inline(__always)
  mutating func finish() {
    groups.append(last)
    last = Group()
  }

  /// Returns the number of the position nearest to a point; requires at least one, and a finished last group.
  @inline(__always)
  func nearest(to point: SIMD3<Float>) -> Int32 {
    var best = SIMD8<Float>(repeating: .greatestFiniteMagnitude)
    var which = SIMD8<Int32>.zero
    groups.withUnsafeBufferPointer { groups in
      for index in 0..<groups.count {
        let (dx, dy, dz) = (groups[index].x - point.x, groups[index].y - point.y, groups[index].z - point.z)
        let square: SIMD8<Float> = dx * dx + dy * dy + dz * dz
        let isNearer = square .< best
        best.replace(with: square, where: isNearer)
        which.replace(with: Int32(truncatingIfNeeded: index), where: isNearer)
      }
    }
    let least = best.least
    var found = Int32.max
    for lane in 0..<8 where best[lane] == least { found = min(found, numbers[Int(which[lane]) * 8 + lane]) }
    return found
  }
}

extension SurfaceField {
  /// Lowers values in folds to the distance from the nearest probe position.
  ///
  /// Points that still have the largest value, although they are not too deep below the balls, lie in folds or too
  /// deep.
  mutating func lower(toPlaces numbers: [Int32], of probes: ProbePlaces) {
    cells = ProbeCells()
    guard !numbers.isEmpty else { return }
    let edge = spacing * Float(1 << ProbeCells.shift)
    let rim = Int((highest / edge).rounded(.up))
    cells = ProbeCells(around: first, rim: rim, numbers, of: probes, grid: (start, edge))
    var near = NearPlaces()
    var folds: [SIMD4<Int32>] = []
    let inner = rim..<cells.count - rim
    for z in inner {
      for y in inner {
        for x in inner {
          let cell = SIMD3(x, y, z)
          let corner = (cells.first &+ SIMD3<Int32>(truncatingIfNeeded: cell)) &<< Int32(ProbeCells.shift)
          collectFolds(inCellAt: SIMD3<Int>(truncatingIfNeeded: corner &- first), into: &folds)
          guard !folds.isEmpty else { continue }
          near.removeAll()
          collect(around: cell, corner, rim: rim, into: &near)
          if !near.isEmpty { lower(folds, near, probes) }
        }
      }
    }
  }

  /// Returns the number of the probe position nearest to a point of the brick; nil if none reaches it.
  func place(nearestTo position: SIMD3<Float>) -> Int32? {
    let edge = spacing * Float(1 << ProbeCells.shift)
    let cell = SIMD3<Int>(truncatingIfNeeded: ((position - start) / edge).wholeBelow &- cells.first)
    var found: Int32?
    var best = highest * highest
    cells.forEachRun(around: cell, within: Int((highest / edge).rounded(.up))) { run in
      for place in run {
        let way = place.position - position
        let square = (way * way).sum()
        if square < best { (best, found) = (square, place.number) }
      }
    }
    return found
  }

  /// Collects the probe positions that reach a cell.
  private func collect(
    around cell: SIMD3<Int>, _ corner: SIMD3<Int32>, rim: Int,
    into near: inout NearPlaces
  ) {
    let low = start + SIMD3<Float>(corner) * spacing
    let high = low + spacing * Float(1 << ProbeCells.shift - 1)
    // Between two positions of a circle the probe may come slightly nearer.
    let most = highest + 0.1
    cells.forEachRun(around: cell, within: rim) { run in
      for place in run {
        let (before, behind) = (low - place.position, place.position - high)
        var away = before.replacing(with: behind, where: behind .> before)
        away.replace(with: 0, where: away .< 0)
        if (away * away).sum() < most * most { near.append(place.position, place.number) }
      }
    }
    near.finish()
  }

  /// Collects the points of a cell that lie in folds or too deep: three indices along the sides, and the one in
  /// `values`.
  private func collectFolds(inCellAt corner: SIMD3<Int>, into folds: inout [SIMD4<Int32>]) {
    folds.removeAll(keepingCapacity: true)
    let size = 1 << ProbeCells.shift
    let columns = max(0, corner.x)..<max(0, min(Self.side, corner.x + size))
    values.withUnsafeBufferPointer { values in
      depths.withUnsafeBufferPointer { depths in
        for z in max(0, corner.z)..<max(0, min(Self.side, corner.z + size)) {
          for y in max(0, corner.y)..<max(0, min(Self.side, corner.y + size)) {
            let line = (z * Self.side + y) * Self.side
            for x in columns where values[line + x] == highest && depths[line + x] < highest {
              folds.append(SIMD4(Int32(x), Int32(y), Int32(z), Int32(line + x)))
            }
          }
        }
      }
    }
  }

  private mutating func lower(_ folds: [SIMD4<Int32>], _ near: NearPlaces, _ probes: ProbePlaces) {
    for fold in folds {
      let point = start + SIMD3<Float>(first &+ SIMD3(fold.x, fold.y, fold.z)) * spacing
      let number = near.nearest(to: point)
      let distance = (point - probes.nearest(to: point, by: Int(number))).length
      guard distance < highest else { continue }
      values[Int(fold.w)] = max(distance, lowest)
      nearest[Int(fold.w)] = number
    }
  }
}
