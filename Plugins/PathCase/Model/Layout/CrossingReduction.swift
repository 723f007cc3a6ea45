/// Orders the vertices within layers so that few lines cross, by barycenter sweeps and then sifting.
///
/// - Source: K. Sugiyama, S. Tagawa, M. Toda, IEEE Trans. Syst. Man Cybern. 11, 109 (1981), for the sweeps;
///   C. Matuszewski, R. Schönfeld, P. Molitor, Graph Drawing 1999, LNCS 1731, 217, for sifting.
struct CrossingReduction {
  private(set) var stack: LayerStack
  /// The remaining work, in visits of a segment.
  private(set) var effort: Int
  private let shouldStop: () -> Bool
  /// A Boolean value indicating whether it stopped early, for lack of effort or on request.
  private(set) var isCut = false
  private var keys: [Double] = []

  init(_ stack: LayerStack, effort: Int, shouldStop: @escaping () -> Bool) {
    self.stack = stack
    self.effort = effort
    self.shouldStop = shouldStop
    keys = [Double](repeating: 0, count: stack.count)
  }

  /// Improves the present order.
  ///
  /// - Returns: The number of remaining crossings.
  mutating func run(sweeps: Int, sifts: Int) -> Int {
    var best = stack.crossings()
    var bestOrder = stack.order
    var waits = 0
    for sweep in 0..<sweeps where best > 0 {
      if mustStop() { break }
      for step in 1..<max(stack.order.count, 1) {
        let isDown = sweep & 1 == 0
        sort(row: isDown ? step : stack.order.count - 1 - step, byAbove: isDown, reversesTies: sweep & 2 != 0)
      }
      effort -= stack.above.count * 4
      let now = stack.crossings()
      if now < best {
        (best, bestOrder, waits) = (now, stack.order, 0)
      } else {
        waits += 1
        if waits > 3 { break }
      }
    }
    stack.order = bestOrder
    stack.numberPositions()
    return sift(rounds: sifts, from: best)
  }

  private mutating func mustStop() -> Bool {
    if !isCut, effort <= 0 || shouldStop() { isCut = true }
    return isCut
  }

  /// Sorts a layer by the mean positions of its vertices' neighbors; vertices without neighbors keep their positions.
  private mutating func sort(row: Int, byAbove: Bool, reversesTies: Bool) {
    var start = 0
    let vertices = stack.order[row]
    while start < vertices.count {
      var end = start + 1
      while end < vertices.count, stack.group[vertices[end]] == stack.group[vertices[start]] { end += 1 }
      sort(vertices[start..<end], row: row, byAbove: byAbove, reversesTies: reversesTies)
      start = end
    }
  }

  private mutating func sort(_ run: ArraySlice<Int>, row: Int, byAbove: Bool, reversesTies: Bool) {
    var moved: [Int] = []
    moved.reserveCapacity(run.count)
    for vertex in run {
      let range = byAbove ? stack.aboveRange(vertex) : stack.belowRange(vertex)
      if range.isEmpty { continue }
      var sum = 0
      for index in range { sum += stack.position[byAbove ? stack.above[index] : stack.below[index]] }
      keys[vertex] = Double(sum) / Double(range.count)
      moved.append(vertex)
    }
    let position = stack.position
    let keys = keys
    moved.sort {
      keys[$0] != keys[$1] ? keys[$0] < keys[$1] : (position[$0] < position[$1]) != reversesTies
    }
    var next = 0
    for index in run.indices {
      let vertex = run[index]
      let range = byAbove ? stack.aboveRange(vertex) : stack.belowRange(vertex)
      if range.isEmpty { continue }
      stack.order[row][index] = moved[next]
      stack.position[moved[next]] = index
      next += 1
    }
  }

  /// Moves each vertex to the best position in its layer, in several rounds.
  private mutating func sift(rounds: Int, from start: Int) -> Int {
    var total = start
    for round in 0..<rounds where total > 0 {
      let before = total
      for step in stack.order.indices {
        if mustStop() { return total }
        let row = round & 1 == 0 ? step : stack.order.count - 1 - step
        for vertex in stack.order[row] { total -= sift(vertex, row: row) }
      }
      if total == before { break }
    }
    return total
  }

  /// Moves a vertex to the position with the fewest crossings.
  ///
  /// - Returns: The number of crossings saved.
  private mutating func sift(_ vertex: Int, row: Int) -> Int {
    let home = stack.position[vertex]
    var (best, bestIndex) = (0, home)
    for direction in [-1, 1] {
      var (sum, index) = (0, home + direction)
      var steps = 0
      while index >= 0, index < stack.order[row].count, steps < 80 {
        let other = stack.order[row][index]
        if stack.group[other] != stack.group[vertex] { break }
        sum += direction < 0 ? gain(other, vertex) : gain(vertex, other)
        if sum > best { (best, bestIndex) = (sum, index) }
        index += direction
        steps += 1
      }
      effort -= steps * 4
    }
    if bestIndex == home { return 0 }
    stack.order[row].remove(at: home)
    stack.order[row].insert(vertex, at: bestIndex)
    for index in min(home, bestIndex)...max(home, bestIndex) { stack.position[stack.order[row][index]] = index }
    return best
  }

  /// Returns the number of crossings saved by swapping a vertex with its right neighbor.
  @inline(__always)
  private func gain(_ left: Int, _ right: Int) -> Int {
    gain(stack.above, stack.aboveRange(left), stack.aboveRange(right))
      + gain(stack.below, stack.belowRange(left), stack.belowRange(right))
  }

  @inline(__always)
  private func gain(_ ends: [Int], _ left: Range<Int>, _ right: Range<Int>) -> Int {
    var sum = 0
    for first in left {
      let position = stack.position[ends[first]]
      for second in right { sum += (position - stack.position[ends[second]]).signum() }
    }
    return sum
  }
}
