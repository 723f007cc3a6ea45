/// Places the vertices of layers from left to right: in order, apart, near their neighbors, with long lines straight.
///
/// Each layer in turn moves toward the mean positions of its neighbors as far as order and distances permit. This is an
/// isotonic regression, solved by pooling.
///
/// - Source: R. E. Barlow, D. J. Bartholomew, J. M. Bremner, H. D. Brunk, Statistical Inference under Order
///   Restrictions, Wiley 1972, for pooling.
struct HorizontalPlacement {
  private let stack: LayerStack
  /// The width of each vertex.
  private let widths: [Double]
  /// The pull of each line; 1 by default.
  private let pulls: [Double]
  /// The gap between the borders of neighbors; half of it beside dummies.
  private let gap: Double
  /// The gap between the last vertex of each group and the first of the next, in addition to the usual gap.
  private let groupGaps: [Double]
  /// The groups whose vertices lie in the middle of their range, in a vertical line.
  private let walls: Set<Int>
  /// The horizontal range of each group, over all layers.
  private var bounds: [(low: Double, high: Double)] = []
  /// The center of each vertex.
  private(set) var centers: [Double]
  /// The earlier positions of vertices, kept if possible; nil for other vertices.
  var anchors: [Double?] = []
  /// The desired positions on straight runs; nil for vertices on no run.
  private var spines: [Double?] = []
  private var blocks: [Block] = []

  /// Vertices that touch and move together.
  private struct Block {
    var first: Int
    var sum: Double
    var weight: Double
    var position: Double { sum / weight }
  }

  /// The neighbors that a vertex follows.
  private struct Sides: OptionSet {
    let rawValue: Int
    static let above = Sides(rawValue: 1)
    static let below = Sides(rawValue: 2)
  }

  init(
    _ stack: LayerStack, widths: [Double], pulls: [Double] = [], gap: Double, groupGaps: [Double] = [],
    walls: Set<Int> = []
  ) {
    self.stack = stack
    self.pulls = pulls
    self.widths = widths
    self.gap = gap
    self.groupGaps = groupGaps
    self.walls = walls
    centers = [Double](repeating: 0, count: stack.count)
    bounds = groupBounds()
    for row in stack.order { place(row, by: []) }
  }

  /// Returns the minimum distance between the centers of neighbors in a layer.
  private func distance(_ left: Int, _ right: Int) -> Double {
    let isSlim = left >= stack.realCount || right >= stack.realCount
    return (widths[left] + widths[right]) / 2 + (isSlim ? gap / 2 : gap)
  }

  /// Returns the ranges of the groups, side by side, each as wide as its widest layer.
  private func groupBounds() -> [(low: Double, high: Double)] {
    guard let last = stack.group.max(), last > 0 else { return [(-Double.infinity, Double.infinity)] }
    var needs = [Double](repeating: 0, count: last + 1)
    for row in stack.order {
      var sums = [Double](repeating: 0, count: last + 1)
      for vertex in row {
        // Lines beside a vertex in the middle may all be on one side of it.
        let share = vertex >= stack.realCount && walls.contains(stack.group[vertex]) ? 2.0 : 1
        sums[stack.group[vertex]] += share * (widths[vertex] + gap)
      }
      for group in sums.indices { needs[group] = max(needs[group], sums[group]) }
    }
    var (result, next): ([(low: Double, high: Double)], Double) = ([], 0)
    for (group, need) in needs.enumerated() {
      // Some slack lets lines be straight.
      result.append((next, next + need * 1.1))
      next += need * 1.1 + (group < groupGaps.count ? groupGaps[group] : 0)
    }
    return result
  }

  /// Moves the layers toward their neighbors, up and down.
  mutating func run(sweeps: Int, shouldStop: () -> Bool = { false }) {
    for sweep in 0..<sweeps {
      if shouldStop() { return }
      let isLast = sweep >= sweeps - 2
      for step in stack.order.indices {
        let isDown = sweep & 1 == 0
        let row = stack.order[isDown ? step : stack.order.count - 1 - step]
        place(row, by: isLast ? [.above, .below] : isDown ? .above : .below)
      }
    }
    if anchors.isEmpty { straighten() }
  }

  /// Moves the layers to the positions to which both sides and the spines pull them.
  private mutating func settle() {
    for row in stack.order { place(row, by: [.above, .below]) }
  }

