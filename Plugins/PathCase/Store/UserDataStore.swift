import PluginAPI
import PluginStore

/// What belongs to the user: own layouts, observations, scenarios, imported networks.
///
/// Kept apart from the snapshots, by ids, so that it survives every update; what a snapshot no longer has stays here.
final class UserDataStore: Store {
  static let storeName = "user-data"

  let store: SQLiteStore

  /// - Parameter path: The file, as an absolute path.
  init(path: String, onChange: @escaping @Sendable (_ tables: Set<String>) -> Void = { _ in }) {
    store = SQLiteStore(name: Self.storeName, path: path, migrations: UserDataMigrations.all, onChange: onChange)
  }

  /// Where the file is in the plugin's data folder.
  static func path(in folder: String) -> String { "\(folder)/user-data.sqlite" }

  var name: String { store.name }
  var path: String { store.path }
  var schemaVersion: Int { store.schemaVersion }

  func check() async throws -> [Diagnostic] { try await store.check() }
  func backup(to path: String) async throws { try await store.backup(to: path) }
  func restore(from path: String) async throws { try await store.restore(from: path) }
  func export() async throws -> Value { try await store.export() }
  func close() async { await store.close() }

  // MARK: Layouts

  /// Keeps a layout in the place of the one before.
  func save(_ layout: FrozenLayout) async throws {
    try await store.write { connection in
      try connection.execute("DELETE FROM layout WHERE pathway = ?", [layout.pathway.text])
      try connection.execute(
        "INSERT INTO layout VALUES (?, ?, ?)", [layout.pathway.text, layout.width, layout.height])
      try LayoutRows.write(layout, to: connection)
    }
  }

  /// The user's layout of a pathway; nil if there is none.
  func layout(of pathway: Identifier) async throws -> FrozenLayout? {
    try await store.read {
      try LayoutRows.read(
        "SELECT pathway, width, height FROM layout WHERE pathway = ?", [pathway.text], from: $0
      ).first
    }
  }

  /// All of the user's layouts, in the order of their pathways, at once; only for code that may wait.
  func layoutsAndWait() throws -> [FrozenLayout] {
    try store.readAndWait {
      try LayoutRows.read("SELECT pathway, width, height FROM layout ORDER BY pathway", from: $0)
    }
  }

  /// Forgets a layout.
  ///
  /// - Returns: Whether there was one.
  func removeLayout(of pathway: Identifier) async throws -> Bool {
    try await store.write {
      try $0.execute("DELETE FROM layout WHERE pathway = ?", [pathway.text])
      return $0.changedRows > 0
    }
  }

  // MARK: Observations

  /// Keeps observations under a name, in the place of those before.
  func save(_ observations: [SavedObservation], as name: String) async throws {
    try await store.write { connection in
      try connection.execute("DELETE FROM observations WHERE name = ?", [name])
      try connection.execute("INSERT INTO observations VALUES (?)", [name])
      for observation in observations {
        try connection.execute(
          "INSERT INTO observation (name, pool, levels) VALUES (?, ?, ?)",
          [name, observation.pool.text, Int(observation.levels.rawValue)])
      }
    }
  }

  /// Observations by their name; nil if there are none of it.
  func observations(_ name: String) async throws -> [SavedObservation]? {
    try await store.read { connection in
      if try connection.value("SELECT 1 FROM observations WHERE name = ?", [name]).isNull { return nil }
      return try connection.list("SELECT pool, levels FROM observation WHERE name = ? ORDER BY position", [name]) {
        SavedObservation(
          pool: Identifier($0.text(0)), levels: LevelSet(rawValue: UInt8(truncatingIfNeeded: $0.integer(1))))
      }
    }
  }

  /// The names of all observations, in the order of their bytes.
  func observationNames() async throws -> [String] {
    try await store.read { try $0.list("SELECT name FROM observations ORDER BY name") { $0.text(0) } }
  }

  /// Forgets observations.
  ///
  /// - Returns: Whether there were some.
  func removeObservations(_ name: String) async throws -> Bool {
    try await store.write {
      try $0.execute("DELETE FROM observations WHERE name = ?", [name])
      return $0.changedRows > 0
    }
  }

  // MARK: Scenarios

  /// Keeps a scenario in the place of one of the same name and pathway.
  func save(_ scenario: SavedScenario) async throws {
    try await store.write { connection in
      let key: [(any SQLConvertible)?] = [scenario.pathway.text, scenario.name]
      try connection.execute("DELETE FROM scenario WHERE pathway = ? AND name = ?", key)
      try connection.execute("INSERT INTO scenario (pathway, name) VALUES (?, ?)", key)
      for activity in scenario.activities {
        try connection.execute(
          "INSERT INTO scenario_activity (pathway, name, process, state) VALUES (?, ?, ?, ?)",
          key + [activity.process.text, Int(activity.state.rawValue)])
      }
    }
  }

  /// The scenarios of a pathway, by their names.
  func scenarios(of pathway: Identifier) async throws -> [SavedScenario] {
    try await store.read { connection in
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

  /// Forgets a scenario.
  ///
  /// - Returns: Whether there was one.
  func removeScenario(_ name: String, of pathway: Identifier) async throws -> Bool {
    try await store.write {
      try $0.execute("DELETE FROM scenario WHERE pathway = ? AND name = ?", [pathway.text, name])
      return $0.changedRows > 0
    }
  }
}
