/// The vertices and lines that are laid out: a graph without what is hidden, clones set apart, opposite edges made one.
struct LayoutNet: Sendable {
  /// A thing to be placed.
  struct Vertex: Sendable {
    /// The node of the graph, by index.
    var node: Int
    var clone = 0
    var size: LayoutOptions.Size
    /// What it takes with the stubs beside it.
    var room: LayoutOptions.Size

    init(node: Int, clone: Int = 0, size: LayoutOptions.Size) {
      self.node = node
      self.clone = clone
      self.size = size
      room = size
    }
  }

  /// A line between two vertices.
  struct Line: Sendable {
    var edge: Int
    var opposite: Int?
    var source: Int
    var target: Int
    /// Whether matter flows both ways, so that the line may lie either way up.
    var isReversible: Bool
    /// How much it counts that the line points down.
    var weight: Int
    /// Whether it is of the main chain: a flow between what is not at its side.
    var isMain = false
    /// Whether nothing flows, so that it does not matter which way it leads.
    var isLoose = false

    /// How much it pulls its ends towards each other.
    var pull: Double { isMain ? 8 : isLoose ? 0.5 : 1 }
  }

  var vertices: [Vertex] = []
  var lines: [Line] = []
  /// Common molecules beside their processes.
  var stubs: [Stub] = []

  /// The number of independent cycles: the lines beyond those of a spanning forest.
  var cycleCount: Int { lines.count - vertices.count + neighbours().components().count }
}

extension LayoutNet {
  /// Makes the net of a graph; edges whose ends are not there, and loops, are left out.
  init(_ graph: ReactionGraph, options: LayoutOptions) {
    var firsts = [Int](repeating: -1, count: graph.nodes.count)
    let hides = options.common != .asOthers
    for (index, node) in graph.nodes.enumerated() where !(hides && node.isCommon) {
      firsts[index] = vertices.count
      vertices.append(Vertex(node: index, size: options.size(node)))
    }
    let clones = addClones(graph, options, firsts)
    var lineOfPair: [Pair: Int] = [:]
    for (index, edge) in graph.edges.enumerated() {
      guard firsts.indices.contains(edge.source), firsts.indices.contains(edge.target) else { continue }
      let source = clones[Pair(index, 0)] ?? firsts[edge.source]
      let target = clones[Pair(index, 1)] ?? firsts[edge.target]
      guard source >= 0, target >= 0, source != target else { continue }
      add(edge: index, of: graph, Pair(source, target), to: &lineOfPair)
    }
    if options.common == .beside { makeStubs { graph.nodes[$0.node].isCommon } }
  }

  /// Two numbers that are a key.
  struct Pair: Hashable {
    var first: Int
    var second: Int

    init(_ first: Int, _ second: Int) {
      self.first = first
      self.second = second
    }
  }

  /// Adds an edge as a line of its own, or to the line of its opposite.
  private mutating func add(edge: Int, of graph: ReactionGraph, _ ends: Pair, to lineOfPair: inout [Pair: Int]) {
    if let line = lineOfPair[Pair(ends.second, ends.first)], lines[line].opposite == nil,
      graph.edges[edge].kind == graph.edges[lines[line].edge].kind
    {
      lines[line].opposite = edge
      lines[line].isReversible = true
      return
    }
    let (source, target) = (graph.nodes[vertices[ends.first].node], graph.nodes[vertices[ends.second].node])
    let isFlow = graph.edges[edge].kind == .flow
    let isMain = isFlow && source.isPrimary && target.isPrimary
    lineOfPair[ends] = lines.count
    lines.append(
      Line(
        edge: edge, opposite: nil, source: ends.first, target: ends.second,
        isReversible: graph.edges[edge].isReversible || !isFlow, weight: isMain ? 4 : 1, isMain: isMain,
        isLoose: !isFlow))
  }

  /// Which end of an edge has a vertex of its own beside the other end: 0 for the source, 1 for the target.
  ///
  /// Those are the common molecules, those at the side, and what acts on a process without being used up.
  private static func clonedEnd(_ edge: GraphEdge, _ graph: ReactionGraph, _ options: LayoutOptions) -> Int? {
    guard graph.nodes.indices.contains(edge.source), graph.nodes.indices.contains(edge.target) else { return nil }
    let ends = [graph.nodes[edge.source], graph.nodes[edge.target]]
    let isCommon = ends.map { $0.isCommon && options.common == .beside }
    if isCommon[0] != isCommon[1] { return isCommon[0] ? 0 : 1 }
    if !options.clonesSideMolecules { return nil }
    if ends[0].kind == .pool, ends[1].kind == .process, [.activation, .inhibition, .catalysis].contains(edge.kind) {
      return ends[0].isCommon ? nil : 0
    }
    // A way to another pathway stays at the molecule's own vertex.
    let isSide = ends.map { $0.kind == .pool && !$0.isPrimary && !$0.isCommon }
    if isSide[0] == isSide[1] || !ends.contains(where: { $0.kind == .process }) { return nil }
    return isSide[0] ? 0 : 1
  }

  /// Adds the vertices beside processes; the first of a molecule is its own one, if that has no other process.
  ///
  /// - Parameter firsts: The vertex of each node; -1 for those that have none of their own.
  /// - Returns: The vertices, by edge and end (0 for the source).
  private mutating func addClones(_ graph: ReactionGraph, _ options: LayoutOptions, _ firsts: [Int]) -> [Pair: Int] {
    let cloned = graph.edges.map { Self.clonedEnd($0, graph, options) }
    var isBusy = [Bool](repeating: false, count: graph.nodes.count)
    for (edge, end) in zip(graph.edges, cloned) {
      for (number, node) in [edge.source, edge.target].enumerated() where isBusy.indices.contains(node) {
        let other = number == 0 ? edge.target : edge.source
        let isProcess = isBusy.indices.contains(other) && graph.nodes[other].kind == .process
        if end != number, isProcess || end != nil { isBusy[node] = true }
      }
    }
    var result: [Pair: Int] = [:]
    var counts: [Int: Int] = [:]
    var known: [Pair: Int] = [:]
    for (index, edge) in graph.edges.enumerated() {
      guard let end = cloned[index] else { continue }
      let (node, process) = end == 0 ? (edge.source, edge.target) : (edge.target, edge.source)
      if let clone = known[Pair(node, process)] {
        result[Pair(index, end)] = clone
        continue
      }
      let hasOwn = firsts[node] >= 0
      let clone = counts[node, default: hasOwn && isBusy[node] ? 1 : 0]
      counts[node] = clone + 1
      let vertex = clone == 0 && hasOwn ? firsts[node] : vertices.count
      known[Pair(node, process)] = vertex
      result[Pair(index, end)] = vertex
      if vertex == vertices.count {
        vertices.append(Vertex(node: node, clone: clone, size: options.size(graph.nodes[node])))
      }
    }
    return result
  }

  /// The lines at each vertex.
  func neighbours() -> AdjacencyList {
    AdjacencyList(count: vertices.count, pairs: lines.map { ($0.source, $0.target) })
  }
}
