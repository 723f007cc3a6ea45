/// Checks whether there is any scenario, without counting them.
///
/// Processes are tried idle first, and the rules are propagated after each choice. If that takes too many choices, the
/// probe gives up and the search has to decide.
struct ScenarioProbe {
  private let start: RulePropagation
  private let restriction: ScenarioRestriction
  private let limits: SearchLimits

  /// The maximum number of choices: twice as many as lead straight to a scenario.
  private var choiceLimit: Int { 2 * start.network.processes.count }

  init(_ network: ScenarioNetwork, _ restriction: ScenarioRestriction, _ limits: SearchLimits) {
    start = RulePropagation(network, effects: ScenarioEffects(network), restriction: restriction)
    self.restriction = restriction
    self.limits = limits
  }

  /// Returns whether there is a scenario; nil if the probe gave up.
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

  /// Returns whether the choices so far satisfy the restrictions that are not covered by a rule.
  private func isPossible(_ known: RulePropagation) -> Bool {
    known.activeCount <= restriction.maximumActive ?? .max
      && restriction.anyActive.allSatisfy { $0.contains { !known.states[$0].isDisjoint(with: .active) } }
  }
}
