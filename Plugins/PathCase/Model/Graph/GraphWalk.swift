/// Ways through a graph.
struct GraphWalk: Sendable {
  let graph: ReactionGraph
  /// For each node what is reached from it, with the edge, in the order of the edges.
  private var out: [[(node: Int, edge: Int)]]

  /// - Parameter skipsCommon: Whether no way leads through common molecules.
  init(_ graph: ReactionGraph, skipsCommon: Bool = true) {
    self.graph = graph
    out = [[(node: Int, edge: Int)]](repeating: [], count: graph.nodes.count)
    for (number, edge) in graph.edges.enumerated() where edge.kind == .flow {
      if skipsCommon, graph.nodes[edge.source].isCommon || graph.nodes[edge.target].isCommon { continue }
      out[edge.source].append((edge.target, number))
      if edge.isReversible { out[edge.target].append((edge.source, number)) }
    }
  }

  /// A node by id, or else by label; nil if nothing is called so.
  func node(_ word: String) -> Int? {
    let id = Identifier(word)
    if let exact = graph.nodes.firstIndex(where: { $0.id == id }) { return exact }
    let folded = word.lowercased()
    return graph.nodes.firstIndex { $0.label.lowercased() == folded }
  }

  /// A shortest way from a node to another, both included; nil if there is none.
  ///
  /// - Complexity: linear in nodes and edges.
  func path(from start: Int, to end: Int) -> [Int]? {
    var before = [Int](repeating: -1, count: graph.nodes.count)
    before[start] = start
    var queue = [start]
    var next = 0
    while next < queue.count, before[end] < 0 {
      let node = queue[next]
      next += 1
      for step in out[node] where before[step.node] < 0 {
        before[step.node] = node
        queue.append(step.node)
      }
    }
    guard before[end] >= 0 else { return nil }
    var path = [end]
    while let last = path.last, last != start { path.append(before[last]) }
    return path.reversed()
  }
}
