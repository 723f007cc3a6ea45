/// Layers for a planar drawing that add no crossings.
///
/// The planar drawing is made biconnected. Its vertices are numbered from one vertex to another such that each has
/// lower and higher neighbors, and laid out with upward lines.
///
/// - Source: R. Tarjan, Fund. Inform. 9, 85 (1986), for the numbers; R. Tamassia, I. Tollis, Discrete Comput. Geom. 1,
///   321 (1986), for the places.
struct PlanarLayers {
  let planar: Planarization
  private var embedding: PlanarEmbedding
  private let realCount: Int
  /// True for each edge that belongs to a line, false for edges that were added.
  private let isOwn: [Bool]
  private(set) var layer: [Int] = []
  /// The horizontal position of each edge.
  private(set) var across: [Int] = []

  init(_ planar: Planarization, realCount: Int) {
    self.planar = planar
    self.realCount = realCount
    embedding = planar.embedding
    Self.joinBlocks(&embedding)
    embedding.findFaces()
    var own = [Bool](repeating: false, count: embedding.dartCount / 2)
    for dart in planar.darts.joined() { own[dart >> 1] = true }
    isOwn = own
  }

  /// Two darts of a face whose vertices may be at the top and at the bottom.
  struct Ends {
    var top: Int
    var bottom: Int
  }

  /// Returns the first and last real vertex of each of the longest faces.
  ///
  /// - Parameter ranks: The order of the real vertices along the flow.
  func ends(ranks: [Int], count: Int) -> [Ends] {
    var best = [(size: Int, top: Int, bottom: Int)](repeating: (0, -1, -1), count: embedding.faceCount)
    for dart in 0..<embedding.dartCount where embedding.isUsed[dart >> 1] && embedding.origin[dart] < realCount {
      let (face, rank) = (embedding.face[dart], ranks[embedding.origin[dart]])
      best[face].size += 1
      if best[face].top < 0 || rank < ranks[embedding.origin[best[face].top]] { best[face].top = dart }
      if best[face].bottom < 0 || rank > ranks[embedding.origin[best[face].bottom]] { best[face].bottom = dart }
    }
    let order = best.indices.sorted { (-best[$0].size, $0) < (-best[$1].size, $1) }
    return order.prefix(count).compactMap { face in
      let (top, bottom) = (best[face].top, best[face].bottom)
      if top < 0 || embedding.origin[top] == embedding.origin[bottom] { return nil }
      return Ends(top: top, bottom: bottom)
    }
  }

  /// Adds edges around the cut vertices of the graph.
  private static func joinBlocks(_ embedding: inout PlanarEmbedding) {
    let blocks = Blocks(embedding)
    var joined = DisjointSets(count: blocks.count)
    var ofEdge = blocks.ofEdge
    for vertex in 0..<embedding.vertexCount {
      for dart in embedding.darts(around: vertex) {
        let other = embedding.next[dart]
        let (first, second) = (joined.find(ofEdge[dart >> 1]), joined.find(ofEdge[other >> 1]))
        if first == second { continue }
        let (one, two) = (embedding.target(dart), embedding.target(other))
        let new = embedding.addEdge(one, before: dart ^ 1, two, before: embedding.next[other ^ 1])
        while ofEdge.count <= new >> 1 { ofEdge.append(first) }
        ofEdge[new >> 1] = first
        joined.join(second, to: first)
      }
    }
  }

  // MARK: - Numbers

  /// Returns numbers for the vertices from the start of a dart to its end; all between have neighbors on both sides.
  private func numbers(from start: Int) -> [Int] {
    let count = embedding.vertexCount
    let (source, sink) = (embedding.origin[start], embedding.target(start))
    var (preorder, order, low) = ([Int](repeating: -1, count: count), [Int](), [Int](repeating: 0, count: count))
    var (parent, next) = ([Int](repeating: -1, count: count), embedding.first)
    var stack = [source]
    next[source] = start
    var begins = embedding.first
    begins[source] = start
    preorder[source] = 0
    order.append(source)
    while let vertex = stack.last {
      let dart = next[vertex]
      if dart < 0 {
        stack.removeLast()
        if let above = stack.last, preorder[low[vertex]] < preorder[low[above]] { low[above] = low[vertex] }
        continue
      }
      let follower = embedding.next[dart]
      next[vertex] = follower == begins[vertex] ? -1 : follower
      let other = embedding.target(dart)
      if preorder[other] < 0 {
        preorder[other] = order.count
        order.append(other)
        parent[other] = vertex
        low[other] = vertex
        stack.append(other)
      } else if preorder[other] < preorder[low[vertex]] {
        low[vertex] = other
      }
    }
    return listed(order, source, sink, parent, low)
  }

