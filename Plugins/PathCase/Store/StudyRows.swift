import PluginStore

/// The rows of stored observations and scenarios.
struct StudyRows {
  let connection: Connection

  // MARK: Observations

  /// Replaces the observations with a name.
  func write(_ observations: [SavedObservation], as name: String) throws {
    try connection.execute("DELETE FROM observations WHERE name = ?", [name])
    try connection.execute("INSERT INTO observations VALUES (?)", [name])
    for observation in observations {
      try connection.execute(
        "INSERT INTO observation (name, pool, levels) VALUES (?, ?, ?)",
        [name, observation.pool.text, Int(observation.levels.rawValue)])
    }
  }

  /// Returns the observations with a name; nil if there are none.
  func observations(_ name: String) throws -> [SavedObservation]? {
    if try connection.value("SELECT 1 FROM observations WHERE name = ?", [name]).isNull { return nil }
    return try connection.list("SELECT pool, levels FROM observation WHERE name = ? ORDER BY position", [name]) {
      SavedObservation(
        pool: Identifier($0.text(0)), levels: LevelSet(rawValue: UInt8(truncatingIfNeeded: $0.integer(1))))
    }
  }

  /// Returns the names of all observations, ordered by their bytes.
  func observationNames() throws -> [String] {
    try connection.list("SELECT name FROM observations ORDER BY name") { $0.text(0) }
  }

  // MARK: Scenarios

  /// Replaces the scenario with the same name and pathway.
  func write(_ scenario: SavedScenario) throws {
    let key: [(any SQLConvertible)?] = [scenario.pathway.text, scenario.name]
    try connection.execute("DELETE FROM scenario WHERE pathway = ? AND name = ?", key)
    try connection.execute("INSERT INTO scenario (pathway, name) VALUES (?, ?)", key)
    for activity in scenario.activities {
      try connection.execute(
        "INSERT INTO scenario_activity (pathway, name, process, state) VALUES (?, ?, ?, ?)",
        key + [activity.process.text, Int(activity.state.rawValue)])
    }
  }

  /// Returns the scenarios of a pathway, ordered by name.
  func scenarios(of pathway: Identifier) throws -> [SavedScenario] {
    var scenarios = try connection.list(
      "SELECT name FROM scenario WHERE pathway = ? ORDER BY name", [pathway.text]
    ) { SavedScenario(name: $0.text(0), pathway: pathway) }
    for index in scenarios.indices {
      scenarios[index].activities = try connection.list(
        "SELECT process, state FROM scenario_activity WHERE pathway = ? AND name = ? ORDER BY position",
        [pathway.text, scenarios[index].name]
      ) {
        SavedScenario.Activity(
          process: Identifier($0.text(0)),
          state: ProcessState(rawValue: UInt8(truncatingIfNeeded: $0.integer(1))) ?? .idle)
      }
    }
    return scenarios
  }
}
