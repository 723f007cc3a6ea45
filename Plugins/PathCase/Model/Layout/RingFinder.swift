/// Finds cycles of the main flow and selects the lines that go up when the cycles are drawn as rings.
///
/// - Source: R. Tarjan, SIAM J. Comput. 1, 146 (1972), for strongly connected components.
struct RingFinder {
  /// The minimum number of vertices in a ring: three pools and three processes.
  private static let least = 6
  /// The largest component that is searched.
  private static let limit = 600

  private let count: Int
  private var lines: [LayoutNet.Line]
  private var out: [[(vertex: Int, line: Int)]] = []
  private var into: [[(vertex: Int, line: Int)]] = []
  /// True for each line that goes up.
  private(set) var isTurned: [Bool]
  /// True for each vertex on a ring.
  private(set) var isOnRing: [Bool]

  /// The criterion that selects the top of a ring.
  enum Top: Sendable {
    /// The vertex with much inflow and few irreversible lines that go up; the lowest number among equals.
    case oneWay
    /// The vertex with the most inflow; the first one found among equals.
    case inflow
    /// No rings: cycles are cut where that reverses the least flow.
    case none
  }

  private let top: Top

  /// - Parameter lines: The lines; only those of the main flow count.
  init(count: Int, lines: [LayoutNet.Line], top: Top = .oneWay) {
    self.count = count
    self.lines = lines
    self.top = top
    isTurned = [Bool](repeating: false, count: lines.count)
    isOnRing = [Bool](repeating: false, count: count)
    if count > Self.limit || top == .none { return }
    for _ in 0..<8 {
      index()
      guard let ring = longestRing() else { return }
      turn(ring)
    }
  }

  private mutating func index() {
    out = [[(vertex: Int, line: Int)]](repeating: [], count: count)
    into = out
    for (number, line) in lines.enumerated() where line.isMain {
      let (from, to) = isTurned[number] ? (line.target, line.source) : (line.source, line.target)
      out[from].append((to, number))
      into[to].append((from, number))
    }
  }

  /// Returns the longest of the shortest cycles through each vertex: its vertices and the lines from each to the next.
  private func longestRing() -> [(vertex: Int, line: Int)]? {
    var best: [(vertex: Int, line: Int)] = []
    let part = strongParts()
    var sizes: [Int: Int] = [:]
    for number in part { sizes[number, default: 0] += 1 }
    for start in 0..<count where !isOnRing[start] && sizes[part[start], default: 0] >= max(Self.least, best.count) {
      let ring = shortestRing(through: start, part)
      if ring.count > best.count, ring.count >= Self.least { best = ring }
    }
    return best.isEmpty ? nil : best
  }

  private func shortestRing(through start: Int, _ part: [Int]) -> [(vertex: Int, line: Int)] {
    var cameBy = [(vertex: Int, line: Int)](repeating: (-1, -1), count: count)
    var (queue, head) = ([start], 0)
    while head < queue.count {
      let vertex = queue[head]
      head += 1
      for step in out[vertex] where part[step.vertex] == part[start] {
        if step.vertex == start {
          var ring = [(vertex: vertex, line: step.line)]
          while let last = ring.last, last.vertex != start {
            ring.append((cameBy[last.vertex].vertex, cameBy[last.vertex].line))
          }
          return ring.reversed()
        }
        if cameBy[step.vertex].vertex < 0 {
          cameBy[step.vertex] = (vertex, step.line)
          queue.append(step.vertex)
        }
      }
    }
    return []
  }

  /// Reverses the lines of the rising half of a ring.
  ///
  private mutating func turn(_ ring: [(vertex: Int, line: Int)]) {
    let members = Set(ring.map(\.vertex))
    let half = (ring.count + 1) / 2
    let scores = ring.indices.map { place in
      let vertex = ring[place].vertex
      let inflow =
        into[vertex].count { !members.contains($0.vertex) } * 2 - out[vertex].count { !members.contains($0.vertex) }
      let rising = (half..<ring.count).count { !lines[ring[(place + $0) % ring.count].line].isReversible }
      return top == .oneWay ? inflow - 2 * rising : inflow
    }
    var first = 0
    for place in ring.indices where scores[place] >= scores[first] {
      let isLower = top == .oneWay && ring[place].vertex < ring[first].vertex
      if scores[place] > scores[first] || isLower { first = place }
    }
    for step in half..<ring.count { isTurned[ring[(first + step) % ring.count].line].toggle() }
    for step in ring { isOnRing[step.vertex] = true }
    turnBesides((half...ring.count).map { ring[(first + $0) % ring.count].vertex }, members)
  }

  /// Reverses lines beside the rising half of a ring that lead from one of its vertices to a later one through a single
  /// other vertex.
  ///
  /// - Parameter rising: The vertices of that half in the order of the flow, its upper end last.
  private mutating func turnBesides(_ rising: [Int], _ members: Set<Int>) {
    var place: [Int: Int] = [:]
    for (number, vertex) in rising.enumerated() { place[vertex] = number }
    for vertex in 0..<count where !members.contains(vertex) && !isOnRing[vertex] {
      let ends = into[vertex].map(\.vertex) + out[vertex].map(\.vertex)
      guard let first = into[vertex].compactMap({ place[$0.vertex] }).max(),
        let last = out[vertex].compactMap({ place[$0.vertex] }).min(), first < last,
        ends.allSatisfy({ place[$0] != nil })
      else { continue }
      for (_, line) in into[vertex] + out[vertex] { isTurned[line].toggle() }
    }
  }

  /// Returns the strongly connected component of each vertex.
  private func strongParts() -> [Int] {
    var (number, low, part) = (
      [Int](repeating: -1, count: count), [Int](repeating: 0, count: count), [Int](repeating: -1, count: count)
    )
    var (next, stack, open, parts): ([Int], [Int], [Int], Int) = ([Int](repeating: 0, count: count), [], [], 0)
    var visited = 0
    for start in 0..<count where number[start] < 0 {
      stack.append(start)
      while let vertex = stack.last {
        if number[vertex] < 0 {
          number[vertex] = visited
          low[vertex] = visited
          visited += 1
          open.append(vertex)
        }
        if next[vertex] < out[vertex].count {
          let other = out[vertex][next[vertex]].vertex
          next[vertex] += 1
          if number[other] < 0 {
            stack.append(other)
          } else if part[other] < 0 {
            low[vertex] = min(low[vertex], number[other])
          }
          continue
        }
        stack.removeLast()
        if let above = stack.last { low[above] = min(low[above], low[vertex]) }
        if low[vertex] < number[vertex] { continue }
        while let member = open.popLast() {
          part[member] = parts
          if member == vertex { break }
        }
        parts += 1
      }
    }
    return part
  }
}
