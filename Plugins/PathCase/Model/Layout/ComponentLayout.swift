import PluginText

/// Lays out what hangs together: layers, order, places and lines.
struct ComponentLayout {
  let sizes: [LayoutOptions.Size]
  /// How wide the borders are that lines end at.
  let borders: [Double]
  let lines: [LayoutNet.Line]
  let groups: [Int]
  /// The groups whose vertices sit on a wall: one above the other.
  let walls: Set<Int>
  /// Between each group and the next one, beside the gap between nodes.
  let groupGaps: [Double]
  let options: LayoutOptions
  let shouldStop: () -> Bool
  /// Places from before, from which the order starts; nil for new vertices.
  let earlier: [FrozenPath.Point?]
  /// Larger parts are not drawn on the plane, as that would take too long.
  private static let planarLimit = 2500
  /// Of more bends for each vertex the drawing on the plane is taken as it is, without making it narrower.
  private static let bendLimit = 30
  /// Of smaller parts all drawings are tried.
  private static let smallLimit = 64
  /// Larger parts are not tried with layers along the flow, as their lines would be too long.
  private static let flowLimit = 400
  /// Larger parts are not tried from chance orders and with other rings.
  private var shuffleLimit: Int { isGrouped ? 120 : isForgiving ? 64 : 0 }
  private static let shuffles = 16
  private let list: AdjacencyList
  /// Which way the lines go down.
  private let flow: LayerFlow
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
    sizes: [LayoutOptions.Size], borders: [Double], lines: [LayoutNet.Line], groups: [Int], walls: Set<Int> = [],
    groupGaps: [Double], earlier: [FrozenPath.Point?],
    options: LayoutOptions, effort: Int, shouldStop: @escaping () -> Bool
  ) {
    self.sizes = sizes
    self.borders = borders
    self.lines = lines
    self.groups = groups
    self.walls = walls
    self.groupGaps = groupGaps
    self.earlier = earlier
    self.options = options
    self.effort = effort
    self.shouldStop = shouldStop
    list = AdjacencyList(count: sizes.count, pairs: lines.map { ($0.source, $0.target) })
    flow = LayerFlow(count: sizes.count, lines: lines)
  }

  /// An order of layers and what speaks against it.
  struct Candidate {
    var stack: LayerStack
    var crossings: Int
    var cost = 0
    /// What is drawn instead of the layers; nil for those.
    var drawing: PlanarDrawing?
  }

  mutating func run() -> Result {
    guard let best = ordered() else { return Result() }
    if let drawing = best.drawing { return drawing.result(lines: lines) }
    let stack = best.stack
    let widths = (0..<stack.count).map { $0 < sizes.count ? sizes[$0].width : 2 }
    var placement = HorizontalPlacement(
      stack, widths: widths, pulls: lines.map(\.pull), gap: options.nodeGap, groupGaps: groupGaps, walls: walls)
    placement.anchors = hasEarlier ? earlier.map { $0?.x } : []
    placement.run(sweeps: isCoarse || stack.count > 20_000 ? 4 : 12, shouldStop: shouldStop)
    var router = LayerRouter(
      stack, centres: placement.centres, sizes: sizes, borders: borders, layerGap: options.layerGap)
    return router.run(lines: lines)
  }

  /// The layers with the order that crosses least of those tried.
  private mutating func ordered() -> Candidate? {
    if hasEarlier { return asEarlier() }
    if sizes.count > Self.smallLimit, !knowsMainChain, let planar = planar() { return planar }
    let roots = roots()
    var best: Candidate?
    if sizes.count <= Self.flowLimit { keep(alongFlow(flow, roots.first ?? 0), &best) }
    if sizes.count <= shuffleLimit {
      for top in [RingFinder.Top.inflow, .none] where best?.crossings ?? 0 > 0 && !isCoarse {
        let other = LayerFlow(count: sizes.count, lines: lines, top: top)
        keep(alongFlow(other, roots.first ?? 0), &best, by: other)
      }
    }
    for root in roots {
      if best != nil, isCoarse || best?.crossings == 0 { break }
      keep(reduced(layers(from: root), from: root), &best)
    }
    if best?.crossings ?? 0 > 0, sizes.count <= Self.smallLimit || knowsMainChain {
      if let planar = planar() {
        keep(planar, &best)
      }
    }
    if best?.crossings ?? 0 > 1, sizes.count > Self.flowLimit, sizes.count <= 2 * Self.planarLimit, !isCoarse {
      keep(alongFlow(flow, roots.first ?? 0), &best)
    }
    return best
  }

  /// Whether it is said of some lines that they are not of the main chain, so that the others are.
  private var knowsMainChain: Bool { lines.contains { !$0.isMain && !$0.isLoose } }

  /// Whether crossings are borne for lines that go down: where a main chain or compartments are known.
  private var isForgiving: Bool { knowsMainChain || isGrouped }

  /// Whether vertices lie in several compartments beside each other.
  private var isGrouped: Bool { groups.contains { $0 != groups[0] } }

  /// Whether most vertices have places from before.
  private var hasEarlier: Bool { earlier.count { $0 != nil } * 2 > earlier.count }

  /// The layers and the order of the places from before, new vertices beside their neighbours.
  private mutating func asEarlier() -> Candidate {
    let places = EarlierPlaces(earlier, lines: lines, list: list)
    var stack = LayerStack(layer: places.layers, lines: lines.map { ($0.source, $0.target) }, group: groups)
    let keys = places.keys(stack, lines: lines)
    stack.order = [[Int]](repeating: [], count: (stack.layer.max() ?? -1) + 1)
    for vertex in 0..<stack.count { stack.order[stack.layer[vertex]].append(vertex) }
    for row in stack.order.indices {
      stack.order[row].sort { (stack.group[$0], keys[$0], $0) < (stack.group[$1], keys[$1], $1) }
    }
    stack.numberPositions()
    return Candidate(stack: stack, crossings: stack.crossings())
  }

  /// Layers after the flow, as short as they can be.
  private mutating func alongFlow(_ flow: LayerFlow, _ root: Int) -> Candidate {
    reduced(flow.layers(areShortest: sizes.count <= Self.flowLimit), from: root)
  }

  /// Keeps what has less against it.
  private func keep(_ new: Candidate, _ best: inout Candidate?, by other: LayerFlow? = nil) {
    var new = new
    new.cost = cost(new, other ?? flow)
    if let old = best, old.cost <= new.cost { return }
    best = new
  }

  /// What speaks against an order: crossings most, then lines that go up, then long lines.
  private func cost(_ value: Candidate, _ flow: LayerFlow) -> Int {
    if value.drawing != nil { return value.crossings * 60 }
    var cost = value.crossings * (isForgiving ? 16 : 60) + (value.stack.count - sizes.count)
    for line in flow.lines where line.isMain && value.stack.layer[line.source] > value.stack.layer[line.target] {
      cost += line.isReversible ? 12 : 16
    }
    return cost
  }

  /// The layers of a drawing on the plane.
  ///
  /// - Returns: Nil for what is in several groups or not in one piece, for trees, and if there is no effort left.
  private mutating func planar() -> Candidate? {
    if isCoarse || lines.count < sizes.count || sizes.count > Self.planarLimit
      || isGrouped
    {
      return nil
    }
    // Some is left for what comes after it.
    let allowed = effort / 4 * 3
    var search = PlanarSearch(
      count: sizes.count, lines: lines, ranks: flow.ranks, effort: allowed, shouldStop: shouldStop)
    let found = search.run()
    effort -= allowed - search.effort
    guard let found else { return nil }
    if found.layers.length() > Self.bendLimit * sizes.count {
      let drawing = PlanarDrawing(
        found.layers, isUpsideDown: found.isUpsideDown, sizes: sizes, borders: borders, options: options)
      let none = LayerStack(layer: [], lines: [], group: [])
      return Candidate(stack: none, crossings: found.layers.planar.crossings, drawing: drawing)
    }
    let stack = found.layers.stack(isUpsideDown: found.isUpsideDown)
    var reduction = CrossingReduction(stack, effort: effort, shouldStop: shouldStop)
    let crossings = reduction.run(sweeps: 0, sifts: sizes.count > 150 ? 1 : 8)
    effort = reduction.effort
    return Candidate(stack: reduction.stack, crossings: crossings)
  }

  /// Vertices to start at: the start of the flow, and those at the ends of the graph, from which layers are narrow.
  private func roots() -> [Int] {
    let ranks = flow.ranks
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

  private mutating func reduced(_ layer: [Int], from root: Int) -> Candidate {
    let layer = walls.isEmpty ? layer : layersOfWalls(layer)
    var stack = LayerStack(layer: layer, lines: lines.map { ($0.source, $0.target) }, group: groups)
    stack.order = startOrder(stack, from: root)
    stack.numberPositions()
    var reduction = CrossingReduction(stack, effort: effort, shouldStop: shouldStop)
    let crossings = reduction.run(sweeps: 24, sifts: 12)
    effort = reduction.effort
    if reduction.isCut { isCoarse = true }
    return shuffled(Candidate(stack: reduction.stack, crossings: crossings))
  }

  /// The order that crosses least of those reached from chance orders of the same layers.
  ///
  /// It is tried where the plane does not help: with compartments, and where a main chain is known.
  private mutating func shuffled(_ start: Candidate) -> Candidate {
    guard sizes.count <= shuffleLimit else { return start }
    var best = start
    var chance = SplitMix64(seed: 1)
    for _ in 0..<Self.shuffles where best.crossings > 0 && !isCoarse {
      var stack = best.stack
      for row in stack.order.indices {
        let vertices = stack.order[row].shuffled(using: &chance).map { (group: stack.group[$0], vertex: $0) }
        stack.order[row] = vertices.enumerated().sorted { left, right in
          (left.element.group, left.offset) < (right.element.group, right.offset)
        }.map(\.element.vertex)
      }
      stack.numberPositions()
      var reduction = CrossingReduction(stack, effort: effort, shouldStop: shouldStop)
      let crossings = reduction.run(sweeps: 24, sifts: 12)
      effort = reduction.effort
      if reduction.isCut { isCoarse = true }
      if crossings < best.crossings { best = Candidate(stack: reduction.stack, crossings: crossings) }
    }
    return best
  }

  /// The vertices of each layer in the order in which a walk into the depth meets them.
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
    return rows.map { row in
      let known = row.enumerated().sorted { left, right in
        let groups = (stack.group[left.element], stack.group[right.element])
        return groups.0 != groups.1 ? groups.0 < groups.1 : left.offset < right.offset
      }
      return known.map(\.element)
    }
  }
}
