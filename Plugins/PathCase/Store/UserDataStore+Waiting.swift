import PluginStore

/// The same for work that has a thread of its own and may wait.
extension UserDataStore {
  /// Keeps a layout in the place of the one before.
  func saveAndWait(_ layout: FrozenLayout) throws {
    try store.writeAndWait { try LayoutRows.replace(layout, in: $0) }
  }

  /// Forgets a layout.
  ///
  /// - Returns: Whether there was one.
  func removeLayoutAndWait(of pathway: Identifier) throws -> Bool {
    try store.writeAndWait { try LayoutRows.remove(of: pathway, from: $0) }
  }

  /// Keeps observations under a name, in the place of those before.
  func saveAndWait(_ observations: [SavedObservation], as name: String) throws {
    try store.writeAndWait { try StudyRows(connection: $0).write(observations, as: name) }
  }

  /// Observations by their name; nil if there are none of it.
  func observationsAndWait(_ name: String) throws -> [SavedObservation]? {
    try store.readAndWait { try StudyRows(connection: $0).observations(name) }
  }

  /// The names of all observations, in the order of their bytes.
  func observationNamesAndWait() throws -> [String] {
    try store.readAndWait { try StudyRows(connection: $0).observationNames() }
  }

  /// Keeps a scenario in the place of one of the same name and pathway.
  func saveAndWait(_ scenario: SavedScenario) throws {
    try store.writeAndWait { try StudyRows(connection: $0).write(scenario) }
  }

  /// The scenarios of a pathway, by their names.
  func scenariosAndWait(of pathway: Identifier) throws -> [SavedScenario] {
    try store.readAndWait { try StudyRows(connection: $0).scenarios(of: pathway) }
  }

  /// All imported networks, in the order of their ids.
  func networksAndWait() throws -> [ImportedNetwork] { try store.readAndWait { try Self.networks($0) } }
}
