import PluginStore

/// Blocking variants of the functions, for work on its own thread.
extension UserDataStore {
  /// Stores a layout, replacing the previous one.
  func saveAndWait(_ layout: FrozenLayout) throws {
    try store.writeAndWait { try LayoutRows.replace(layout, in: $0) }
  }

  /// Deletes a layout.
  ///
  /// - Returns: True if there was one.
  func removeLayoutAndWait(of pathway: Identifier) throws -> Bool {
    try store.writeAndWait { try LayoutRows.remove(of: pathway, from: $0) }
  }

  /// Stores observations under a name, replacing any others.
  func saveAndWait(_ observations: [SavedObservation], as name: String) throws {
    try store.writeAndWait { try StudyRows(connection: $0).write(observations, as: name) }
  }

  /// Returns the observations with a name; nil if there are none.
  func observationsAndWait(_ name: String) throws -> [SavedObservation]? {
    try store.readAndWait { try StudyRows(connection: $0).observations(name) }
  }

  /// Returns the names of all observations, ordered by their bytes.
  func observationNamesAndWait() throws -> [String] {
    try store.readAndWait { try StudyRows(connection: $0).observationNames() }
  }

  /// Stores a scenario, replacing one with the same name and pathway.
  func saveAndWait(_ scenario: SavedScenario) throws {
    try store.writeAndWait { try StudyRows(connection: $0).write(scenario) }
  }

  /// Returns the scenarios of a pathway, ordered by name.
  func scenariosAndWait(of pathway: Identifier) throws -> [SavedScenario] {
    try store.readAndWait { try StudyRows(connection: $0).scenarios(of: pathway) }
  }

  /// Returns all imported networks, ordered by id.
  func networksAndWait() throws -> [ImportedNetwork] { try store.readAndWait { try Self.networks($0) } }
}
