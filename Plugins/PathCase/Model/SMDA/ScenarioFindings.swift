/// What an analysis found, as a browser of scenarios shows it.
struct ScenarioFindings: Sendable {
  var set: ScenarioSet
  /// For each process the states it has in some scenario.
  var states: [ProcessStates]
  /// Some scenarios, and the number of the first, from 0.
  var page: ScenarioSet.Page
  var first: BigUnsigned
  var notes: [String]
  /// Why there is no scenario.
  var conflicts: [ScenarioConflict]
  /// Processes that something unlisted must keep from running, in strict mode without scenarios.
  var missingRegulation: [Int]

  /// Works everything out.
  ///
  /// - Throws: As for the analysis.
  init(_ set: ScenarioSet, pageSize: Int) throws {
    self.set = set
    states = set.possibleStates
    page = try set.page(from: .zero, count: pageSize)
    first = .zero
    notes = try set.notes(on: page)
    conflicts = try set.analysis.conflicts()
    missingRegulation = set.mode == .strict && set.count.isZero ? try set.analysis.missingRegulation() ?? [] : []
  }
}

/// In how many scenarios each process does what, and the levels of each pool.
struct ScenarioShares: Sendable, Hashable {
  var marginals: [ProcessMarginal]
  var levels: [LevelSet]

  init(_ set: ScenarioSet) throws {
    marginals = try set.marginals()
    levels = try set.levels()
  }
}
