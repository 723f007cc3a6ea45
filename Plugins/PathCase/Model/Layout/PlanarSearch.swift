/// Tries several planar drawings and keeps the one with the fewest crossings.
struct PlanarSearch {
  /// The maximum number of crossings; beyond it there would be too many layers to draw in time.
  private static let crossingLimit = 60_000
  private let count: Int
  private let lines: [LayoutNet.Line]
  private let ranks: [Int]
  private let list: AdjacencyList
  private(set) var effort: Int
  private let shouldStop: () -> Bool

  init(count: Int, lines: [LayoutNet.Line], ranks: [Int], effort: Int, shouldStop: @escaping () -> Bool) {
    self.count = count
    self.lines = lines
    self.ranks = ranks
    self.effort = effort
    self.shouldStop = shouldStop
    list = AdjacencyList(count: count, pairs: lines.map { ($0.source, $0.target) })
  }

  /// The layers of a drawing, and whether they are to be flipped upside down.
  struct Found {
    var layers: PlanarLayers
    var isUpsideDown: Bool
  }

  /// - Returns: The layers; nil if the graph is not connected, or time ran out.
  mutating func run() -> Found? {
    let pairs = lines.map { ($0.source, $0.target) }
    var best: Planarization?
    let fixed = bridges()
    let byRank = ranks.indices.sorted { ranks[$0] < ranks[$1] }
    let tries = lines.count > 300 ? 2 : max(4, min(12, 1_200 / max(lines.count, 1)))
    for number in 0..<tries {
      if effort <= 0 || shouldStop() || best?.crossings == 0 { break }
      guard let order = order(from: byRank[number * count / tries], goesDeep: number & 1 == 0) else { return nil }
      var next = Planarization(
        vertexCount: count, lines: pairs, order: order, effort: effort, limit: Self.crossingLimit)
      effort = next.effort
      if next.isGivenUp { break }
      next.improve(rounds: 6, fixed: fixed, shouldStop: shouldStop)
      effort = next.effort
      if next.crossings < best?.crossings ?? Int.max { best = next }
    }
    return best.flatMap(layers)
  }

  /// Returns the best of several ways to turn a planar drawing into layers.
  private func layers(_ planar: Planarization) -> Found? {
    let layers = PlanarLayers(planar, realCount: count)
    var best: (score: Int, layers: PlanarLayers, isUpsideDown: Bool)?
    for ends in layers.ends(ranks: ranks, count: max(3, min(40, 2_400 / max(count, 1)))) {
      var next = layers
      next.place(ends)
      let fall = lines.fall(in: next.layer)
      let score = next.length() * 4 + ((next.layer.max() ?? 0) + 1) * 20 - 2 * abs(fall)
      if best == nil || score < best?.score ?? 0 { best = (score, next, fall < 0) }
    }
    return best.map { Found(layers: $0.layers, isUpsideDown: $0.isUpsideDown) }
  }

  /// Returns all lines, those of a spanning tree first; nil if the tree does not reach all vertices.
  private func order(from root: Int, goesDeep: Bool) -> [Int]? {
    var isReached = [Bool](repeating: false, count: count)
    var isTree = [Bool](repeating: false, count: lines.count)
    var (result, queue, head): ([Int], [(vertex: Int, line: Int)], Int) = ([], [(root, -1)], 0)
    while head < queue.count {
      let (vertex, line) = goesDeep ? queue.removeLast() : queue[head]
      if !goesDeep { head += 1 }
      if isReached[vertex] { continue }
      isReached[vertex] = true
      if line >= 0 {
        result.append(line)
        isTree[line] = true
      }
      for index in list.range(vertex) where !isReached[list.ends[index]] {
        queue.append((list.ends[index], list.lines[index]))
      }
    }
    if result.count < count - 1 { return nil }
    return result + lines.indices.filter { !isTree[$0] }
  }

  /// Returns the bridges: the lines whose removal disconnects the graph.
  private func bridges() -> [Bool] {
    var tree = PlanarEmbedding(vertexCount: count)
    for line in lines { _ = tree.addEdge(line.source, before: -1, line.target, before: -1) }
    let blocks = Blocks(tree)
    var sizes = [Int](repeating: 0, count: blocks.count)
    for block in blocks.ofEdge where block >= 0 { sizes[block] += 1 }
    return blocks.ofEdge.map { $0 < 0 || sizes[$0] == 1 }
  }
}

/// A planarization: lines are inserted one at a time, each with as few crossings as possible.
///
/// A spanning tree is drawn first, which needs no crossings; the other lines follow. Then each line with crossings is
/// removed and rerouted, as long as that helps. Each crossing becomes a vertex.
///
/// - Source: M. Jünger, P. Mutzel (eds.), Graph Drawing Software, Springer 2004, ch. 2; C. Gutwenger, P. Mutzel, Graph
///   Drawing 2003, LNCS 2912, 13, for rerouting lines.
struct Planarization {
  let lines: [(Int, Int)]
  private(set) var embedding: PlanarEmbedding
  /// The darts of each line from its first to its second end.
  private(set) var darts: [[Int]]
  /// The line of each edge.
  private var lineOfEdge: [Int] = []
  private(set) var crossings = 0
  /// A Boolean value indicating whether it was abandoned and lines are missing.
  private(set) var isGivenUp = false
  private(set) var effort: Int
  private var seen: [Int] = []
  private var cameBy: [Int] = []
  /// The darts of the faces at both ends of a path, one each; those at its end are marked.
  private var entry: [Int] = []
  private var goal: [Int] = []
  private var goalMark: [Int] = []
  private var mark = 0

