/// The search for scenarios in which every process whose conditions are met runs, for one labeling of all pools.
///
/// Pools cannot be considered one at a time here, because an idle process needs an excuse from any of its pools. A
/// state is therefore a set: one number for each consistent choice of levels so far.
struct StrictSearch<Key: FixedWidthInteger & UnsignedInteger & Sendable> {
  let plan: SearchPlan
  let name: String
  let limits: SearchLimits

  /// Returns the graph of states.
  ///
  /// - Throws: ``ScenarioError/tooWide(network:states:process:of:)``, `CancellationError`.
  func graph() throws -> ScenarioGraph {
    var graph = ScenarioGraph(plan)
    var sets: [[Key]] = [[0]]
    var total = 1
    for (index, step) in plan.steps.enumerated() {
      let tables = FrontierStep<Key>(step, counter: plan.counter)
      var numbers: [[Key]: UInt32] = [:]
      var found: [[Key]] = []
      var layer = ScenarioGraph.Layer(states: sets.count)
      for (number, set) in sets.enumerated() {
        try check(total, index)
        let opened = try opened(set, step, total, index)
        for state in tables.states {
          var next = Self.unique(opened.compactMap { tables.after($0, state) })
          guard !next.isEmpty else { continue }
          if index == plan.steps.count - 1 { next = [0] }
          if numbers[next] == nil {
            numbers[next] = UInt32(found.count)
            found.append(next)
            total += next.count
          }
          if let place = numbers[next] { layer.link(number, state, to: place) }
        }
      }
      graph.append(layer)
      sets = found
      if sets.isEmpty { break }
    }
    try graph.count(limits, name: name)
    return graph
  }

  /// Returns the states for every choice of levels of the pools that open.
  private func opened(_ set: [Key], _ step: SearchPlan.Step, _ total: Int, _ index: Int) throws -> [Key] {
    try step.moves.reduce(set) { keys, move in
      guard move.opening.count > 1 || move.opening.first ?? 0 > 0 else { return keys }
      try check(total + keys.count * move.opening.count, index)
      return keys.flatMap { key in move.opening.map { key | Key($0) << Key(move.shift) } }
    }
  }

  private static func unique(_ keys: [Key]) -> [Key] {
    var unique: [Key] = []
    for key in keys.sorted() where unique.last != key { unique.append(key) }
    return unique
  }

  private func check(_ states: Int, _ index: Int) throws {
    try limits.check()
    guard states <= limits.states else {
      throw ScenarioError.tooWide(network: name, states: limits.states, process: index + 1, of: plan.steps.count)
    }
  }
}