  /// Returns the range of a vertex's center in its group.
  private func groupRoom(_ vertex: Int) -> (low: Double, high: Double) {
    let (low, high) = bounds[min(stack.group[vertex], bounds.count - 1)]
    return (low + (widths[vertex] + gap) / 2, high - (widths[vertex] + gap) / 2)
  }

  /// Returns the position of a vertex on a wall; nil for other vertices.
  private func wall(of vertex: Int) -> Double? {
    guard vertex < stack.realCount, walls.contains(stack.group[vertex]), stack.group[vertex] < bounds.count else {
      return nil
    }
    let (low, high) = bounds[stack.group[vertex]]
    return high < .infinity ? (low + high) / 2 : nil
  }

  /// Returns the mean position of a vertex's neighbors and its weight; nil if it has none.
  private func wish(_ vertex: Int, by sides: Sides) -> (position: Double, weight: Double)? {
    if let position = wall(of: vertex) { return (position, 1e6) }
    var (sum, weight) = (0.0, 0.0)
    let isSlim = vertex >= stack.realCount
    if sides.contains(.above) {
      for index in stack.aboveRange(vertex) { add(stack.above[index], stack.aboveLines[index], isSlim, &sum, &weight) }
    }
    if sides.contains(.below) {
      for index in stack.belowRange(vertex) { add(stack.below[index], stack.belowLines[index], isSlim, &sum, &weight) }
    }
    if vertex < anchors.count, let position = anchors[vertex] {
      sum += 1000 * position
      weight += 1000
    } else if vertex < spines.count, let position = spines[vertex] {
      sum += 200 * position
      weight += 200
    }
    return weight > 0 ? (sum / weight, weight) : nil
  }

  private func add(_ other: Int, _ line: Int, _ isSlim: Bool, _ sum: inout Double, _ weight: inout Double) {
    var pull = isSlim && other >= stack.realCount ? 8.0 : isSlim || other >= stack.realCount ? 2 : 1
    if line < pulls.count { pull *= pulls[line] }
    sum += centers[other] * pull
    weight += pull
  }

  /// Moves the vertices of a layer toward their desired positions as far as there is room.
  private mutating func place(_ row: [Int], by sides: Sides) {
    var start = 0
    while start < row.count {
      var end = start + 1
      while end < row.count, stack.group[row[end]] == stack.group[row[start]] { end += 1 }
      place(row[start..<end], by: sides)
      start = end
    }
  }

  private mutating func place(_ run: ArraySlice<Int>, by sides: Sides) {
    blocks.removeAll(keepingCapacity: true)
    var offset = 0.0
    var offsets: [Double] = []
    offsets.reserveCapacity(run.count)
    for index in run.indices {
      if index > run.startIndex { offset += distance(run[index - 1], run[index]) }
      offsets.append(offset)
      let wanted = wish(run[index], by: sides) ?? (position: centers[run[index]], weight: 0.05)
      blocks.append(
        Block(first: offsets.count - 1, sum: (wanted.position - offset) * wanted.weight, weight: wanted.weight))
      while blocks.count > 1, blocks[blocks.count - 2].position >= blocks[blocks.count - 1].position {
        let top = blocks.removeLast()
        blocks[blocks.count - 1].sum += top.sum
        blocks[blocks.count - 1].weight += top.weight
      }
    }
    let (low, high) = room(run, offset)
    for (number, block) in blocks.enumerated() {
      let end = number + 1 < blocks.count ? blocks[number + 1].first : run.count
      let position = max(low, min(high, block.position))
      for index in block.first..<end { centers[run[run.startIndex + index]] = position + offsets[index] }
    }
  }

  /// Returns the positions of a run's first vertex that keep the whole run in its group's range.
  private func room(_ run: ArraySlice<Int>, _ length: Double) -> (low: Double, high: Double) {
    guard let first = run.first, let last = run.last else { return (0, 0) }
    let (low, high) = bounds[min(stack.group[first], bounds.count - 1)]
    return (low + (widths[first] + gap) / 2, high - length - (widths[last] + gap) / 2)
  }
}

// MARK: - Straight runs of the main chain

extension HorizontalPlacement {
  /// The pull above which a line belongs to the main chain.
  private static let mainPull = 4.0
  private static let rounds = 3

