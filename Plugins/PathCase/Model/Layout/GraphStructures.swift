/// The neighbors of each vertex in one list: those of vertex v are `starts[v]..<starts[v + 1]`.
struct AdjacencyList: Sendable {
  var starts: [Int] = [0]
  /// The vertices at the other ends.
  var ends: [Int] = []
  /// The edges, by index.
  var lines: [Int] = []

  /// Creates the list of both directions of all pairs; each vertex keeps the order of the pairs.
  init(count: Int, pairs: [(Int, Int)]) {
    starts = [Int](repeating: 0, count: count + 1)
    for (first, second) in pairs {
      starts[first + 1] += 1
      starts[second + 1] += 1
    }
    for index in 0..<count { starts[index + 1] += starts[index] }
    var next = starts
    ends = [Int](repeating: 0, count: 2 * pairs.count)
    lines = ends
    for (line, (first, second)) in pairs.enumerated() {
      for (vertex, other) in [(first, second), (second, first)] {
        ends[next[vertex]] = other
        lines[next[vertex]] = line
        next[vertex] += 1
      }
    }
  }

  /// Returns the indices in the lists that belong to a vertex.
  func range(_ vertex: Int) -> Range<Int> { starts[vertex]..<starts[vertex + 1] }

  func degree(_ vertex: Int) -> Int { starts[vertex + 1] - starts[vertex] }

  /// Returns the connected component of each vertex, counted from 0 in the order of their first vertices.
  func components() -> (ofVertex: [Int], count: Int) {
    var component = [Int](repeating: -1, count: starts.count - 1)
    var (count, stack): (Int, [Int]) = (0, [])
    for start in component.indices where component[start] < 0 {
      component[start] = count
      stack.append(start)
      while let vertex = stack.popLast() {
        for index in range(vertex) where component[ends[index]] < 0 {
          component[ends[index]] = count
          stack.append(ends[index])
        }
      }
      count += 1
    }
    return (component, count)
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

/// Disjoint sets of numbers from 0, each represented by one of its members.
struct DisjointSets {
  private var leader: [Int]

  /// Creates a set for each number.
  init(count: Int) { leader = Array(0..<count) }

  /// Returns the number that represents the set of another.
  mutating func find(_ member: Int) -> Int {
    var member = member
    while leader[member] != member {
      leader[member] = leader[leader[member]]
      member = leader[member]
    }
    return member
  }

  /// Joins two sets, given by any of their members; the second one's representative stays.
  mutating func join(_ member: Int, to other: Int) { leader[find(member)] = find(other) }
}
