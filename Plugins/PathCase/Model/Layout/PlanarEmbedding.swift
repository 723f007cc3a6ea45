/// A planar embedding of a graph: the cyclic order of the edges around each vertex.
///
/// Each edge consists of two darts, 2e and 2e + 1, one from each end. To follow a dart's face, go along the dart, then
/// take the dart after its opposite around the vertex where it ends.
struct PlanarEmbedding: Sendable {
  /// The vertex each dart leaves.
  private(set) var origin: [Int] = []
  /// The next dart around the same vertex.
  private(set) var next: [Int] = []
  private(set) var previous: [Int] = []
  /// The face of each dart.
  private(set) var face: [Int] = []
  /// A dart that leaves each vertex; -1 if there is none.
  private(set) var first: [Int]
  private(set) var faceCount = 0
  private var freeEdges: [Int] = []
  private var freeVertices: [Int] = []
  private(set) var isUsed: [Bool] = []

  init(vertexCount: Int) {
    first = [Int](repeating: -1, count: vertexCount)
  }

  var vertexCount: Int { first.count }
  var dartCount: Int { origin.count }

  private mutating func addVertex() -> Int {
    if let vertex = freeVertices.popLast() { return vertex }
    first.append(-1)
    return first.count - 1
  }

  func target(_ dart: Int) -> Int { origin[dart ^ 1] }

  func faceNext(_ dart: Int) -> Int { next[dart ^ 1] }

  /// Adds an edge; each end is inserted before a dart of its vertex, or is the first one there if that is -1.
  ///
  /// - Returns: The dart from the first vertex.
  mutating func addEdge(_ from: Int, before: Int, _ to: Int, before other: Int) -> Int {
    let dart: Int
    if let edge = freeEdges.popLast() {
      dart = 2 * edge
      isUsed[edge] = true
    } else {
      dart = origin.count
      for _ in 0..<2 {
        origin.append(0)
        next.append(0)
        previous.append(0)
        face.append(-1)
      }
      isUsed.append(true)
    }
    place(dart, at: from, before: before)
    place(dart + 1, at: to, before: other)
    return dart
  }

  private mutating func place(_ dart: Int, at vertex: Int, before other: Int) {
    origin[dart] = vertex
    let follower = other >= 0 ? other : first[vertex]
    if follower < 0 {
      next[dart] = dart
      previous[dart] = dart
      first[vertex] = dart
      return
    }
    let leader = previous[follower]
    next[leader] = dart
    previous[dart] = leader
    next[dart] = follower
    previous[follower] = dart
  }

  mutating func removeEdge(_ edge: Int) {
    for dart in [2 * edge, 2 * edge + 1] { detach(dart) }
    isUsed[edge] = false
    freeEdges.append(edge)
  }

  private mutating func detach(_ dart: Int) {
    let vertex = origin[dart]
    next[previous[dart]] = next[dart]
    previous[next[dart]] = previous[dart]
    if first[vertex] == dart { first[vertex] = next[dart] == dart ? -1 : next[dart] }
  }

  /// Inserts a vertex into an edge whose dart goes from p to q.
  ///
  /// The dart then ends at the new vertex.
  /// - Returns: The vertex and the dart from it to q.
  mutating func split(_ dart: Int) -> (vertex: Int, dart: Int) {
    let vertex = addVertex()
    let (far, follower) = (origin[dart ^ 1], next[dart ^ 1])
    let isAlone = follower == dart ^ 1
    detach(dart ^ 1)
    let tail = addEdge(vertex, before: -1, far, before: isAlone ? -1 : follower)
    place(dart ^ 1, at: vertex, before: tail)
    return (vertex, tail)
  }

  /// Removes a vertex with two edges, merging them into one.
  ///
  /// - Returns: The remaining edge, by its dart that pointed to the vertex, and the removed edge.
  mutating func smooth(_ vertex: Int) -> (kept: Int, gone: Int) {
    let (one, other) = (first[vertex], next[first[vertex]])
    let far = other ^ 1
    let (moved, follower, end) = (one, next[far], origin[far])
    let isAlone = follower == far
    removeEdge(other >> 1)
    detach(moved)
    self.place(moved, at: end, before: isAlone ? -1 : follower)
    freeVertices.append(vertex)
    return (one ^ 1, other >> 1)
  }

  /// Renumbers the faces.
  mutating func findFaces() {
    for dart in face.indices { face[dart] = -1 }
    faceCount = 0
    for dart in face.indices where isUsed[dart >> 1] && face[dart] < 0 {
      label(from: dart, faceCount)
      faceCount += 1
    }
  }

  /// Labels the darts of a face with its number.
  ///
  /// - Returns: The number of darts.
  @discardableResult
  private mutating func label(from start: Int, _ number: Int) -> Int {
    var (dart, count) = (start, 0)
    repeat {
      face[dart] = number
      dart = faceNext(dart)
      count += 1
    } while dart != start
    return count
  }

  /// Gives a face its own number after an edge has cut it off another face.
  ///
  /// - Returns: The number of its darts.
  mutating func separateFace(at dart: Int) -> Int {
    faceCount += 1
    return label(from: dart, faceCount - 1)
  }

  /// Returns the darts around a vertex.
  func darts(around vertex: Int) -> [Int] {
    guard first[vertex] >= 0 else { return [] }
    var (result, dart): ([Int], Int) = ([], first[vertex])
    repeat {
      result.append(dart)
      dart = next[dart]
    } while dart != first[vertex]
    return result
  }
}

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
