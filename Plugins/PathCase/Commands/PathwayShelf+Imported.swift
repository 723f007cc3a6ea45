import PluginAPI

/// The networks that the user imported from files.
extension PathwayShelf {
  /// Returns all of them, ordered by id.
  ///
  /// Blocks; call it only off the main loop.
  func importedAndWait(_ context: any PluginContext) throws -> [ImportedNetwork] {
    try keptUserData(context)?.networksAndWait() ?? []
  }
}