  /// - Parameters:
  ///   - order: The lines, those of a spanning tree first; each connects a vertex to the graph so far.
  ///   - limit: The maximum number of crossings; beyond it the search is abandoned and lines are missing.
  init(vertexCount: Int, lines: [(Int, Int)], order: [Int], effort: Int, limit: Int = Int.max) {
    self.lines = lines
    self.effort = effort
    embedding = PlanarEmbedding(vertexCount: vertexCount)
    darts = [[Int]](repeating: [], count: lines.count)
    for line in order.prefix(vertexCount - 1) {
      let dart = embedding.addEdge(lines[line].0, before: -1, lines[line].1, before: -1)
      darts[line] = [dart]
      own(dart, line)
    }
    embedding.findFaces()
    for line in order.dropFirst(vertexCount - 1) where crossings <= limit && self.effort > 0 { insert(line) }
    isGivenUp = crossings > limit || self.effort <= 0
  }

  private mutating func own(_ dart: Int, _ line: Int) {
    while lineOfEdge.count <= dart >> 1 { lineOfEdge.append(-1) }
    lineOfEdge[dart >> 1] = line
  }

  /// Reroutes lines with crossings until that no longer helps.
  ///
  /// - Parameter fixed: The lines whose removal would disconnect the graph.
  mutating func improve(rounds: Int, fixed: [Bool], shouldStop: () -> Bool) {
    for _ in 0..<rounds {
      let before = crossings
      embedding.findFaces()
      for line in lines.indices where darts[line].count > 1 && !fixed[line] {
        if effort <= 0 || shouldStop() { return }
        remove(line)
        insert(line)
      }
      if crossings >= before { return }
    }
  }

  // MARK: - Removing lines

  private mutating func remove(_ line: Int) {
    let path = darts[line]
    let middles = path.dropFirst().map { embedding.origin[$0] }
    // The crossed lines, on both sides of which faces were merged.
    var beside: [Int] = []
    for dart in path { embedding.removeEdge(dart >> 1) }
    for vertex in middles {
      let (kept, gone) = embedding.smooth(vertex)
      let other = lineOfEdge[gone]
      lineOfEdge[kept >> 1] = other
      darts[other].removeAll { $0 >> 1 == gone }
      beside += [kept, kept ^ 1]
    }
    crossings -= middles.count
    darts[line] = []
    for dart in beside where embedding.isUsed[dart >> 1] { effort -= embedding.separateFace(at: dart) }
  }

  // MARK: - Inserting lines

  /// Adds a line along the path with the fewest crossings.
  private mutating func insert(_ line: Int) {
    let (from, to) = lines[line]
    guard let route = route(from, to) else { return }
    // The crossed darts, from the last back to the first.
    var current = from
    var corner = route.start
    var path: [Int] = []
    for crossed in route.crossed {
      let old = lineOfEdge[crossed >> 1]
      let (vertex, tail) = embedding.split(crossed)
      own(tail, old)
      replace(crossed, tail, in: old)
      // The order around the vertex: backward, the new line's arrival, forward, the new line's departure.
      let dart = embedding.addEdge(current, before: corner, vertex, before: tail)
      own(dart, line)
      path.append(dart)
      current = vertex
      corner = crossed ^ 1
    }
    let last = embedding.addEdge(current, before: corner, to, before: route.end)
    own(last, line)
    path.append(last)
    crossings += route.crossed.count
    darts[line] = path
    for dart in path {
      effort -= embedding.separateFace(at: dart) + embedding.separateFace(at: dart ^ 1)
    }
  }

  /// Inserts the second half of a split edge after the first.
  private mutating func replace(_ dart: Int, _ tail: Int, in line: Int) {
    if let index = darts[line].firstIndex(of: dart) {
      darts[line].insert(tail, at: index + 1)
    } else if let index = darts[line].firstIndex(of: dart ^ 1) {
      darts[line].insert(tail ^ 1, at: index)
    }
  }

  /// Returns the path between two vertices over the faces: its start and end, and the darts that it crosses.
  private mutating func route(_ from: Int, _ to: Int) -> (start: Int, crossed: [Int], end: Int)? {
    let ends = embedding.darts(around: to)
    mark += 1
    while seen.count < embedding.faceCount {
      seen.append(0)
      cameBy.append(0)
      entry.append(-1)
      goal.append(-1)
      goalMark.append(0)
    }
    var queue: [Int] = []
    for dart in embedding.darts(around: from) where seen[embedding.face[dart]] != mark {
      seen[embedding.face[dart]] = mark
      entry[embedding.face[dart]] = dart
      cameBy[embedding.face[dart]] = -1
      queue.append(dart)
    }
    for dart in ends where goalMark[embedding.face[dart]] != mark {
      goalMark[embedding.face[dart]] = mark
      goal[embedding.face[dart]] = dart
    }
    var head = 0
    while head < queue.count {
      let start = queue[head]
      head += 1
      let face = embedding.face[start]
      if goalMark[face] == mark { return trace(face, goal[face]) }
      var dart = start
      repeat {
        effort -= 1
        let beyond = embedding.face[dart ^ 1]
        if seen[beyond] != mark {
          seen[beyond] = mark
          cameBy[beyond] = dart
          queue.append(dart ^ 1)
        }
        dart = embedding.faceNext(dart)
      } while dart != start
    }
    return nil
  }

  private func trace(_ last: Int, _ end: Int) -> (start: Int, crossed: [Int], end: Int) {
    var (crossed, face): ([Int], Int) = ([], last)
    while cameBy[face] >= 0 {
      crossed.append(cameBy[face])
      face = embedding.face[cameBy[face]]
    }
    return (entry[face], Array(crossed.reversed()), end)
  }
}
