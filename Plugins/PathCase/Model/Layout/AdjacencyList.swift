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
