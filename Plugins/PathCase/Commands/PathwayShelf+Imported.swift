import Glibc
import PluginAPI

/// The networks that the user took in from files.
extension PathwayShelf {
  /// All of them, in the order of their ids; only for work that may wait.
  func importedAndWait(_ context: any PluginContext) throws -> [ImportedNetwork] {
    // Nothing is made for a user who keeps nothing.
    guard access(UserDataStore.path(in: context.folders.data), F_OK) == 0 else { return [] }
    return try userData(context).networksAndWait()
  }
}
