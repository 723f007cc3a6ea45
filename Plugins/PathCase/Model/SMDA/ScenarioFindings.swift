/// The results of an analysis as shown by a scenario browser.
struct ScenarioFindings: Sendable {
  var set: ScenarioSet
  /// The states that each process has in some scenario.
  var states: [ProcessStates]
  /// A page of scenarios, with the number of the first, from 0.
  var page: ScenarioSet.Page
  var first: BigUnsigned
  var notes: [String]
  /// The reasons for which there is no scenario.
  var conflicts: [ScenarioConflict]
  /// The processes that something outside the network must prevent from running, in strict mode without scenarios.
  var missingRegulation: [Int]

  /// Computes all results.
  ///
  /// - Throws: The errors of the analysis.
  init(_ set: ScenarioSet, pageSize: Int) throws {
    self.set = set
    states = set.possibleStates
    page = try set.page(from: .zero, count: pageSize)
    first = .zero
    notes = try set.notes(on: page)
    conflicts = try set.analysis.conflicts()
    missingRegulation = try set.missingRegulation()
  }

  /// Returns the results with another page of scenarios, from a number.
  func turned(to first: BigUnsigned, count: Int) throws -> ScenarioFindings {
    var findings = self
    findings.page = try set.page(from: first, count: count)
    findings.first = first
    return findings
  }

  /// Returns the results with scenarios drawn at random.
  func sampled(seed: UInt64, count: Int) throws -> ScenarioFindings {
    var findings = self
    findings.page = try set.sample(seed: seed, count: count)
    return findings
  }
}

/// The number of scenarios in which each process has each state, and the levels of each pool.
struct ScenarioShares: Sendable, Hashable {
  var marginals: [ProcessMarginal]
  var levels: [LevelSet]

  init(_ set: ScenarioSet) throws {
    marginals = try set.marginals()
    levels = try set.levels()
  }
}
