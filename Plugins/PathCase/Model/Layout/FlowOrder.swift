/// An order of vertices along which most of the flow goes, found greedily.
///
/// Lines without a fixed direction count little, those of the main chain much.
///
/// - Source: P. Eades, X. Lin, W. F. Smyth, Inform. Process. Lett. 47, 319 (1993).
struct FlowOrder {
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

/// A queue that returns the item with the highest score first, and the lowest number among equals.
struct BestFirstQueue {
  private var heap: [(score: Int, item: Int)] = []

  private static func precedes(_ left: (score: Int, item: Int), _ right: (score: Int, item: Int)) -> Bool {
    left.score != right.score ? left.score > right.score : left.item < right.item
  }

  mutating func add(_ item: Int, score: Int) {
    heap.append((score, item))
    var child = heap.count - 1
    while child > 0, Self.precedes(heap[child], heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func next() -> (item: Int, score: Int)? {
    guard let top = heap.first, let last = heap.popLast() else { return nil }
    if heap.isEmpty { return (top.item, top.score) }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      if child >= heap.count { break }
      if child + 1 < heap.count, Self.precedes(heap[child + 1], heap[child]) { child += 1 }
      if !Self.precedes(heap[child], heap[parent]) { break }
      heap.swapAt(parent, child)
      parent = child
    }
    return (top.item, top.score)
  }
}
