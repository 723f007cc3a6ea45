/// Goes through the processes of a plan and finds every reachable state once.
///
/// - Source: The frontier method, as for counting subgraphs in D. E. Knuth, The Art of Computer Programming 4A, 7.1.4
///   ("simpath"); a state is the information on the choices so far that matters for the rest.
struct FrontierSearch<Key: FixedWidthInteger & UnsignedInteger & Sendable> {
  let plan: SearchPlan
  let name: String
  let limits: SearchLimits

  /// The number of states between two checks for cancellation.
  static var stride: Int { 4096 }

  /// Returns the graph of states.
  ///
  /// - Throws: ``ScenarioError/tooWide(network:states:process:of:)``, `CancellationError`.
  func graph() throws -> ScenarioGraph {
    var graph = ScenarioGraph(plan)
    var keys: [Key] = [0]
    var total = 1
    for (index, step) in plan.steps.enumerated() {
      let layer: ScenarioGraph.Layer
      (keys, layer) = try advance(keys, FrontierStep<Key>(step, counter: plan.counter), total, index)
      graph.append(layer)
      total += keys.count
      if keys.isEmpty { break }
    }
    try graph.count(limits, name: name)
    return graph
  }

  private func advance(
    _ keys: [Key], _ step: FrontierStep<Key>, _ total: Int, _ index: Int
  ) throws -> ([Key], ScenarioGraph.Layer) {
    var table = KeyTable<Key>()
    var layer = ScenarioGraph.Layer(states: keys.count)
    let isLast = index == plan.steps.count - 1
    for (number, key) in keys.enumerated() {
      if number % Self.stride == 0 { try check(total + table.keys.count, index) }
      for state in step.states {
        guard let next = step.after(key, state) else { continue }
        // At the end all states are equal; even the number of active processes no longer matters.
        layer.link(number, state, to: table.number(of: isLast ? 0 : next))
      }
    }
    try check(total + table.keys.count, index)
    return (table.keys, layer)
  }

  /// Returns the number of pairs of a scenario and levels for all pools; the plan must be one for pairs.
  ///
  /// - Throws: The same errors as for the graph.
  func pairs() throws -> BigUnsigned {
    var states: [(key: Key, count: BigUnsigned)] = [(0, plan.constantWeight)]
    for (index, step) in plan.steps.enumerated() {
      let tables = FrontierStep<Key>(step, counter: plan.counter)
      let closing = step.moves.filter { !$0.weights.isEmpty }
      var table = KeyTable<Key>()
      var counts: [BigUnsigned] = []
      for (number, state) in states.enumerated() {
        // Each state has its own count here, which takes about as much memory as four states.
        if number % Self.stride == 0 { try check(4 * table.keys.count, index) }
        for choice in tables.states {
          guard let next = tables.after(state.key, choice) else { continue }
          let place = Int(table.number(of: next))
          if place == counts.count { counts.append(.zero) }
          var count = state.count
          for move in closing { count.multiply(by: Self.weight(move, state.key, choice)) }
          counts[place] += count
        }
      }
      states = Array(zip(table.keys, counts)).map { ($0, $1) }
    }
    return states.reduce(.zero) { $0 + $1.count }
  }

  private static func weight(_ move: SearchPlan.Move, _ key: Key, _ state: ProcessState) -> UInt64 {
    let before = Int(truncatingIfNeeded: (key >> Key(move.shift)) & Key(move.mask))
    return move.weights[Int(move.step.next[4 * before + Int(state.rawValue)])]
  }

  private func check(_ states: Int, _ index: Int) throws {
    try limits.check()
    guard states <= limits.states else {
      throw ScenarioError.tooWide(
        network: name, states: limits.states, process: index + 1, of: plan.steps.count)
    }
  }
}
