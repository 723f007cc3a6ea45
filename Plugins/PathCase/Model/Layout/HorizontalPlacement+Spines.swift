/// Runs of the main chain that are drawn straight down.
extension HorizontalPlacement {
  /// The pull above which a line belongs to the main chain.
  private static let mainPull = 4.0
  private static let rounds = 3

  /// Straightens the longest runs of the main chain as far as the order of the layers leaves room.
  mutating func straighten() {
    let runs = mainRuns()
    if runs.isEmpty { return }
    spines = [Double?](repeating: nil, count: stack.count)
    for _ in 0..<Self.rounds {
      for run in runs {
        let mean = run.reduce(0) { $0 + centres[$1] } / Double(run.count)
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
    for row in isDown ? stack.order.reversed() : stack.order {
      for vertex in row {
        var longest = 0
        for (other, _) in mainEnds(vertex, isDown: isDown) { longest = max(longest, lengths[other]) }
        lengths[vertex] = longest + (vertex < stack.realCount ? 1 : 0)
      }
    }
    return lengths
  }

  /// Returns the vertex in the next layer that leads furthest along the main chain, the nearest among equals; nil if
  /// there is none.
  private func heir(_ vertex: Int, isDown: Bool, _ lengths: [Int]) -> Int? {
    var best: (length: Int, distance: Double, vertex: Int)?
    for (other, _) in mainEnds(vertex, isDown: isDown) where stack.group[other] == stack.group[vertex] {
      let found = (length: lengths[other], distance: abs(centres[other] - centres[vertex]), vertex: other)
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
  private func mainEnds(_ vertex: Int, isDown: Bool) -> [(vertex: Int, line: Int)] {
    let range = isDown ? stack.belowRange(vertex) : stack.aboveRange(vertex)
    return range.compactMap { index in
      let line = isDown ? stack.belowLines[index] : stack.aboveLines[index]
      guard line < pulls.count, pulls[line] > Self.mainPull else { return nil }
      return (isDown ? stack.below[index] : stack.above[index], line)
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
      let mean = run[start..<end].reduce(0) { $0 + centres[$1] } / Double(end - start)
      if low <= high { for vertex in run[start..<end] { centres[vertex] = max(low, min(high, mean)) } }
      start = end
    }
  }

  /// Returns the range of a vertex's center if its neighbors keep their positions.
  private func free(_ vertex: Int) -> (low: Double, high: Double) {
    if wall(of: vertex) != nil { return (centres[vertex], centres[vertex]) }
    let row = stack.order[stack.layer[vertex]]
    let place = stack.position[vertex]
    var (low, high) = groupRoom(vertex)
    if place > 0, stack.group[row[place - 1]] == stack.group[vertex] {
      low = max(low, centres[row[place - 1]] + distance(row[place - 1], vertex))
    }
    if place + 1 < row.count, stack.group[row[place + 1]] == stack.group[vertex] {
      high = min(high, centres[row[place + 1]] - distance(vertex, row[place + 1]))
    }
    return (low, high)
  }
}
