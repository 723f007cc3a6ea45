extension GraphOverlay {
  /// Creates an overlay of observed pool levels.
  ///
  /// - Parameter levels: The levels possible for each pool; pools that may have any level are left out.
  init(levels: [Identifier: LevelSet], title: String = "observed levels") {
    self.init(title: title)
    for (pool, levels) in levels where !LevelSet.lowest(3).isSubset(of: levels) {
      pools[pool] = PoolMark(label: levels.marks, isObserved: true)
    }
  }

  /// Creates an overlay of the levels observed in a network.
  init(observationsOf network: ScenarioNetwork) {
    var levels: [Identifier: LevelSet] = [:]
    for pool in network.pools { if let observed = pool.observed { levels[pool.id] = observed } }
    self.init(levels: levels)
  }

  /// Creates an overlay of a scenario: the states of processes, and the levels that pools can have with them.
  ///
  /// Processes with the same state in every scenario of the analysis are marked as forced.
  /// - Parameter title: The title of the picture, such as `scenario 3 of 208`.
  /// - Throws: In strict mode the analysis's errors, because levels depend on each other there.
  init(_ scenario: Scenario, of analysis: ScenarioAnalysis, title: String) throws {
    self.init(statesOf: scenario, of: analysis, title: title)
    mark(analysis.network, try analysis.levels(of: scenario))
  }

  /// Creates an overlay of the states of processes in a scenario and the observed levels.
  init(statesOf scenario: Scenario, of analysis: ScenarioAnalysis, title: String) {
    self.init(observationsOf: analysis.network)
    self.title = title
    for (index, process) in analysis.network.processes.enumerated() {
      processes[process.id] = ProcessMark(
        state: scenario.states[index], isForced: analysis.possibleStates[index].only != nil)
    }
  }

  /// Creates an overlay of a saved scenario, for which only the states are known.
  init(_ saved: SavedScenario) {
    self.init(title: saved.name)
    for activity in saved.activities { processes[activity.process] = ProcessMark(state: activity.state) }
  }

  /// Creates an overlay of all scenarios: the fraction of them in which each process is active, 0 to 1.
  ///
  /// The number is negative if the process runs backward more often than forward. Only forced processes get a state.
  /// - Parameter levels: The levels that each pool has in some scenario.
  init(marginals: [ProcessMarginal], levels: [LevelSet], of analysis: ScenarioAnalysis) {
    self.init(title: "shares of \(analysis.count.grouped) scenarios")
    let network = analysis.network
    for (index, process) in network.processes.enumerated() {
      let share = marginals[index].activeShare
      let only = analysis.possibleStates[index].only
      processes[process.id] = ProcessMark(
        state: only, value: marginals[index].backward > marginals[index].forward ? -share : share,
        isForced: only != nil)
    }
    mark(network, levels)
  }

  /// Marks the pools whose levels are restricted.
  private mutating func mark(_ network: ScenarioNetwork, _ levels: [LevelSet]) {
    let every = LevelSet.lowest(network.rules.levels)
    for (pool, levels) in zip(network.pools, levels) {
      let isObserved = pool.observed.map { !every.isSubset(of: $0) } ?? false
      guard isObserved || !every.isSubset(of: levels) else { continue }
      pools[pool.id] = PoolMark(label: levels.marks, isObserved: isObserved)
    }
  }
}

extension LevelSet {
  /// The letters for pictures, lowest level first, such as `A|C`.
  var marks: String { levels.map { String($0.letter) }.joined(separator: "|") }
}
