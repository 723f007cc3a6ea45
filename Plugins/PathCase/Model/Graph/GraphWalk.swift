/// Ways through a graph: from pool to pool by way of processes, in the directions these can run in.
///
/// Nodes that stand for the same are one. A process that carries something through a wall is passed only by what it
/// carries: nothing of what goes out becomes what comes in for it.
struct GraphWalk: Sendable {
  /// A process as seen from a pool it takes.
  private struct Use {
    var process: Int
    /// Whether the process takes the pool when it runs forwards.
    var isForward: Bool
  }

  /// A node that was reached.
  private struct Arrival {
    var node: Int
    /// The process it was reached by; nil at the beginning.
    var process: Int?
    /// The arrival before, by its place among all; nil at the beginning.
    var before: Int?
  }

  let graph: ReactionGraph
  /// For each node the first one that stands for the same.
  let first: [Int]
  /// For each pool the processes that take it.
  private var uses: [[Use]]
  /// For each process what it gives when it runs forwards, and backwards.
  private var given: [(forwards: [Int], backwards: [Int])]

  /// - Parameter skipsCommon: Whether no way leads through common molecules.
  init(_ graph: ReactionGraph, skipsCommon: Bool = true) {
    self.graph = graph
    let count = graph.nodes.count
    var known: [Identifier: Int] = [:]
    first = graph.nodes.enumerated().map { number, node in
      let key = node.entity ?? node.id
      defer { if known[key] == nil { known[key] = number } }
      return known[key] ?? number
    }
    uses = [[Use]](repeating: [], count: count)
    given = [(forwards: [Int], backwards: [Int])](repeating: ([], []), count: count)
    for edge in graph.edges where edge.kind == .flow {
      if skipsCommon, graph.nodes[edge.source].isCommon || graph.nodes[edge.target].isCommon { continue }
      let (source, target) = (first[edge.source], first[edge.target])
      if graph.nodes[edge.target].kind == .process {
        uses[source].append(Use(process: target, isForward: true))
        if edge.isReversible { given[target].backwards.append(source) }
      } else if graph.nodes[edge.source].kind == .process {
        given[source].forwards.append(target)
        if edge.isReversible { uses[target].append(Use(process: source, isForward: false)) }
      }
    }
  }

  /// The nodes of an id, or else of a label, the first of those that stand for the same; none if nothing is called so.
  ///
  /// Labels go without `D-` or `L-` too: people say glucose.
  func nodes(_ word: String) -> [Int] {
    let id = Identifier(word)
    if let exact = graph.nodes.firstIndex(where: { $0.id == id }) { return [first[exact]] }
    let folded = word.lowercased()
    let labels = graph.nodes.indices.filter { first[$0] == $0 }.map { ($0, graph.nodes[$0].label.lowercased()) }
    let exact = labels.filter { $0.1 == folded }.map(\.0)
    if !exact.isEmpty { return exact }
    return labels.filter { $0.1 == "d-" + folded || $0.1 == "l-" + folded }.map(\.0)
  }

  /// A way from one of some nodes to one of others, both included; nil if there is none.
  ///
  /// Of all ways it takes one whose pools have few processes, because pools of many join what has little to do with each
  /// other; of equal ones the first.
  /// - Source: Croes, Couche, Wodak, van Helden: Inferring meaningful pathways in weighted metabolic networks. J. Mol.
  ///   Biol. 356 (2006), 222–236.
  /// - Complexity: linear in nodes, edges and the cost of the way, but for processes of very many pools.
  func path(from starts: [Int], to ends: [Int]) -> [Int]? {
    let goals = Set(ends.map { first[$0] })
    // Where each node was reached, at most by two processes: by the second one on with the first.
    var arrivals: [Arrival] = []
    var reached = [[Int]](repeating: [], count: graph.nodes.count)
    // What is to be looked at, by the cost of the way to it: costs are small whole numbers.
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
        if goals.contains(arrival.node) { return way(arrivals) }
        for step in onward(from: arrival, onlyBy: known.first, goals) {
          let total = cost + price(step.node, goals)
          while waiting.count <= total { waiting.append([]) }
          waiting[total].append(Arrival(node: step.node, process: step.process, before: arrivals.count - 1))
        }
      }
      cost += 1
    }
    return nil
  }

  /// What is reached in one step, with the process between: never back by the process that led here.
  ///
  /// - Parameter only: The only process to go by, if the node was reached before.
  private func onward(
    from arrival: Arrival, onlyBy only: Int??, _ goals: Set<Int>
  ) -> [(node: Int, process: Int?)] {
    let node = arrival.node
    if graph.nodes[node].kind == .process {
      return only == nil ? (given[node].forwards + given[node].backwards).map { ($0, node) } : []
    }
    return uses[node].flatMap { use -> [(node: Int, process: Int?)] in
      if use.process == arrival.process { return [] }
      if let only, use.process != only { return [] }
      if goals.contains(use.process) { return [(use.process, nil)] }
      let given = use.isForward ? given[use.process].forwards : given[use.process].backwards
      let carried = given.filter { $0 != node && graph.nodes[$0].label == graph.nodes[node].label }
      return (carried.isEmpty ? given : carried).map { ($0, use.process) }
    }
  }

  /// What it costs to pass a pool: one for each process that takes it.
  private func price(_ pool: Int, _ goals: Set<Int>) -> Int {
    goals.contains(pool) ? 1 : max(1, uses[pool].count)
  }

  /// The nodes on the way to what was reached last.
  private func way(_ arrivals: [Arrival]) -> [Int] {
    var way: [Int] = []
    var place: Int? = arrivals.count - 1
    while let arrival = place.map({ arrivals[$0] }) {
      way.append(arrival.node)
      // A way that begins at a process has it already.
      if let process = arrival.process, arrival.before.map({ arrivals[$0].node }) != process { way.append(process) }
      place = arrival.before
    }
    return way.reversed()
  }
}
