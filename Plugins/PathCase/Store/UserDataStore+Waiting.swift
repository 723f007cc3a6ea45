import PluginStore

/// The same for work that has a thread of its own and may wait.
extension UserDataStore {
  /// Keeps a layout in the place of the one before.
  func saveAndWait(_ layout: FrozenLayout) throws {
    try store.writeAndWait { connection in
      try connection.execute("DELETE FROM layout WHERE pathway = ?", [layout.pathway.text])
      try connection.execute(
        "INSERT INTO layout VALUES (?, ?, ?)", [layout.pathway.text, layout.width, layout.height])
      try LayoutRows.write(layout, to: connection)
    }
  }

  /// Forgets a layout.
  ///
  /// - Returns: Whether there was one.
  func removeLayoutAndWait(of pathway: Identifier) throws -> Bool {
    try store.writeAndWait {
      try $0.execute("DELETE FROM layout WHERE pathway = ?", [pathway.text])
      return $0.changedRows > 0
    }
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
}
