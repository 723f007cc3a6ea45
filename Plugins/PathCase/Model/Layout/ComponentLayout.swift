/// Lays out what hangs together: layers, order, places and lines.
struct ComponentLayout {
  let sizes: [LayoutOptions.Size]
  let lines: [LayoutNet.Line]
  let groups: [Int]
  let options: LayoutOptions
  let shouldStop: () -> Bool
  /// Places from before, from which the order starts; nil for new vertices.
  let earlier: [FrozenPath.Point?]
  private let list: AdjacencyList
  private let ranks: [Int]
  private(set) var effort: Int
  private(set) var isCoarse = false

  /// The centres of the vertices and the lines, seen from the upper left corner.
  struct Result {
    var centres: [FrozenPath.Point] = []
    var lines: [[FrozenPath.Point]] = []
    var width = 0.0
    var height = 0.0
  }

  /// - Parameters:
  ///   - lines: Their ends count the vertices of this part alone.
  ///   - groups: Vertices of a lower group come to lie left of those of a higher one.
  init(
    sizes: [LayoutOptions.Size], lines: [LayoutNet.Line], groups: [Int], earlier: [FrozenPath.Point?],
    options: LayoutOptions, effort: Int, shouldStop: @escaping () -> Bool
  ) {
    self.sizes = sizes
    self.lines = lines
    self.groups = groups
    self.earlier = earlier
    self.options = options
    self.effort = effort
    self.shouldStop = shouldStop
    list = AdjacencyList(count: sizes.count, pairs: lines.map { ($0.source, $0.target) })
    ranks = FlowOrder.ranks(lines: lines, list: list)
  }

  mutating func run() -> Result {
    let stack = ordered()
    let widths = (0..<stack.count).map { $0 < sizes.count ? sizes[$0].width : 2 }
    var placement = HorizontalPlacement(
      stack, widths: widths, gap: options.nodeGap, groupGap: 2 * options.framePadding)
    placement.run(sweeps: isCoarse ? 4 : 12, shouldStop: shouldStop)
    var router = LayerRouter(stack, centres: placement.centres, sizes: sizes, layerGap: options.layerGap)
    return router.run(lines: lines)
  }

  /// The layers with the order that crosses least of those tried.
  private mutating func ordered() -> LayerStack {
    var best: (crossings: Int, stack: LayerStack)?
    for root in roots() {
      if let best, best.crossings == 0 || isCoarse { break }
      guard let layer = layers(from: root) else { break }
      let (crossings, stack) = reduced(layer, from: root)
      if best == nil || crossings < best?.crossings ?? 0 { best = (crossings, stack) }
    }
    if let best { return best.stack }
    return reduced(LayerAssignment.alongFlow(ranks: ranks, lines: lines, list: list), from: roots().first ?? 0).1
  }

  /// Vertices to start at: the start of the flow first, then others all over the graph.
  private func roots() -> [Int] {
    let byRank = ranks.indices.sorted { ranks[$0] < ranks[$1] }
    let count = min(byRank.count, max(3, min(112, 12_000 / max(byRank.count, 1))))
    return (0..<count).map { byRank[$0 * byRank.count / count] }
  }

  private func layers(from root: Int) -> [Int]? {
    var distances = LayerAssignment.byDistance(from: root, list: list)
    guard var layer = distances else { return nil }
    if layer.contains(-1) {
      for start in layer.indices where layer[start] < 0 {
        distances = LayerAssignment.byDistance(from: start, list: list)
        guard let more = distances else { return nil }
        for vertex in more.indices where more[vertex] >= 0 { layer[vertex] = more[vertex] }
      }
    }
    // The way up that more of the flow goes down.
    let fall = lines.reduce(0) { sum, line in
      sum + (layer[line.target] - layer[line.source]).signum() * (line.isReversible ? 1 : 4) * line.weight
    }
    if fall < 0 {
      let last = layer.max() ?? 0
      for vertex in layer.indices { layer[vertex] = last - layer[vertex] }
    }
    return layer
  }

  private mutating func reduced(_ layer: [Int], from root: Int) -> (Int, LayerStack) {
    var stack = LayerStack(layer: layer, lines: lines.map { ($0.source, $0.target) }, group: groups)
    stack.order = startOrder(stack, from: root)
    stack.numberPositions()
    var reduction = CrossingReduction(stack, effort: effort, shouldStop: shouldStop)
    let crossings = reduction.run(sweeps: 24, sifts: 12)
    effort = reduction.effort
    if reduction.isCut { isCoarse = true }
    return (crossings, reduction.stack)
  }

  /// The vertices of each layer in the order in which a walk into the depth meets them, or by their earlier places.
  private func startOrder(_ stack: LayerStack, from root: Int) -> [[Int]] {
    var rows = [[Int]](repeating: [], count: (stack.layer.max() ?? -1) + 1)
    var isSeen = [Bool](repeating: false, count: stack.count)
    var waiting: [Int] = []
    for start in [root] + Array(0..<sizes.count) where !isSeen[start] {
      waiting.append(start)
      while let vertex = waiting.popLast() {
        if isSeen[vertex] { continue }
        isSeen[vertex] = true
        rows[stack.layer[vertex]].append(vertex)
        for index in stack.belowRange(vertex).reversed() where !isSeen[stack.below[index]] {
          waiting.append(stack.below[index])
        }
        for index in stack.aboveRange(vertex).reversed() where !isSeen[stack.above[index]] {
          waiting.append(stack.above[index])
        }
      }
    }
    let places = earlier
    return rows.map { row in
      let known = row.enumerated().sorted { left, right in
        let groups = (stack.group[left.element], stack.group[right.element])
        if groups.0 != groups.1 { return groups.0 < groups.1 }
        guard left.element < places.count, right.element < places.count,
          let first = places[left.element]?.x, let second = places[right.element]?.x, first != second
        else { return left.offset < right.offset }
        return first < second
      }
      return known.map(\.element)
    }
  }
}
