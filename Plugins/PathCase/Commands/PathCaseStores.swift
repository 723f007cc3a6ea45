import PluginAPI

/// The stores of this plugin, and the notifications of their changes.
enum PathCaseStores {
  static let descriptions = [
    StoreDescription(
      DatabaseStore.storeName, "the database that was fetched, and the one before it; a backup holds the one in use"),
    StoreDescription(UserDataStore.storeName, "own layouts, observations, scenarios and imported networks"),
  ]

  static let topics = [
    TopicDescription(
      PathwayShelf.databaseChanged, "another state of the database came into use",
      payload: .record([
        .init("reason", .text, "update, rollback or restore"),
        .init("snapshot", .optional(.text), "the state in the words of whoever made it"),
        .init("source", .optional(.text), "where it was fetched from; null for the one that came with the program"),
        .init("sha256", .optional(.text), "the digest of its manifest"),
      ])),
    TopicDescription(
      "\(UserDataStore.storeName)-changed", "own layouts, observations, scenarios or networks were kept or forgotten",
      payload: .list(.text)),
  ]

  /// Creates a store.
  static func make(_ name: String, _ context: any PluginContext, _ shelf: PathwayShelf) throws -> any Store {
    switch name {
    case DatabaseStore.storeName:
      return DatabaseStore(folder: context.folders.data) { [weak context] in
        if let context { shelf.databaseReplaced(context, reason: "restore") }
      }
    case UserDataStore.storeName:
      return UserDataStore(path: UserDataStore.path(in: context.folders.data)) { [weak context] tables in
        if tables.contains(where: { $0.hasPrefix("layout") }) { shelf.forgetDatabase() }
        context?.notify("\(UserDataStore.storeName)-changed", .list(tables.sorted().map(Value.text)))
      }
    default: throw MissingPart.store(name)
    }
  }
}
