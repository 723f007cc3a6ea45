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
      let fall = lines.reduce(0) { sum, line in
        sum + (next.layer[line.target] - next.layer[line.source]).signum() * (line.isReversible ? 1 : 4) * line.weight
      }
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
