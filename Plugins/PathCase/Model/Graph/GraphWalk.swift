/// Finds paths through a graph, from pool to pool through processes in their possible directions.
///
/// Nodes that represent the same thing are treated as one. A path through a transport follows the molecule that it
/// carries: a molecule that leaves never becomes the one that enters in exchange.
struct GraphWalk: Sendable {
  /// A process that consumes a pool.
  private struct Use {
    var process: Int
    /// True if the process consumes the pool when it runs forward.
    var isForward: Bool
  }

  /// A node reached by the search.
  private struct Arrival {
    var node: Int
    /// The process by which the node was reached; nil at the start.
    var process: Int?
    /// The index of the preceding arrival; nil at the start.
    var before: Int?
  }

  let graph: ReactionGraph
  /// The first node that represents the same thing, for each node.
  let first: [Int]
  /// The processes that consume each pool.
  private var uses: [[Use]]
  /// The products of each process when it runs forward, and backward.
  private var products: [(forwards: [Int], backwards: [Int])]

  /// Creates a search of a graph.
  ///
  /// - Parameter skipsCommon: True to exclude common molecules from paths.
  init(_ graph: ReactionGraph, skipsCommon: Bool = true) {
    self.graph = graph
    let count = graph.nodes.count
    var known: [Identifier: Int] = [:]
    first = graph.nodes.enumerated().map { number, node in
      let key = node.subject
      defer { if known[key] == nil { known[key] = number } }
      return known[key] ?? number
    }
    uses = [[Use]](repeating: [], count: count)
    products = [(forwards: [Int], backwards: [Int])](repeating: ([], []), count: count)
    for edge in graph.edges where edge.kind == .flow {
      if skipsCommon, graph.nodes[edge.source].isCommon || graph.nodes[edge.target].isCommon { continue }
      let (source, target) = (first[edge.source], first[edge.target])
      if graph.nodes[edge.target].kind == .process {
        uses[source].append(Use(process: target, isForward: true))
        if edge.isReversible { products[target].backwards.append(source) }
      } else if graph.nodes[edge.source].kind == .process {
        products[source].forwards.append(target)
        if edge.isReversible { uses[target].append(Use(process: source, isForward: false)) }
      }
    }
  }

  /// Returns the nodes with an id or else a label, one per represented thing; empty if there is no such node.
  ///
  /// Labels also match without a stereo prefix such as `D-` or `beta-L-`: users search for glucose.
  func nodes(_ word: String) -> [Int] {
    for id in Identifier.meant(by: word) {
      if let exact = graph.nodes.firstIndex(where: { $0.id == id }) { return [first[exact]] }
    }
    let folded = word.lowercased()
    let labels = graph.nodes.indices.filter { first[$0] == $0 }.map { ($0, graph.nodes[$0].label.lowercased()) }
    let exact = labels.filter { $0.1 == folded }.map(\.0)
    if !exact.isEmpty { return exact }
    let whole = Set(Self.stereoPrefixes.map { $0 + folded })
    return labels.filter { whole.contains($0.1) }.map(\.0)
  }

  /// The stereochemical prefixes of a molecule, with and without the prefix of its anomer.
  private static let stereoPrefixes = ["", "alpha-", "beta-", "α-", "β-"].flatMap { [$0 + "d-", $0 + "l-"] }

  /// Returns a path from one of the start nodes to one of the goal nodes, both included; nil if there is none.
  ///
  /// The path prefers pools with few processes, because pools of many processes join unrelated reactions; ties go to
  /// the first path.
  /// - Source: Croes, Couche, Wodak, van Helden: Inferring meaningful pathways in weighted metabolic networks. J. Mol.
  ///   Biol. 356 (2006), 222–236.
  /// - Complexity: Linear in nodes, edges and path cost, except for processes with very many pools.
  func path(from starts: [Int], to ends: [Int]) -> [Int]? {
    let goals = Set(ends.map { first[$0] })
    // The arrivals at each node, at most two by different processes. The second continues only through the process of
    // the first.
    var arrivals: [Arrival] = []
    var reached = [[Int]](repeating: [], count: graph.nodes.count)
    // The queue by path cost: costs are small integers.
    var waiting: [[Arrival]] = [starts.map { Arrival(node: first[$0]) }]
    var cost = 0
    while cost < waiting.count {
      var next = 0
      while next < waiting[cost].count {
        let arrival = waiting[cost][next]
        next += 1
        let known = reached[arrival.node].map { arrivals[$0].process }
        if known.count > 1 || known.contains(arrival.process) { continue }
        reached[arrival.node].append(arrivals.count)
        arrivals.append(arrival)
        if goals.contains(arrival.node) { return path(arrivals) }
        for step in steps(from: arrival, onlyBy: known.first, goals) {
          let total = cost + self.cost(of: step.node, goals)
          while waiting.count <= total { waiting.append([]) }
          waiting[total].append(Arrival(node: step.node, process: step.process, before: arrivals.count - 1))
        }
      }
      cost += 1
    }
    return nil
  }

  /// Returns the nodes reached in one step, with the process between, excluding the process that led here.
  ///
  /// - Parameter only: The only process to use, if the node was reached before.
  private func steps(
    from arrival: Arrival, onlyBy only: Int??, _ goals: Set<Int>
  ) -> [(node: Int, process: Int?)] {
    let node = arrival.node
    if graph.nodes[node].kind == .process {
      return only == nil ? (products[node].forwards + products[node].backwards).map { ($0, node) } : []
    }
    return uses[node].flatMap { use -> [(node: Int, process: Int?)] in
      if use.process == arrival.process { return [] }
      if let only, use.process != only { return [] }
      if goals.contains(use.process) { return [(use.process, nil)] }
      let made = use.isForward ? products[use.process].forwards : products[use.process].backwards
      let carried = made.filter { $0 != node && graph.nodes[$0].label == graph.nodes[node].label }
      return (carried.isEmpty ? made : carried).map { ($0, use.process) }
    }
  }

  /// Returns the cost of passing a pool: one for each process that consumes it.
  private func cost(of pool: Int, _ goals: Set<Int>) -> Int {
    goals.contains(pool) ? 1 : max(1, uses[pool].count)
  }

  /// Returns the nodes on the path to the last arrival.
  private func path(_ arrivals: [Arrival]) -> [Int] {
    var path: [Int] = []
    var index: Int? = arrivals.count - 1
    while let arrival = index.map({ arrivals[$0] }) {
      path.append(arrival.node)
      // A path that begins at a process already includes it.
      if let process = arrival.process, arrival.before.map({ arrivals[$0].node }) != process { path.append(process) }
      index = arrival.before
    }
    return Array(path.reversed())
  }
}
