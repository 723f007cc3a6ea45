/// The biconnected components of a graph, which stay connected whichever vertex is removed.
///
/// - Source: J. Hopcroft, R. Tarjan, Commun. ACM 16, 372 (1973).
struct Blocks {
  /// The block of each edge; -1 for unused edges.
  private(set) var ofEdge: [Int]
  private(set) var count = 0
  private var number: [Int]
  private var low: [Int]
  private var parent: [Int]
  private var next: [Int]
  private var waiting: [Int] = []

  /// - Parameter embedding: A connected embedding.
  init(_ embedding: PlanarEmbedding) {
    ofEdge = [Int](repeating: -1, count: embedding.dartCount / 2)
    number = [Int](repeating: 0, count: embedding.vertexCount)
    low = number
    parent = [Int](repeating: -1, count: embedding.vertexCount)
    next = embedding.first
    guard let root = next.firstIndex(where: { $0 >= 0 }) else { return }
    var (stack, visited) = ([root], 1)
    number[root] = 1
    low[root] = 1
    while let vertex = stack.last {
      let dart = next[vertex]
      if dart < 0 {
        stack.removeLast()
        if let above = stack.last { close(vertex, above) }
        continue
      }
      let follower = embedding.next[dart]
      next[vertex] = follower == embedding.first[vertex] ? -1 : follower
      let other = embedding.target(dart)
      if number[other] == 0 {
        visited += 1
        number[other] = visited
        low[other] = visited
        parent[other] = dart >> 1
        waiting.append(dart >> 1)
        stack.append(other)
      } else if dart >> 1 != parent[vertex], number[other] < number[vertex] {
        waiting.append(dart >> 1)
        low[vertex] = min(low[vertex], number[other])
      }
    }
  }

  /// Returns from a vertex to its parent, and closes a block if no path leads around the parent.
  private mutating func close(_ vertex: Int, _ above: Int) {
    low[above] = min(low[above], low[vertex])
    if low[vertex] < number[above] { return }
    while let edge = waiting.popLast() {
      ofEdge[edge] = count
      if edge == parent[vertex] { break }
    }
    count += 1
  }
}
