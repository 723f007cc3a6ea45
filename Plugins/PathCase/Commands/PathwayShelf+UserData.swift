import PluginAPI

/// An item that the user stores under a name.
enum Keepsake: Sendable {
  case observations([SavedObservation], name: String)
  case scenario(SavedScenario)

  var name: String {
    switch self {
    case .observations(_, let name): name
    case .scenario(let scenario): scenario.name
    }
  }
}

/// The user's own layouts, observations, scenarios and imported networks.
extension PathwayShelf {
  /// Returns the networks that the user imported from files, ordered by id.
  func imported(_ context: any PluginContext) async throws -> [ImportedNetwork] {
    try await keptUserData(context)?.networks() ?? []
  }

  // MARK: Layouts

  /// Stores a layout, which appears in the database at its next request.
  func keep(_ layout: FrozenLayout, _ context: any PluginContext) async throws {
    defer { forgetDatabase() }
    try await userData(context).save(layout)
  }

  /// Deletes the user's layout of a pathway, if there is one.
  func forgetLayout(of pathway: Identifier, _ context: any PluginContext) async throws {
    defer { forgetDatabase() }
    _ = try await keptUserData(context)?.removeLayout(of: pathway)
  }

  /// Returns whether the user has a layout of a pathway.
  func hasOwnLayout(of pathway: Identifier, _ context: any PluginContext) async throws -> Bool {
    try await keptUserData(context)?.layout(of: pathway) != nil
  }

  // MARK: Observations and scenarios

  /// Returns the names of stored observations.
  func observationNames(_ context: any PluginContext) async throws -> [String] {
    try await keptUserData(context)?.observationNames() ?? []
  }

  /// Returns stored observations; nil if there are none with that name.
  func observations(_ name: String, _ context: any PluginContext) async throws -> [SavedObservation]? {
    try await keptUserData(context)?.observations(name)
  }

  /// Returns the stored scenarios of a pathway.
  func scenarios(of pathway: Identifier, _ context: any PluginContext) async throws -> [SavedScenario] {
    try await keptUserData(context)?.scenarios(of: pathway) ?? []
  }

  /// Stores an item.
  ///
  /// - Parameter replaces: True to replace another item of its name.
  /// - Returns: False if another item has the name and was not replaced.
  func keep(_ keepsake: Keepsake, replaces: Bool, _ context: any PluginContext) async throws -> Bool {
    if !replaces, try await isTaken(keepsake, context) { return false }
    switch keepsake {
    case .observations(let rows, let name): try await userData(context).save(rows, as: name)
    case .scenario(let scenario): try await userData(context).save(scenario)
    }
    return true
  }

  /// Returns whether another item is stored under the name.
  private func isTaken(_ keepsake: Keepsake, _ context: any PluginContext) async throws -> Bool {
    switch keepsake {
    case .observations(let rows, let name):
      guard let before = try await observations(name, context) else { return false }
      return before != rows
    case .scenario(let scenario):
      let all = try await scenarios(of: scenario.pathway, context)
      let before = all.first { $0.name.utf8.elementsEqual(scenario.name.utf8) }
      return before.map { $0.activities != scenario.activities } ?? false
    }
  }
}