  /// Straightens the longest runs of the main chain as far as the order of the layers leaves room.
  private mutating func straighten() {
    let runs = mainRuns()
    if runs.isEmpty { return }
    spines = [Double?](repeating: nil, count: stack.count)
    for _ in 0..<Self.rounds {
      for run in runs {
        let mean = run.reduce(0) { $0 + centers[$1] } / Double(run.count)
        for vertex in run { spines[vertex] = mean }
      }
      settle()
    }
    // Remaining bends are placed where they are fewest.
    for run in runs { align(run) }
  }

  /// Returns runs of two or more vertices down the layers, the longest first: each vertex is the best continuation of
  /// the one before, and vice versa.
  private func mainRuns() -> [[Int]] {
    let (up, down) = (lengths(isDown: false), lengths(isDown: true))
    let next = (0..<stack.count).map { heir($0, isDown: true, down) }
    let before = (0..<stack.count).map { heir($0, isDown: false, up) }
    var runs: [[Int]] = []
    for start in 0..<stack.count {
      if let above = before[start], next[above] == start { continue }
      var run = [start]
      while let last = run.last, let below = next[last], before[below] == last { run.append(below) }
      if run.count > 1 { runs.append(run) }
    }
    return runs.enumerated().sorted { left, right in
      let counts = (left.element.count, right.element.count)
      return counts.0 != counts.1 ? counts.0 > counts.1 : left.offset < right.offset
    }.map(\.element)
  }

  /// Returns the number of vertices on the longest path along the main chain from each vertex.
  private func lengths(isDown: Bool) -> [Int] {
    var lengths = [Int](repeating: 0, count: stack.count)
    for row in stack.order.indices {
      for vertex in stack.order[isDown ? stack.order.count - 1 - row : row] {
        var longest = 0
        for other in mainEnds(vertex, isDown: isDown) { longest = max(longest, lengths[other]) }
        lengths[vertex] = longest + (vertex < stack.realCount ? 1 : 0)
      }
    }
    return lengths
  }

  /// Returns the vertex in the next layer that leads furthest along the main chain, the nearest among equals; nil if
  /// there is none.
  private func heir(_ vertex: Int, isDown: Bool, _ lengths: [Int]) -> Int? {
    var best: (length: Int, distance: Double, vertex: Int)?
    for other in mainEnds(vertex, isDown: isDown) where stack.group[other] == stack.group[vertex] {
      let found = (length: lengths[other], distance: abs(centers[other] - centers[vertex]), vertex: other)
      guard let old = best else {
        best = found
        continue
      }
      if found.length > old.length || found.length == old.length && found.distance < old.distance - 1e-9 {
        best = found
      }
    }
    return best?.vertex
  }

  /// Returns the ends of main-chain segments in the next layer.
  private func mainEnds(_ vertex: Int, isDown: Bool) -> [Int] {
    let range = isDown ? stack.belowRange(vertex) : stack.aboveRange(vertex)
    return range.compactMap { index in
      let line = isDown ? stack.belowLines[index] : stack.aboveLines[index]
      guard line < pulls.count, pulls[line] > Self.mainPull else { return nil }
      return isDown ? stack.below[index] : stack.above[index]
    }
  }

  /// Puts a run on as few straight lines as its neighbors in the layers permit.
  private mutating func align(_ run: [Int]) {
    var start = 0
    while start < run.count {
      var (low, high) = free(run[start])
      var end = start + 1
      while end < run.count {
        let next = free(run[end])
        if max(low, next.low) > min(high, next.high) { break }
        (low, high) = (max(low, next.low), min(high, next.high))
        end += 1
      }
      let mean = run[start..<end].reduce(0) { $0 + centers[$1] } / Double(end - start)
      if low <= high { for vertex in run[start..<end] { centers[vertex] = max(low, min(high, mean)) } }
      start = end
    }
  }

  /// Returns the range of a vertex's center if its neighbors keep their positions.
  private func free(_ vertex: Int) -> (low: Double, high: Double) {
    if wall(of: vertex) != nil { return (centers[vertex], centers[vertex]) }
    let row = stack.order[stack.layer[vertex]]
    let index = stack.position[vertex]
    var (low, high) = groupRoom(vertex)
    if index > 0, stack.group[row[index - 1]] == stack.group[vertex] {
      low = max(low, centers[row[index - 1]] + distance(row[index - 1], vertex))
    }
    if index + 1 < row.count, stack.group[row[index + 1]] == stack.group[vertex] {
      high = min(high, centers[row[index + 1]] - distance(vertex, row[index + 1]))
    }
    return (low, high)
  }
}
