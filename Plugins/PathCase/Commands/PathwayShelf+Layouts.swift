import PluginAPI

/// The user's own layouts; what is kept is in the database at its next request.
extension PathwayShelf {
  /// Keeps a layout; only for work that may wait.
  func keepAndWait(_ layout: FrozenLayout, _ context: any PluginContext) throws {
    try userData(context).saveAndWait(layout)
    forgetDatabase()
  }

  /// Forgets the user's layout of a pathway; only for work that may wait.
  ///
  /// - Returns: Whether there was one.
  func forgetLayoutAndWait(of pathway: Identifier, _ context: any PluginContext) throws -> Bool {
    let wasThere = try keptUserData(context)?.removeLayoutAndWait(of: pathway) ?? false
    forgetDatabase()
    return wasThere
  }

  /// Whether the user has a layout of a pathway; only for work that may wait.
  func hasOwnLayoutAndWait(of pathway: Identifier, _ context: any PluginContext) throws -> Bool {
    try keptUserData(context)?.layoutsAndWait().contains { $0.pathway == pathway } ?? false
  }
}
