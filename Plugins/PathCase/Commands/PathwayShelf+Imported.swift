import PluginAPI

/// The networks that the user took in from files.
extension PathwayShelf {
  /// All of them, in the order of their ids; only for work that may wait.
  func importedAndWait(_ context: any PluginContext) throws -> [ImportedNetwork] {
    try keptUserData(context)?.networksAndWait() ?? []
  }
}
