/// The vertices and lines to lay out: a graph without hidden nodes, with separate clones and merged opposite edges.
struct LayoutNet: Sendable {
  /// A vertex to place.
  struct Vertex: Sendable {
    /// The node of the graph, by index.
    var node: Int
    var clone = 0
    var size: LayoutOptions.Size
    /// The size that it takes with its stubs.
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
    /// A Boolean value indicating whether matter flows both ways, so that the line may point up or down.
    var isReversible: Bool
    /// The weight of the requirement that the line points down.
    var weight: Int
    /// A Boolean value indicating whether it belongs to the main chain: a flow between vertices that are not side
    /// molecules.
    var isMain = false
    /// A Boolean value indicating whether nothing flows, so that its direction does not matter.
    var isLoose = false

    /// The strength with which it pulls its ends together.
    var pull: Double { isMain ? 8 : isLoose ? 0.5 : 1 }
  }

  var vertices: [Vertex] = []
  var lines: [Line] = []
  /// The common molecules beside their processes.
  var stubs: [Stub] = []

  /// The number of independent cycles: the lines in excess of a spanning forest.
  var cycleCount: Int { lines.count - vertices.count + neighbors().components().count }
}

extension [LayoutNet.Line] {
  /// Returns the weight of the lines that go down in some layers, minus that of those that go up.
  func fall(in layer: [Int]) -> Int {
    reduce(0) { sum, line in
      sum + (layer[line.target] - layer[line.source]).signum() * (line.isReversible ? 1 : 4) * line.weight
    }
  }
}

extension LayoutNet {
  /// Creates the net of a graph; loops and edges with missing ends are left out.
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

  /// Two numbers that form a key.
  struct Pair: Hashable {
    var first: Int
    var second: Int

    init(_ first: Int, _ second: Int) {
      self.first = first
      self.second = second
    }
  }

  /// Adds an edge as a line of its own, or to the line of its opposite edge.
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

  /// Returns the end of an edge that has its own vertex beside the other end: 0 for the source, 1 for the target.
  ///
  /// These are common molecules, side molecules, and modifiers that are not consumed.
  private static func clonedEnd(_ edge: GraphEdge, _ graph: ReactionGraph, _ options: LayoutOptions) -> Int? {
    guard graph.nodes.indices.contains(edge.source), graph.nodes.indices.contains(edge.target) else { return nil }
    let ends = [graph.nodes[edge.source], graph.nodes[edge.target]]
    let isCommon = ends.map { $0.isCommon && options.common == .beside }
    if isCommon[0] != isCommon[1] { return isCommon[0] ? 0 : 1 }
    if !options.clonesSideMolecules { return nil }
    if ends[0].kind == .pool, ends[1].kind == .process, [.activation, .inhibition, .catalysis].contains(edge.kind) {
      return ends[0].isCommon ? nil : 0
    }
    // A link to another pathway stays at the molecule's own vertex.
    let isSide = ends.map { $0.kind == .pool && !$0.isPrimary && !$0.isCommon }
    if isSide[0] == isSide[1] || !ends.contains(where: { $0.kind == .process }) { return nil }
    return isSide[0] ? 0 : 1
  }

  /// Adds the vertices beside processes; the first clone of a molecule is its own vertex, if that has no other process.
  ///
  /// - Parameter firsts: The vertex of each node; -1 for nodes without one.
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

  /// Returns the lines at each vertex.
  func neighbors() -> AdjacencyList {
    AdjacencyList(count: vertices.count, pairs: lines.map { ($0.source, $0.target) })
  }
}

// MARK: - Molecules beside processes

extension LayoutNet {
  /// A molecule at the left or right border of a vertex.
  struct Stub: Sendable {
    var node: Int
    var clone: Int
    var size: LayoutOptions.Size
    /// The vertex beside which it lies.
    var host: Int
    var isLeft: Bool
    /// The number of stubs above it on its side.
    var index = 0
    /// The number of stubs on its side.
    var count = 1
    var lines: [Line] = []
  }

