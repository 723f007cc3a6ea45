/// Looks whether there is any scenario, without counting them.
///
/// Processes are tried idle first, and the rules followed after each choice; where that takes too many choices, it gives
/// up, and the search has to say.
struct ScenarioProbe {
  private let start: RulePropagation
  private let restriction: ScenarioRestriction
  private let limits: SearchLimits

  /// How many choices are made at most; twice as many as lead straight to a scenario.
  private var choiceLimit: Int { 2 * start.network.processes.count }

  init(_ network: ScenarioNetwork, _ restriction: ScenarioRestriction, _ limits: SearchLimits) {
    start = RulePropagation(network, effects: ScenarioEffects(network), restriction: restriction)
    self.restriction = restriction
    self.limits = limits
  }

  /// Whether there is a scenario; nil if it gave up.
  ///
  /// - Throws: `CancellationError`.
  func hasScenario() throws -> Bool? {
    var open = [start]
    var choices = 0
    while var known = open.popLast() {
      try limits.check()
      known.run()
      guard known.contradiction == nil, isPossible(known) else { continue }
      guard let process = known.states.firstIndex(where: { $0.only == nil }) else { return true }
      choices += 1
      guard choices <= choiceLimit else { return nil }
      // The last one is tried first.
      for state in known.states[process].states { open.append(known.choosing(state, for: process)) }
    }
    return false
  }

  /// Whether the choices so far leave room for what no rule is about.
  private func isPossible(_ known: RulePropagation) -> Bool {
    known.activeCount <= restriction.maximumActive ?? .max
      && restriction.anyActive.allSatisfy { $0.contains { !known.states[$0].isDisjoint(with: .active) } }
  }
}
