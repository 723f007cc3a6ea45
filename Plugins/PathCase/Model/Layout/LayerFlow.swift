/// The directions of a component's lines down the page, and an order of its vertices along them.
struct LayerFlow {
  /// The lines in their downward direction: those on the rising halves of rings are reversed.
  let lines: [LayoutNet.Line]
  /// The rank of each vertex in the order along the flow.
  let ranks: [Int]
  /// The lines that determine the layers, with their ends.
  private let binding: [LayoutNet.Line]
  private let bindingList: AdjacencyList

  /// - Parameter top: The criterion for the tops of rings.
  init(count: Int, lines: [LayoutNet.Line], top: RingFinder.Top = .oneWay) {
    let driven = Self.turned(lines, FlowPotential(count: count, lines: lines).isTurned)
    let flow = Self.turned(driven, RingFinder(count: count, lines: driven, top: top).isTurned)
    self.lines = flow
    binding = Self.binding(count: count, lines: flow).map { flow[$0] }
    bindingList = AdjacencyList(count: count, pairs: binding.map { ($0.source, $0.target) })
    ranks = FlowOrder.ranks(lines: binding, list: bindingList)
  }

  private static func turned(_ lines: [LayoutNet.Line], _ isTurned: [Bool]) -> [LayoutNet.Line] {
    zip(lines, isTurned).map { line, isTurned in
      var line = line
      if isTurned { swap(&line.source, &line.target) }
      return line
    }
  }

  /// Returns the lines that determine layers: all flows, and others where nothing else connects parts.
  private static func binding(count: Int, lines: [LayoutNet.Line]) -> [Int] {
    let flows = lines.indices.filter { !lines[$0].isLoose }
    if flows.count == lines.count { return flows }
    var parts = DisjointSets(count: count)
    var kept = flows
    for line in flows { parts.join(lines[line].source, to: lines[line].target) }
    for line in lines.indices where lines[line].isLoose {
      if parts.find(lines[line].source) == parts.find(lines[line].target) { continue }
      parts.join(lines[line].source, to: lines[line].target)
      kept.append(line)
    }
    return kept
  }

