/// The directions of a component's lines down the page, and an order of its vertices along them.
struct LayerFlow {
  /// The lines in their downward direction: those on the rising halves of rings are reversed.
  let lines: [LayoutNet.Line]
  /// The rank of each vertex in the order along the flow.
  let ranks: [Int]
  /// The lines that count for layers, with their ends.
  private let binding: [LayoutNet.Line]
  private let bindingList: AdjacencyList

  /// - Parameter top: The criterion for the tops of rings.
  init(count: Int, lines: [LayoutNet.Line], top: RingFinder.Top = .oneWay) {
    let driven = Self.turned(lines, FlowPotential(count: count, lines: lines).isTurned)
    let flow = Self.turned(driven, RingFinder(count: count, lines: driven, top: top).isTurned)
    self.lines = flow
    binding = Self.binding(count: count, lines: flow).map { flow[$0] }
    bindingList = AdjacencyList(count: count, pairs: binding.map { ($0.source, $0.target) })
    ranks = FlowOrder.ranks(lines: binding, list: bindingList)
  }

  private static func turned(_ lines: [LayoutNet.Line], _ isTurned: [Bool]) -> [LayoutNet.Line] {
    zip(lines, isTurned).map { line, isTurned in
      var line = line
      if isTurned { swap(&line.source, &line.target) }
      return line
    }
  }

  /// Returns the lines that determine layers: all flows, and others where nothing else connects parts.
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

  /// Returns layers along the flow.
  ///
  /// - Parameter areShortest: True to minimize the total length of the lines.
  func layers(areShortest: Bool) -> [Int] {
    let layer = LayerAssignment.alongFlow(ranks: ranks, lines: binding, list: bindingList)
    if !areShortest { return layer }
    var simplex = LayerSimplex(
      layer: layer,
      lines: binding.map { line in
        let isDown = ranks[line.source] < ranks[line.target]
        return .init(
          upper: isDown ? line.source : line.target, lower: isDown ? line.target : line.source, weight: line.weight)
      })
    simplex.run(exchanges: 4 * ranks.count)
    return LayerAssignment.normalized(simplex.layer)
  }
}
