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
    try await store.write { try LayoutRows.replace(layout, in: $0) }
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
    try await store.write { try LayoutRows.remove(of: pathway, from: $0) }
  }

  // MARK: Observations

  /// Keeps observations under a name, in the place of those before.
  func save(_ observations: [SavedObservation], as name: String) async throws {
    try await store.write { try StudyRows(connection: $0).write(observations, as: name) }
  }

  /// Observations by their name; nil if there are none of it.
  func observations(_ name: String) async throws -> [SavedObservation]? {
    try await store.read { try StudyRows(connection: $0).observations(name) }
  }

  /// The names of all observations, in the order of their bytes.
  func observationNames() async throws -> [String] {
    try await store.read { try StudyRows(connection: $0).observationNames() }
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
    try await store.write { try StudyRows(connection: $0).write(scenario) }
  }

  /// The scenarios of a pathway, by their names.
  func scenarios(of pathway: Identifier) async throws -> [SavedScenario] {
    try await store.read { try StudyRows(connection: $0).scenarios(of: pathway) }
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
