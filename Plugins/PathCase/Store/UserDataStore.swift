import PluginAPI
import PluginStore

/// The user's data: own layouts, observations, scenarios, imported networks.
///
/// It is stored apart from the snapshots and refers to things by id, so that it survives every update. Data about
/// things that a snapshot no longer contains are kept.
final class UserDataStore: Store {
  static let storeName = "user-data"

  let store: SQLiteStore

  /// - Parameter path: The absolute path of the file.
  init(path: String, onChange: @escaping @Sendable (_ tables: Set<String>) -> Void = { _ in }) {
    store = SQLiteStore(name: Self.storeName, path: path, migrations: UserDataMigrations.all, onChange: onChange)
  }

  /// Returns the path of the file in the plugin's data folder.
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

  /// Stores a layout, replacing the previous one.
  func save(_ layout: FrozenLayout) async throws {
    try await store.write { try LayoutRows.replace(layout, in: $0) }
  }

  /// Returns the user's layout of a pathway; nil if there is none.
  func layout(of pathway: Identifier) async throws -> FrozenLayout? {
    try await store.read {
      try LayoutRows.read(
        "SELECT pathway, width, height FROM layout WHERE pathway = ?", [pathway.text], from: $0
      ).first
    }
  }

  /// Returns all of the user's layouts, ordered by pathway.
  ///
  /// Blocks; call it only off the main loop.
  func layouts() throws -> [FrozenLayout] {
    try store.blockingSession {
      try $0.read { try LayoutRows.read("SELECT pathway, width, height FROM layout ORDER BY pathway", from: $0) }
    }
  }

  /// Deletes a layout.
  ///
  /// - Returns: True if there was one.
  func removeLayout(of pathway: Identifier) async throws -> Bool {
    try await store.write { try LayoutRows.remove(of: pathway, from: $0) }
  }

  // MARK: Observations

  /// Stores observations under a name, replacing any others.
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

  /// Returns the observations with a name; nil if there are none.
  func observations(_ name: String) async throws -> [SavedObservation]? {
    try await store.read { connection in
      if try connection.value("SELECT 1 FROM observations WHERE name = ?", [name]).isNull { return nil }
      return try connection.list("SELECT pool, levels FROM observation WHERE name = ? ORDER BY position", [name]) {
        SavedObservation(
          pool: Identifier($0.text(0)), levels: LevelSet(rawValue: UInt8(truncatingIfNeeded: $0.integer(1))))
      }
    }
  }

  /// Returns the names of all observations, ordered by their bytes.
  func observationNames() async throws -> [String] {
    try await store.read { try $0.list("SELECT name FROM observations ORDER BY name") { $0.text(0) } }
  }

  /// Deletes observations.
  ///
  /// - Returns: True if there were any.
  func removeObservations(_ name: String) async throws -> Bool {
    try await remove("DELETE FROM observations WHERE name = ?", [name])
  }

  // MARK: Scenarios

  /// Stores a scenario, replacing one with the same name and pathway.
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

  /// Returns the scenarios of a pathway, ordered by name.
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

  /// Deletes a scenario.
  ///
  /// - Returns: True if there was one.
  func removeScenario(_ name: String, of pathway: Identifier) async throws -> Bool {
    try await remove("DELETE FROM scenario WHERE pathway = ? AND name = ?", [pathway.text, name])
  }

  // MARK: Imported networks

  /// Stores a network with the bytes of its file, replacing one with the same id.
  func save(_ network: ImportedNetwork, content: [UInt8]) async throws {
    try await store.write {
      try $0.execute(
        "INSERT OR REPLACE INTO network VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
          network.id.text, network.name, network.format, network.file, network.sha256, network.importedAt, content,
        ])
    }
  }

  /// Returns all imported networks, ordered by id.
  func networks() async throws -> [ImportedNetwork] {
    try await store.read {
      try $0.list("SELECT id, name, format, file, sha256, imported_at FROM network ORDER BY id") {
        ImportedNetwork(
          id: Identifier($0.text(0)), name: $0.text(1), format: $0.text(2), file: $0.text(3), sha256: $0.text(4),
          importedAt: $0.integer(5))
      }
    }
  }

  /// Returns the bytes of an imported network; nil if there is none with the id.
  ///
  /// Blocks; call it only off the main loop.
  func networkContent(_ id: Identifier) throws -> [UInt8]? {
    try store.blockingSession {
      try $0.read { try $0.first("SELECT content FROM network WHERE id = ?", [id.text]) { $0.bytes(0) } }
    }
  }

  /// Deletes an imported network.
  ///
  /// - Returns: True if there was one.
  func removeNetwork(_ id: Identifier) async throws -> Bool {
    try await remove("DELETE FROM network WHERE id = ?", [id.text])
  }

  /// Deletes rows; returns true if there were any.
  private func remove(_ statement: String, _ arguments: [(any SQLConvertible)?]) async throws -> Bool {
    try await store.write {
      try $0.execute(statement, arguments)
      return $0.changedRows > 0
    }
  }
}

/// The tables of the user's data; they refer to things by id, so that they remain valid with any snapshot.
enum UserDataMigrations {
  static let all = [
    Migration(
      1, "layouts, observations, scenarios",
      sql: """
        CREATE TABLE layout (pathway TEXT PRIMARY KEY, width REAL, height REAL);
        CREATE TABLE layout_node (
          position INTEGER PRIMARY KEY, pathway TEXT NOT NULL REFERENCES layout (pathway) ON DELETE CASCADE,
          ref TEXT NOT NULL, clone TEXT NOT NULL, x REAL NOT NULL, y REAL NOT NULL, width REAL, height REAL);
        CREATE INDEX layout_node_pathway ON layout_node (pathway);
        CREATE TABLE layout_path (
          position INTEGER PRIMARY KEY, pathway TEXT NOT NULL REFERENCES layout (pathway) ON DELETE CASCADE,
          process TEXT NOT NULL, pool TEXT NOT NULL, points BLOB NOT NULL);
        CREATE INDEX layout_path_pathway ON layout_path (pathway);
        CREATE TABLE observations (name TEXT PRIMARY KEY);
        CREATE TABLE observation (
          position INTEGER PRIMARY KEY, name TEXT NOT NULL REFERENCES observations (name) ON DELETE CASCADE,
          pool TEXT NOT NULL, levels INTEGER NOT NULL, UNIQUE (name, pool));
        CREATE TABLE scenario (name TEXT NOT NULL, pathway TEXT NOT NULL, PRIMARY KEY (pathway, name));
        CREATE TABLE scenario_activity (
          position INTEGER PRIMARY KEY, pathway TEXT NOT NULL, name TEXT NOT NULL, process TEXT NOT NULL,
          state INTEGER NOT NULL,
          FOREIGN KEY (pathway, name) REFERENCES scenario (pathway, name) ON DELETE CASCADE);
        CREATE INDEX scenario_activity_scenario ON scenario_activity (pathway, name);
        """),
    Migration(
      2, "imported networks",
      sql: """
        CREATE TABLE network (
          id TEXT PRIMARY KEY, name TEXT NOT NULL, format TEXT NOT NULL, file TEXT NOT NULL, sha256 TEXT NOT NULL,
          imported_at INTEGER NOT NULL, content BLOB NOT NULL);
        """),
  ]
}
