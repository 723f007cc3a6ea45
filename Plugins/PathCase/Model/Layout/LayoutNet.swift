/// The vertices and lines that are laid out: a graph without what is hidden, clones set apart, opposite edges made one.
struct LayoutNet: Sendable {
  /// A thing to be placed.
  struct Vertex: Sendable {
    /// The node of the graph, by index.
    var node: Int
    var clone = 0
    var size: LayoutOptions.Size
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
  }

  var vertices: [Vertex] = []
  var lines: [Line] = []
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
    let clones = options.common == .beside ? addClones(graph, options) : [:]
    var lineOfPair: [Pair: Int] = [:]
    for (index, edge) in graph.edges.enumerated() {
      guard firsts.indices.contains(edge.source), firsts.indices.contains(edge.target) else { continue }
      let source = clones[Pair(index, 0)] ?? firsts[edge.source]
      let target = clones[Pair(index, 1)] ?? firsts[edge.target]
      guard source >= 0, target >= 0, source != target else { continue }
      add(edge: index, of: graph, Pair(source, target), to: &lineOfPair)
    }
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
    lineOfPair[ends] = lines.count
    lines.append(
      Line(
        edge: edge, opposite: nil, source: ends.first, target: ends.second,
        isReversible: graph.edges[edge].isReversible || graph.edges[edge].kind == .association,
        weight: source.isPrimary && target.isPrimary ? 4 : 1))
  }

  /// Adds a vertex for each end of an edge at a common molecule; an edge between two such has none.
  ///
  /// - Returns: The vertices, by edge and end (0 for the source).
  private mutating func addClones(_ graph: ReactionGraph, _ options: LayoutOptions) -> [Pair: Int] {
    var result: [Pair: Int] = [:]
    var counts: [Int: Int] = [:]
    var known: [Pair: Int] = [:]
    for (index, edge) in graph.edges.enumerated() {
      let isIn = graph.nodes.indices.contains(edge.source) && graph.nodes.indices.contains(edge.target)
      guard isIn, graph.nodes[edge.source].isCommon != graph.nodes[edge.target].isCommon else { continue }
      let end = graph.nodes[edge.source].isCommon ? 0 : 1
      let (node, process) = end == 0 ? (edge.source, edge.target) : (edge.target, edge.source)
      if let clone = known[Pair(node, process)] {
        result[Pair(index, end)] = clone
        continue
      }
      let clone = counts[node, default: 0]
      counts[node] = clone + 1
      known[Pair(node, process)] = vertices.count
      result[Pair(index, end)] = vertices.count
      vertices.append(Vertex(node: node, clone: clone, size: options.size(graph.nodes[node])))
    }
    return result
  }

  /// The lines at each vertex.
  func neighbours() -> AdjacencyList {
    AdjacencyList(count: vertices.count, pairs: lines.map { ($0.source, $0.target) })
  }
}
