import PluginAPI

/// The user's own observations and scenarios; only for work that may wait.
extension PathwayShelf {
  /// The names of kept observations.
  func observationNamesAndWait(_ context: any PluginContext) throws -> [String] {
    try keptUserData(context)?.observationNamesAndWait() ?? []
  }

  /// Kept observations; nil if there are none of that name.
  func observationsAndWait(_ name: String, _ context: any PluginContext) throws -> [SavedObservation]? {
    try keptUserData(context)?.observationsAndWait(name)
  }

  /// Keeps observations under a name.
  func keepAndWait(_ observations: [SavedObservation], as name: String, _ context: any PluginContext) throws {
    try userData(context).saveAndWait(observations, as: name)
  }

  /// The kept scenarios of a pathway.
  func scenariosAndWait(of pathway: Identifier, _ context: any PluginContext) throws -> [SavedScenario] {
    try keptUserData(context)?.scenariosAndWait(of: pathway) ?? []
  }

  /// Keeps a scenario.
  func keepAndWait(_ scenario: SavedScenario, _ context: any PluginContext) throws {
    try userData(context).saveAndWait(scenario)
  }
}
