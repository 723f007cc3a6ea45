/// Lays out what hangs together: layers, order, places and lines.
struct ComponentLayout {
  let sizes: [LayoutOptions.Size]
  let lines: [LayoutNet.Line]
  let groups: [Int]
  let options: LayoutOptions
  let shouldStop: () -> Bool
  /// Places from before, from which the order starts; nil for new vertices.
  let earlier: [FrozenPath.Point?]
  /// Larger parts are not drawn on the plane, as that would take too long.
  private static let planarLimit = 1500
  /// Larger parts are not tried with layers along the flow, as their lines would be too long.
  private static let flowLimit = 200
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
    placement.run(sweeps: isCoarse || stack.count > 20_000 ? 4 : 12, shouldStop: shouldStop)
    var router = LayerRouter(stack, centres: placement.centres, sizes: sizes, layerGap: options.layerGap)
    return router.run(lines: lines)
  }

  /// The layers with the order that crosses least of those tried.
  private mutating func ordered() -> LayerStack {
    let roots = roots()
    var best: (crossings: Int, stack: LayerStack)?
    if sizes.count <= Self.flowLimit, isAcyclic { best = alongFlow(roots.first ?? 0) }
    for (number, root) in roots.enumerated() {
      if number > 0, isCoarse || best?.crossings == 0 { break }
      keep(reduced(layers(from: root), from: root), &best)
    }
    if best?.crossings ?? 0 > 1 {
      if let planar = planar() {
        keep(planar, &best)
      } else if sizes.count > Self.flowLimit, sizes.count <= 2 * Self.planarLimit, !isCoarse {
        keep(alongFlow(roots.first ?? 0), &best)
      }
    }
    return best?.stack ?? LayerStack(layer: [], lines: [], group: [])
  }

  private mutating func alongFlow(_ root: Int) -> (crossings: Int, stack: LayerStack) {
    reduced(LayerAssignment.alongFlow(ranks: ranks, lines: lines, list: list), from: root)
  }

  /// Keeps what crosses less, or of equals what has shorter lines.
  private func keep(_ new: (crossings: Int, stack: LayerStack), _ best: inout (crossings: Int, stack: LayerStack)?) {
    if let old = best, (old.crossings, old.stack.below.count) <= (new.crossings, new.stack.below.count) { return }
    best = new
  }

  /// The layers of a drawing on the plane.
  ///
  /// - Returns: Nil for what is in several groups or not in one piece, for trees, and if there is no effort left.
  private mutating func planar() -> (crossings: Int, stack: LayerStack)? {
    if isCoarse || lines.count < sizes.count || sizes.count > Self.planarLimit
      || groups.contains(where: { $0 != groups[0] })
    {
      return nil
    }
    if earlier.contains(where: { $0 != nil }) { return nil }
    var search = PlanarSearch(count: sizes.count, lines: lines, ranks: ranks, effort: effort, shouldStop: shouldStop)
    let found = search.run()
    effort = search.effort
    guard let stack = found else { return nil }
    var reduction = CrossingReduction(stack, effort: effort, shouldStop: shouldStop)
    let crossings = reduction.run(sweeps: 0, sifts: stack.count > 20_000 ? 0 : 8)
    effort = reduction.effort
    return (crossings, reduction.stack)
  }

  /// Whether no line that has one direction only goes against the ranks.
  private var isAcyclic: Bool { lines.allSatisfy { $0.isReversible || ranks[$0.source] < ranks[$0.target] } }

  /// Vertices to start at: the start of the flow, and those at the ends of the graph, from which layers are narrow.
  private func roots() -> [Int] {
    guard let first = ranks.indices.min(by: { ranks[$0] < ranks[$1] }) else { return [] }
    if sizes.count > 200, sizes.count <= Self.planarLimit, lines.count >= sizes.count { return [first] }
    var roots = [first]
    for _ in 0..<2 {
      let layer = LayerAssignment.byDistance(from: roots[roots.count - 1], list: list)
      guard let far = layer.indices.max(by: { (layer[$0], -$0) < (layer[$1], -$1) }), !roots.contains(far) else {
        break
      }
      roots.append(far)
    }
    return roots
  }

  private func layers(from root: Int) -> [Int] {
    var layer = LayerAssignment.byDistance(from: root, list: list)
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

  private mutating func reduced(_ layer: [Int], from root: Int) -> (crossings: Int, stack: LayerStack) {
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