  /// Returns a list in whose order each vertex is inserted beside its parent.
  private func listed(_ order: [Int], _ source: Int, _ sink: Int, _ parent: [Int], _ low: [Int]) -> [Int] {
    let count = embedding.vertexCount
    var (after, before) = ([Int](repeating: -1, count: count), [Int](repeating: -1, count: count))
    var isPlus = [Bool](repeating: false, count: count)
    after[source] = sink
    before[sink] = source
    for vertex in order where vertex != source && vertex != sink {
      let above = parent[vertex]
      let isBefore = !isPlus[low[vertex]]
      isPlus[above] = isBefore
      let left = isBefore ? before[above] : above
      let right = isBefore ? above : after[above]
      before[vertex] = left
      after[vertex] = right
      if left >= 0 { after[left] = vertex }
      if right >= 0 { before[right] = vertex }
    }
    var numbers = [Int](repeating: -1, count: count)
    var (next, number) = (source, 0)
    while next >= 0, number < count {
      numbers[next] = number
      number += 1
      next = after[next]
    }
    return numbers
  }

  // MARK: - Places

  /// Computes the layers and positions with one vertex at the top and another at the bottom.
  mutating func place(_ ends: Ends) {
    let start = embedding.addEdge(
      embedding.origin[ends.top], before: ends.top, embedding.origin[ends.bottom], before: ends.bottom)
    embedding.findFaces()
    place(from: start)
  }

  private mutating func place(from start: Int) {
    let numbers = numbers(from: start)
    let order = numbers.indices.filter { numbers[$0] >= 0 }.sorted { numbers[$0] < numbers[$1] }
    let edges = (0..<embedding.dartCount / 2).filter { embedding.isUsed[$0] && $0 != start >> 1 }
    let list = AdjacencyList(
      count: numbers.count, pairs: edges.map { (embedding.origin[2 * $0], embedding.origin[2 * $0 + 1]) })
    layer = LayerAssignment.layers(
      order: order, ranks: numbers, weights: edges.map { $0 < isOwn.count && isOwn[$0] ? 1 : 0 }, list: list, rounds: 6)
    let least = order.map { layer[$0] }.min() ?? 0
    for vertex in order { layer[vertex] -= least }
    placeAcross(numbers, start)
  }

  /// Places each edge by the longest path from the left over the faces.
  private mutating func placeAcross(_ numbers: [Int], _ start: Int) {
    let outside = embedding.face[start]
    let sink = embedding.faceCount
    var arcs = [[Int]](repeating: [], count: sink + 1)
    var waits = [Int](repeating: 0, count: sink + 1)
    across = [Int](repeating: 0, count: embedding.dartCount / 2)
    for edge in across.indices where embedding.isUsed[edge] {
      let dart = numbers[embedding.origin[2 * edge]] < numbers[embedding.origin[2 * edge + 1]] ? 2 * edge : 2 * edge + 1
      let right = embedding.face[dart ^ 1]
      arcs[embedding.face[dart]].append(edge)
      waits[right == outside ? sink : right] += 1
    }
    var distance = [Int](repeating: 0, count: sink + 1)
    var queue = [outside]
    var head = 0
    while head < queue.count {
      let face = queue[head]
      head += 1
      for edge in arcs[face] {
        across[edge] = distance[face]
        let one = embedding.face[2 * edge]
        let right = one == face && embedding.face[2 * edge + 1] != face ? embedding.face[2 * edge + 1] : one
        let next = right == outside ? sink : right
        distance[next] = max(distance[next], distance[face] + 1)
        waits[next] -= 1
        if waits[next] == 0, next != sink { queue.append(next) }
      }
    }
  }

  /// Returns the total vertical length of the lines.
  func length() -> Int {
    planar.darts.joined().reduce(0) {
      $0 + abs(layer[embedding.origin[$1]] - layer[embedding.target($1)])
    }
  }

  // MARK: - The stack

  /// Returns the layers with all vertices and the bends of lines in order.
  func stack(isUpsideDown: Bool) -> LayerStack {
    let last = layer.max() ?? 0
    var layers = (0..<realCount).map { isUpsideDown ? last - layer[$0] : layer[$0] }
    var keys = (0..<realCount).map { embedding.first[$0] >= 0 ? across[embedding.first[$0] >> 1] : 0 }
    var pieces: [(Int, Int)] = []
    var lineOfPiece: [Int] = []
    var dummies: [Range<Int>] = []
    for (line, darts) in planar.darts.enumerated() {
      let first = layers.count
      var item = planar.lines[line].0
      for (number, dart) in darts.enumerated() {
        let (from, to) = (layer[embedding.origin[dart]], layer[embedding.target(dart)])
        let step = from < to ? 1 : -1
        let isEnd = number == darts.count - 1
        for row in stride(from: from + step, through: to, by: step) {
          let isTarget = row == to && isEnd
          let next = isTarget ? planar.lines[line].1 : layers.count
          if !isTarget {
            layers.append(isUpsideDown ? last - row : row)
            keys.append(across[dart >> 1])
          }
          pieces.append((step > 0) != isUpsideDown ? (item, next) : (next, item))
          lineOfPiece.append(line)
          item = next
        }
      }
      dummies.append(first..<layers.count)
    }
    var order = [[Int]](repeating: [], count: last + 1)
    for item in layers.indices { order[layers[item]].append(item) }
    for row in order.indices { order[row].sort { (keys[$0], $0) < (keys[$1], $1) } }
    return LayerStack(
      layer: layers, realCount: realCount, pieces: pieces, lineOfPiece: lineOfPiece,
      group: [Int](repeating: 0, count: layers.count), order: order, dummies: dummies)
  }
}
