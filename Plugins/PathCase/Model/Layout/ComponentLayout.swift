import PluginText

/// Lays out one connected component: layers, order, positions and lines.
struct ComponentLayout {
  private let sizes: [LayoutOptions.Size]
  /// The widths of the borders at which lines end.
  private let borders: [Double]
  /// The lines, whose ends are indices of this component's vertices.
  private let lines: [LayoutNet.Line]
  /// The group of each vertex; lower groups are placed left of higher ones.
  private let groups: [Int]
  /// The groups whose vertices sit on a wall, in a vertical line.
  private let walls: Set<Int>
  /// The gap between each group and the next, in addition to the gap between nodes.
  private let groupGaps: [Double]
  private let options: LayoutOptions
  private let shouldStop: () -> Bool
  /// The earlier positions, from which the order starts; nil for new vertices.
  private let earlier: [FrozenPath.Point?]
  /// The largest component that is drawn in the plane; larger ones would take too long.
  private static let planarLimit = 2500
  /// The largest number of bends per vertex at which a planar drawing is compacted.
  private static let bendLimit = 30
  /// The largest component for which all kinds of drawings are tried.
  private static let smallLimit = 64
  /// The largest component for which layers along the flow are tried; larger ones would have too long lines.
  private static let flowLimit = 400
  /// The largest component for which random orders and other choices of rings are tried.
  private var shuffleLimit: Int { isGrouped ? 120 : isForgiving ? 64 : 0 }
  private static let shuffles = 16
  private let list: AdjacencyList
  /// The direction in which lines go down the page.
  private let flow: LayerFlow
  private(set) var effort: Int
  private(set) var isCoarse = false

  /// The centers of the vertices and the lines, relative to the upper left corner.
  struct Result {
    var centers: [FrozenPath.Point] = []
    var lines: [[FrozenPath.Point]] = []
    var width = 0.0
    var height = 0.0
  }

  /// Creates the layout of a part of a net.
  init(
    _ part: LayeredLayout.Part, of net: LayoutNet, _ frames: CompartmentOrder, _ graph: ReactionGraph,
    _ options: LayoutOptions, effort: Int, shouldStop: @escaping () -> Bool
  ) {
    var local = [Int: Int](minimumCapacity: part.vertices.count)
    for (index, vertex) in part.vertices.enumerated() { local[vertex] = index }
    lines = part.lines.map { number in
      var line = net.lines[number]
      line.source = local[line.source, default: 0]
      line.target = local[line.target, default: 0]
      return line
    }
    sizes = part.vertices.map { net.vertices[$0].room }
    borders = part.vertices.map { net.vertices[$0].size.width }
    groups = part.vertices.map { frames.group[$0] }
    walls = frames.membranes
    groupGaps = frames.walls.map { options.framePadding * Double($0.count + ($0.areBetweenFrames ? 1 : 0)) }
    earlier = part.vertices.map { options.earlier[graph.nodes[net.vertices[$0].node].id]?.center }
    self.options = options
    self.effort = effort
    self.shouldStop = shouldStop
    list = AdjacencyList(count: sizes.count, pairs: lines.map { ($0.source, $0.target) })
    flow = LayerFlow(count: sizes.count, lines: lines)
  }

  /// An order of layers and its cost.
  private struct Candidate {
    var stack: LayerStack
    var crossings: Int
    var cost = 0
    /// The drawing used instead of the layers; nil if the layers are used.
    var drawing: PlanarDrawing?
  }

  mutating func run() -> Result {
    guard let best = ordered() else { return Result() }
    if let drawing = best.drawing { return drawing.result() }
    let stack = best.stack
    let widths = (0..<stack.count).map { $0 < sizes.count ? sizes[$0].width : 2 }
    var placement = HorizontalPlacement(
      stack, widths: widths, pulls: lines.map(\.pull), gap: options.nodeGap, groupGaps: groupGaps, walls: walls)
    placement.anchors = hasEarlier ? earlier.map { $0?.x } : []
    placement.run(sweeps: isCoarse || stack.count > 20_000 ? 4 : 12, shouldStop: shouldStop)
    var router = LayerRouter(
      stack, centers: placement.centers, sizes: sizes, borders: borders, layerGap: options.layerGap)
    return router.run(lines: lines)
  }

