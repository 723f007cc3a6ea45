import PluginAPI
import PluginStore

/// The user's data: own layouts, observations, scenarios, imported networks.
///
/// It is stored apart from the snapshots and refers to things by id, so that it survives every update; data about
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
  func layoutsAndWait() throws -> [FrozenLayout] {
    try store.readAndWait {
      try LayoutRows.read("SELECT pathway, width, height FROM layout ORDER BY pathway", from: $0)
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
    try await store.write { try StudyRows(connection: $0).write(observations, as: name) }
  }

  /// Returns the observations with a name; nil if there are none.
  func observations(_ name: String) async throws -> [SavedObservation]? {
    try await store.read { try StudyRows(connection: $0).observations(name) }
  }

  /// Returns the names of all observations, ordered by their bytes.
  func observationNames() async throws -> [String] {
    try await store.read { try StudyRows(connection: $0).observationNames() }
  }

  /// Deletes observations.
  ///
  /// - Returns: True if there were any.
  func removeObservations(_ name: String) async throws -> Bool {
    try await store.write {
      try $0.execute("DELETE FROM observations WHERE name = ?", [name])
      return $0.changedRows > 0
    }
  }

  // MARK: Scenarios

  /// Stores a scenario, replacing one with the same name and pathway.
  func save(_ scenario: SavedScenario) async throws {
    try await store.write { try StudyRows(connection: $0).write(scenario) }
  }

  /// Returns the scenarios of a pathway, ordered by name.
  func scenarios(of pathway: Identifier) async throws -> [SavedScenario] {
    try await store.read { try StudyRows(connection: $0).scenarios(of: pathway) }
  }

  /// Deletes a scenario.
  ///
  /// - Returns: True if there was one.
  func removeScenario(_ name: String, of pathway: Identifier) async throws -> Bool {
    try await store.write {
      try $0.execute("DELETE FROM scenario WHERE pathway = ? AND name = ?", [pathway.text, name])
      return $0.changedRows > 0
    }
  }
}
