/// Looks whether there is any scenario, without counting them.
///
/// Processes are tried idle first, and the rules followed after each choice; where that takes too many choices, it gives
/// up, and the search has to say.
struct ScenarioProbe {
  private let start: RulePropagation
  private let maximumActive: Int?
  private let limits: SearchLimits

  /// How many choices are made at most.
  private static let choiceLimit = 2_000

  init(_ network: ScenarioNetwork, _ restriction: ScenarioRestriction, _ limits: SearchLimits) {
    start = RulePropagation(network, effects: ScenarioEffects(network), restriction: restriction)
    maximumActive = restriction.maximumActive
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
      guard known.contradiction == nil, known.activeCount <= maximumActive ?? .max else { continue }
      guard let process = known.states.firstIndex(where: { $0.only == nil }) else { return true }
      choices += 1
      guard choices <= Self.choiceLimit else { return nil }
      // The last one is tried first.
      for state in known.states[process].states { open.append(known.choosing(state, for: process)) }
    }
    return false
  }
}