  /// Returns the layers with the lowest cost among those tried.
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
      if let planar = planar() { keep(planar, &best) }
    }
    if best?.crossings ?? 0 > 1, sizes.count > Self.flowLimit, sizes.count <= 2 * Self.planarLimit, !isCoarse {
      keep(alongFlow(flow, roots.first ?? 0), &best)
    }
    return best
  }

  /// A Boolean value indicating whether some lines are known to be off the main chain, so that the others are on it.
  private var knowsMainChain: Bool { lines.contains { !$0.isMain && !$0.isLoose } }

  /// A Boolean value indicating whether crossings cost less so that more lines go down: with a known main chain or with
  /// compartments.
  private var isForgiving: Bool { knowsMainChain || isGrouped }

  /// A Boolean value indicating whether vertices lie in several compartments side by side.
  private var isGrouped: Bool { groups.contains { $0 != groups[0] } }

  /// A Boolean value indicating whether most vertices have earlier positions.
  private var hasEarlier: Bool { earlier.count { $0 != nil } * 2 > earlier.count }

  /// Returns the layers and the order of the earlier positions, with new vertices beside their neighbors.
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

  /// Returns layers along the flow, as short as possible.
  private mutating func alongFlow(_ flow: LayerFlow, _ root: Int) -> Candidate {
    reduced(flow.layers(areShortest: sizes.count <= Self.flowLimit), from: root)
  }

  /// Keeps the candidate with the lower cost.
  private func keep(_ new: Candidate, _ best: inout Candidate?, by other: LayerFlow? = nil) {
    var new = new
    new.cost = cost(new, other ?? flow)
    if let old = best, old.cost <= new.cost { return }
    best = new
  }

  /// Returns the cost of an order: crossings weigh most, then lines that go up, then long lines.
  private func cost(_ value: Candidate, _ flow: LayerFlow) -> Int {
    if value.drawing != nil { return value.crossings * 60 }
    var cost = value.crossings * (isForgiving ? 16 : 60) + (value.stack.count - sizes.count)
    for line in flow.lines where line.isMain && value.stack.layer[line.source] > value.stack.layer[line.target] {
      cost += line.isReversible ? 12 : 16
    }
    return cost
  }

  /// Returns the layers of a planar drawing.
  ///
  /// - Returns: The layers; nil for several groups, disconnected graphs and trees, and if no effort is left.
  private mutating func planar() -> Candidate? {
    if isCoarse || lines.count < sizes.count || sizes.count > Self.planarLimit
      || isGrouped
    {
      return nil
    }
    // Some effort is left for the later steps.
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

  /// Returns vertices to start at: the start of the flow, and peripheral vertices, from which layers are narrow.
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
    // The orientation in which more of the flow goes down.
    if lines.fall(in: layer) < 0 {
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

  /// Returns the order with the fewest crossings among those reached from random orders of the same layers.
  ///
  /// It is tried where planar drawings do not help: with compartments, and with a known main chain.
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

  /// Returns the vertices of each layer in depth-first order.
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

// MARK: - Walls

extension ComponentLayout {
  /// Moves vertices on one wall to separate layers, so that they form a vertical line.
  ///
  /// - Returns: The layers, each with at most one vertex per wall.
  private func layersOfWalls(_ layer: [Int]) -> [Int] {
    var isJoined = [Bool](repeating: false, count: sizes.count)
    for line in lines { (isJoined[line.source], isJoined[line.target]) = (true, true) }
    let onWalls = sizes.indices.filter { walls.contains(groups[$0]) }
    var counts = [[Int: Int]](repeating: [:], count: (layer.max() ?? -1) + 1)
    // The number of vertices of its wall before it in its layer.
    var before = [Int](repeating: 0, count: sizes.count)
    for vertex in onWalls where isJoined[vertex] {
      before[vertex] = counts[layer[vertex]][groups[vertex], default: 0]
      counts[layer[vertex]][groups[vertex], default: 0] += 1
    }
    var (starts, next) = ([Int](), 0)
    for count in counts {
      starts.append(next)
      next += max(1, count.values.max() ?? 0)
    }
    var result = layer.indices.map { starts[layer[$0]] + before[$0] }
    // Vertices without lines go where their wall is free.
    var taken = Set(onWalls.filter { isJoined[$0] }.map { LayoutNet.Pair(groups[$0], result[$0]) })
    for vertex in onWalls where !isJoined[vertex] {
      var row = 0
      while !taken.insert(LayoutNet.Pair(groups[vertex], row)).inserted { row += 1 }
      result[vertex] = row
    }
    return result
  }
}

/// Layers and order taken from an earlier layout, so that vertices keep their positions.
private struct EarlierPlaces {
  /// The layer of each vertex, from 0.
  private(set) var layers: [Int] = []
  /// The horizontal position of each vertex.
  private var across: [Double] = []

  /// - Parameter earlier: The earlier positions; nil for new vertices, which are placed next to their neighbors.
  init(_ earlier: [FrozenPath.Point?], lines: [LayoutNet.Line], list: AdjacencyList) {
    let heights = Set(earlier.compactMap { $0?.y }).sorted()
    var rank: [Double: Int] = [:]
    for (index, height) in heights.enumerated() { rank[height] = index }
    var found = earlier.map { point in point.flatMap { rank[$0.y] } }
    across = earlier.map { $0?.x ?? 0 }
    var queue = found.indices.filter { found[$0] != nil }
    var head = 0
    while head < queue.count {
      let vertex = queue[head]
      head += 1
      for index in list.range(vertex) where found[list.ends[index]] == nil {
        let other = list.ends[index]
        found[other] = (found[vertex] ?? 0) + (lines[list.lines[index]].source == vertex ? 1 : -1)
        across[other] = across[vertex] + 0.5
        queue.append(other)
      }
    }
    layers = LayerAssignment.normalized(found.map { $0 ?? 0 })
  }

  /// Returns the horizontal position of each vertex of a stack; bends of lines lie between the ends.
  func keys(_ stack: LayerStack, lines: [LayoutNet.Line]) -> [Double] {
    var keys = across
    for (number, line) in lines.enumerated() {
      let count = stack.dummies[number].count
      for step in 0..<count {
        let share = Double(step + 1) / Double(count + 1)
        keys.append(across[line.source] + (across[line.target] - across[line.source]) * share)
      }
    }
    return keys
  }
}