  /// The gap between a stub and the border of its process.
  private static let stubGap = 24.0
  /// The maximum height of a stub.
  private static let stubHeight = 18.0

  /// Removes clones of common molecules from the vertices; their processes grow to make room for them.
  ///
  /// Consumed molecules are on the left, produced ones on the right.
  private mutating func makeStubs(_ isStub: (Vertex) -> Bool) {
    let hosted = vertices.map(isStub)
    guard hosted.contains(true) else { return }
    var numbers = [Int](repeating: -1, count: vertices.count)
    var kept: [Vertex] = []
    for (index, vertex) in vertices.enumerated() where !hosted[index] {
      numbers[index] = kept.count
      kept.append(vertex)
    }
    var stubOf: [Int: Int] = [:]
    var others: [Line] = []
    for var line in lines {
      let isLeft = hosted[line.source]
      guard isLeft || hosted[line.target] else {
        (line.source, line.target) = (numbers[line.source], numbers[line.target])
        others.append(line)
        continue
      }
      let (own, host) = isLeft ? (line.source, line.target) : (line.target, line.source)
      let stub = stubOf[own] ?? stubs.count
      if stub == stubs.count {
        stubOf[own] = stub
        let size = LayoutOptions.Size(
          width: vertices[own].size.width, height: min(vertices[own].size.height, Self.stubHeight))
        stubs.append(
          Stub(node: vertices[own].node, clone: vertices[own].clone, size: size, host: numbers[host], isLeft: isLeft))
      }
      stubs[stub].lines.append(line)
    }
    vertices = kept
    lines = others
    arrangeStubs()
  }

  /// Numbers the stubs of each side and makes room for them.
  private mutating func arrangeStubs() {
    var sides = [[Int]](repeating: [], count: 2 * vertices.count)
    for (number, stub) in stubs.enumerated() { sides[2 * stub.host + (stub.isLeft ? 0 : 1)].append(number) }
    for vertex in vertices.indices {
      var (width, height) = (0.0, 0.0)
      for side in [sides[2 * vertex], sides[2 * vertex + 1]] {
        for (index, number) in side.enumerated() {
          stubs[number].index = index
          stubs[number].count = side.count
          width = max(width, stubs[number].size.width + Self.stubGap)
        }
        height = max(height, side.reduce(0) { $0 + stubs[$1].size.height })
      }
      vertices[vertex].size.height = max(vertices[vertex].size.height, height)
      vertices[vertex].room = LayoutOptions.Size(
        width: vertices[vertex].size.width + 2 * width, height: vertices[vertex].size.height)
    }
  }

  /// Returns the frame of a stub, given the frame of its host.
  func frame(_ stub: Stub, beside host: GraphFrame) -> GraphFrame {
    let side = stub.isLeft ? -1.0 : 1
    return GraphFrame(
      x: host.x + side * (host.width / 2 + Self.stubGap + stub.size.width / 2),
      y: host.y + (Double(stub.index) + 0.5 - Double(stub.count) / 2) * stub.size.height, width: stub.size.width,
      height: stub.size.height)
  }

  /// Returns the line from a stub to its host, or back.
  func points(_ stub: Stub, _ line: Line, beside host: GraphFrame) -> [FrozenPath.Point] {
    let frame = frame(stub, beside: host)
    let side = stub.isLeft ? 1.0 : -1
    // Stored frames may be lower than the stubs beside them.
    let height = min(max(frame.y, host.y - host.height / 2), host.y + host.height / 2)
    let ends = [
      FrozenPath.Point(x: frame.x + side * frame.width / 2, y: frame.y),
      FrozenPath.Point(x: host.x - side * host.width / 2, y: height),
    ]
    return stub.isLeft == (stub.lines.first?.source == line.source) ? ends : Array(ends.reversed())
  }
}
