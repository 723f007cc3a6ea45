/// Finds cycles of the main flow and says which of their lines go up when they are drawn as rings.
///
/// - Source: R. Tarjan, SIAM J. Comput. 1, 146 (1972), for what is strongly connected.
struct RingFinder {
  /// The fewest vertices of a ring: three pools and three processes.
  private static let least = 6
  /// Larger parts are not searched.
  private static let limit = 600

  private let count: Int
  private var lines: [LayoutNet.Line]
  private var out: [[(vertex: Int, line: Int)]] = []
  private var into: [[(vertex: Int, line: Int)]] = []
  /// The lines that are to go up.
  private(set) var isTurned: [Bool]
  /// The vertices that are on a ring.
  private(set) var isOnRing: [Bool]

  /// - Parameter lines: Those of the main flow count alone.
  init(count: Int, lines: [LayoutNet.Line]) {
    self.count = count
    self.lines = lines
    isTurned = [Bool](repeating: false, count: lines.count)
    isOnRing = [Bool](repeating: false, count: count)
    if count > Self.limit { return }
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

  /// Of the shortest cycles through each vertex the longest one: its vertices and the lines from each to the next.
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

  /// Turns the lines of the half of a ring that goes up; at its top most of the flow comes in.
  private mutating func turn(_ ring: [(vertex: Int, line: Int)]) {
    let members = Set(ring.map(\.vertex))
    let inflow = ring.map { step in
      into[step.vertex].count { !members.contains($0.vertex) } * 2
        - out[step.vertex].count { !members.contains($0.vertex) }
    }
    var top = 0
    for place in ring.indices where inflow[place] > inflow[top] { top = place }
    for step in (ring.count + 1) / 2..<ring.count { isTurned[ring[(top + step) % ring.count].line].toggle() }
    for step in ring { isOnRing[step.vertex] = true }
  }

  /// Which strongly connected part each vertex is in.
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
