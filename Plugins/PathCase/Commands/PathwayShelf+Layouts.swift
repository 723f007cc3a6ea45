import PluginAPI

/// The user's own layouts; stored changes appear in the database at its next request.
extension PathwayShelf {
  /// Stores a layout.
  ///
  /// Blocks; call it only off the main loop.
  func keepAndWait(_ layout: FrozenLayout, _ context: any PluginContext) throws {
    try userData(context).saveAndWait(layout)
    forgetDatabase()
  }

  /// Deletes the user's layout of a pathway.
  ///
  /// Blocks; call it only off the main loop.
  ///
  /// - Returns: True if there was one.
  func forgetLayoutAndWait(of pathway: Identifier, _ context: any PluginContext) throws -> Bool {
    let wasThere = try keptUserData(context)?.removeLayoutAndWait(of: pathway) ?? false
    forgetDatabase()
    return wasThere
  }

  /// Returns whether the user has a layout of a pathway.
  ///
  /// Blocks; call it only off the main loop.
  func hasOwnLayoutAndWait(of pathway: Identifier, _ context: any PluginContext) throws -> Bool {
    try keptUserData(context)?.layoutsAndWait().contains { $0.pathway == pathway } ?? false
  }
}
