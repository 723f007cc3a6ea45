/// Lays out what hangs together: layers, order, places and lines.
struct ComponentLayout {
  let sizes: [LayoutOptions.Size]
  /// How wide the borders are that lines end at.
  let borders: [Double]
  let lines: [LayoutNet.Line]
  let groups: [Int]
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
  private let list: AdjacencyList
  /// The lines as they are to go down: those on the rising halves of rings are turned round.
  private let flow: [LayoutNet.Line]
  private let isTurned: [Bool]
  /// The lines that count for layers, by index, and what they join.
  private let binding: [Int]
  private let bindingList: AdjacencyList
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
    sizes: [LayoutOptions.Size], borders: [Double], lines: [LayoutNet.Line], groups: [Int],
    earlier: [FrozenPath.Point?],
    options: LayoutOptions, effort: Int, shouldStop: @escaping () -> Bool
  ) {
    self.sizes = sizes
    self.borders = borders
    self.lines = lines
    self.groups = groups
    self.earlier = earlier
    self.options = options
    self.effort = effort
    self.shouldStop = shouldStop
    list = AdjacencyList(count: sizes.count, pairs: lines.map { ($0.source, $0.target) })
    let driven = FlowPotential(count: sizes.count, lines: lines)
    let lines = zip(lines, driven.isTurned).map { line, isTurned in
      var line = line
      if isTurned { swap(&line.source, &line.target) }
      return line
    }
    let rings = RingFinder(count: sizes.count, lines: lines)
    isTurned = rings.isTurned
    flow = zip(lines, rings.isTurned).map { line, isTurned in
      var line = line
      if isTurned { swap(&line.source, &line.target) }
      return line
    }
    binding = Self.binding(count: sizes.count, lines: lines)
    let ordering = binding.map { [flow] in flow[$0] }
    bindingList = AdjacencyList(count: sizes.count, pairs: ordering.map { ($0.source, $0.target) })
    ranks = FlowOrder.ranks(lines: ordering, list: bindingList)
  }

  /// The lines that say which layers their ends come into: all flows, and others where nothing else joins parts.
  private static func binding(count: Int, lines: [LayoutNet.Line]) -> [Int] {
    let flows = lines.indices.filter { !lines[$0].isLoose }
    if flows.count == lines.count { return flows }
    var leader = Array(0..<count)
    func find(_ vertex: Int) -> Int {
      var vertex = vertex
      while leader[vertex] != vertex {
        leader[vertex] = leader[leader[vertex]]
        vertex = leader[vertex]
      }
      return vertex
    }
    var kept = flows
    for line in flows { leader[find(lines[line].source)] = find(lines[line].target) }
    for line in lines.indices where lines[line].isLoose {
      let (one, other) = (find(lines[line].source), find(lines[line].target))
      if one == other { continue }
      leader[one] = other
      kept.append(line)
    }
    return kept
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
      stack, widths: widths, pulls: lines.map(\.pull), gap: options.nodeGap, groupGap: 2 * options.framePadding)
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
    if sizes.count <= Self.flowLimit { keep(alongFlow(roots.first ?? 0), &best) }
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
      keep(alongFlow(roots.first ?? 0), &best)
    }
    return best
  }

  /// Whether it is said of some lines that they are not of the main chain, so that the others are.
  private var knowsMainChain: Bool { lines.contains { !$0.isMain && !$0.isLoose } }

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
  private mutating func alongFlow(_ root: Int) -> Candidate {
    let lines = binding.map { flow[$0] }
    var layer = LayerAssignment.alongFlow(ranks: ranks, lines: lines, list: bindingList)
    if sizes.count <= Self.flowLimit {
      var simplex = LayerSimplex(
        layer: layer,
        lines: lines.map { line in
          let isDown = ranks[line.source] < ranks[line.target]
          return .init(
            upper: isDown ? line.source : line.target, lower: isDown ? line.target : line.source, weight: line.weight)
        })
      simplex.run(exchanges: 4 * sizes.count)
      layer = LayerAssignment.normalized(simplex.layer)
    }
    return reduced(layer, from: root)
  }

  /// Keeps what has less against it.
  private func keep(_ new: Candidate, _ best: inout Candidate?) {
    var new = new
    new.cost = cost(new)
    if let old = best, old.cost <= new.cost { return }
    best = new
  }

  /// What speaks against an order: crossings most, then lines that go up, then long lines.
  private func cost(_ value: Candidate) -> Int {
    if value.drawing != nil { return value.crossings * 60 }
    let isForgiving = knowsMainChain || groups.contains { $0 != groups[0] }
    var cost = value.crossings * (isForgiving ? 16 : 60) + (value.stack.count - sizes.count)
    for line in flow where line.isMain && value.stack.layer[line.source] > value.stack.layer[line.target] {
      cost += line.isReversible ? 12 : 16
    }
    return cost
  }

  /// The layers of a drawing on the plane.
  ///
  /// - Returns: Nil for what is in several groups or not in one piece, for trees, and if there is no effort left.
  private mutating func planar() -> Candidate? {
    if isCoarse || lines.count < sizes.count || sizes.count > Self.planarLimit
      || groups.contains(where: { $0 != groups[0] })
    {
      return nil
    }
    // Some is left for what comes after it.
    let allowed = effort / 4 * 3
    var search = PlanarSearch(count: sizes.count, lines: lines, ranks: ranks, effort: allowed, shouldStop: shouldStop)
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
    var stack = LayerStack(layer: layer, lines: lines.map { ($0.source, $0.target) }, group: groups)
    stack.order = startOrder(stack, from: root)
    stack.numberPositions()
    var reduction = CrossingReduction(stack, effort: effort, shouldStop: shouldStop)
    let crossings = reduction.run(sweeps: 24, sifts: 12)
    effort = reduction.effort
    if reduction.isCut { isCoarse = true }
    return Candidate(stack: reduction.stack, crossings: crossings)
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