  /// Returns layers along the flow.
  ///
  /// - Parameter areShortest: True to minimize the total length of the lines.
  func layers(areShortest: Bool) -> [Int] {
    let order = ranks.indices.sorted { ranks[$0] < ranks[$1] }
    let layer = LayerAssignment.normalized(
      LayerAssignment.layers(
        order: order, ranks: ranks, weights: binding.map(\.weight), list: bindingList, rounds: 24))
    if !areShortest { return layer }
    var simplex = LayerSimplex(
      layer: layer,
      lines: binding.map { line in
        let isDown = ranks[line.source] < ranks[line.target]
        return .init(
          upper: isDown ? line.source : line.target, lower: isDown ? line.target : line.source, weight: line.weight)
      })
    simplex.run(exchanges: 4 * ranks.count)
    return LayerAssignment.normalized(simplex.layer)
  }
}

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

  /// - Parameter lines: The lines, of which only those of the main flow are used.
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
          return Array(ring.reversed())
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
  private mutating func turn(_ ring: [(vertex: Int, line: Int)]) {
    let members = Set(ring.map(\.vertex))
    let half = (ring.count + 1) / 2
    let scores = ring.indices.map { index in
      let vertex = ring[index].vertex
      let inflow =
        into[vertex].count { !members.contains($0.vertex) } * 2 - out[vertex].count { !members.contains($0.vertex) }
      let rising = (half..<ring.count).count { !lines[ring[(index + $0) % ring.count].line].isReversible }
      return top == .oneWay ? inflow - 2 * rising : inflow
    }
    var first = 0
    for index in ring.indices where scores[index] >= scores[first] {
      let isLower = top == .oneWay && ring[index].vertex < ring[first].vertex
      if scores[index] > scores[first] || isLower { first = index }
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
    var rank: [Int: Int] = [:]
    for (number, vertex) in rising.enumerated() { rank[vertex] = number }
    for vertex in 0..<count where !members.contains(vertex) && !isOnRing[vertex] {
      let ends = into[vertex].map(\.vertex) + out[vertex].map(\.vertex)
      guard let first = into[vertex].compactMap({ rank[$0.vertex] }).max(),
        let last = out[vertex].compactMap({ rank[$0.vertex] }).min(), first < last,
        ends.allSatisfy({ rank[$0] != nil })
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

/// The directions of reversible steps, derived from a potential: from where irreversible steps supply matter to where
/// they consume it.
///
/// The reversible lines of the main flow form a network of equal resistors. Each irreversible line that ends in it
/// feeds a current, and each that starts in it draws one. Lines run from the higher potential to the lower.
struct FlowPotential {
  /// The smallest significant drop; below it lines keep their given direction.
  private static let least = 1e-3
  /// The largest component that is computed; larger ones keep their given directions.
  private static let limit = 600
  private static let sweeps = 400

  /// True for each line that runs from its target to its source.
  private(set) var isTurned: [Bool]

  init(count: Int, lines: [LayoutNet.Line]) {
    isTurned = [Bool](repeating: false, count: lines.count)
    let both = lines.indices.filter { lines[$0].isMain && lines[$0].isReversible }
    if both.isEmpty || count > Self.limit { return }
    let list = AdjacencyList(count: count, pairs: both.map { (lines[$0].source, lines[$0].target) })
    var current = [Double](repeating: 0, count: count)
    for line in lines where line.isMain && !line.isReversible {
      current[line.target] += 1
      current[line.source] -= 1
    }
    Self.balance(&current, list)
    var potential = [Double](repeating: 0, count: count)
    for _ in 0..<Self.sweeps {
      for vertex in 0..<count where list.degree(vertex) > 0 {
        let sum = list.range(vertex).reduce(current[vertex]) { $0 + potential[list.ends[$1]] }
        potential[vertex] = sum / Double(list.degree(vertex))
      }
    }
    for line in both {
      isTurned[line] = potential[lines[line].target] - potential[lines[line].source] > Self.least
    }
  }

  /// Subtracts the mean current of each component, so that inflow equals outflow.
  private static func balance(_ current: inout [Double], _ list: AdjacencyList) {
    let (part, parts) = list.components()
    var sums = [(sum: Double, count: Double)](repeating: (0, 0), count: parts)
    for vertex in current.indices {
      sums[part[vertex]].sum += current[vertex]
      sums[part[vertex]].count += 1
    }
    for vertex in current.indices { current[vertex] -= sums[part[vertex]].sum / max(1, sums[part[vertex]].count) }
  }
}

/// An order of vertices along which most of the flow goes, found greedily.
///
/// Lines without a fixed direction have a small weight, those of the main chain a large one.
///
/// - Source: P. Eades, X. Lin, W. F. Smyth, Inform. Process. Lett. 47, 319 (1993).
private struct FlowOrder {
  private let lines: [LayoutNet.Line]
  private let list: AdjacencyList
  /// The weight of outgoing lines minus that of incoming lines, counting only vertices that remain.
  private var surplus: [Int]
  private var leaving: [Int]
  private var arriving: [Int]
  private var isTaken: [Bool]
  private var starts: [Int] = []
  private var ends: [Int] = []

  /// Returns the rank of each vertex, from 0.
  ///
  /// - Complexity: Linear, except for the logarithmic cost of a queue.
  static func ranks(lines: [LayoutNet.Line], list: AdjacencyList) -> [Int] {
    var order = FlowOrder(lines: lines, list: list)
    return order.run()
  }

  private init(lines: [LayoutNet.Line], list: AdjacencyList) {
    self.lines = lines
    self.list = list
    let count = list.starts.count - 1
    surplus = [Int](repeating: 0, count: count)
    leaving = surplus
    arriving = surplus
    isTaken = [Bool](repeating: false, count: count)
    for line in lines {
      let weight = Self.weight(line)
      leaving[line.source] += weight
      arriving[line.target] += weight
    }
    for vertex in 0..<count { surplus[vertex] = leaving[vertex] - arriving[vertex] }
  }

  private static func weight(_ line: LayoutNet.Line) -> Int { line.isReversible ? line.weight : 8 * line.weight }

  private mutating func run() -> [Int] {
    var queue = BestFirstQueue()
    for vertex in surplus.indices { queue.add(vertex, score: score(vertex)) }
    while let (vertex, score) = queue.next() {
      if isTaken[vertex] || score != self.score(vertex) { continue }
      take(vertex, &queue)
    }
    var ranks = surplus
    for (rank, vertex) in (starts + ends.reversed()).enumerated() { ranks[vertex] = rank }
    return ranks
  }

  /// Returns a score that ranks sinks first, then sources, then the largest surplus.
  private func score(_ vertex: Int) -> Int {
    if leaving[vertex] == 0 { return Int.max }
    return arriving[vertex] == 0 ? Int.max - 1 : surplus[vertex]
  }

  private mutating func take(_ vertex: Int, _ queue: inout BestFirstQueue) {
    isTaken[vertex] = true
    if leaving[vertex] == 0 { ends.append(vertex) } else { starts.append(vertex) }
    for index in list.range(vertex) where !isTaken[list.ends[index]] {
      let (other, line) = (list.ends[index], lines[list.lines[index]])
      let weight = Self.weight(line)
      if line.source == vertex {
        arriving[other] -= weight
        surplus[other] += weight
      } else {
        leaving[other] -= weight
        surplus[other] -= weight
      }
      queue.add(other, score: score(other))
    }
  }
}
