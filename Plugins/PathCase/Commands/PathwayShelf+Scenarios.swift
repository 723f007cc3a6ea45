import PluginAPI

/// The user's own observations and scenarios.
///
/// The functions block; call them only off the main loop.
extension PathwayShelf {
  /// Returns the names of stored observations.
  func observationNamesAndWait(_ context: any PluginContext) throws -> [String] {
    try keptUserData(context)?.observationNamesAndWait() ?? []
  }

  /// Returns stored observations; nil if there are none with that name.
  func observationsAndWait(_ name: String, _ context: any PluginContext) throws -> [SavedObservation]? {
    try keptUserData(context)?.observationsAndWait(name)
  }

  /// Stores observations under a name.
  func keepAndWait(_ observations: [SavedObservation], as name: String, _ context: any PluginContext) throws {
    try userData(context).saveAndWait(observations, as: name)
  }

  /// Returns the stored scenarios of a pathway.
  func scenariosAndWait(of pathway: Identifier, _ context: any PluginContext) throws -> [SavedScenario] {
    try keptUserData(context)?.scenariosAndWait(of: pathway) ?? []
  }

  /// Stores a scenario.
  func keepAndWait(_ scenario: SavedScenario, _ context: any PluginContext) throws {
    try userData(context).saveAndWait(scenario)
  }
}
