import PluginAPI
import Synchronization

/// The stores of one plugin: each is made at its first use and is the same object afterwards.
final class StoreShelf: Sendable {
  /// A store, made by the first caller; others wait for it.
  private final class Place: Sendable {
    let store = Mutex<(any Store)?>(nil)
  }

  private let plugin: any Plugin
  private let places: [String: Place]
  private let entrance: PluginEntrance

  init(plugin: any Plugin, declared names: [String], entrance: PluginEntrance) {
    self.plugin = plugin
    self.entrance = entrance
    places = Dictionary(names.map { ($0, Place()) }) { first, _ in first }
  }

  /// Returns the store of that name.
  ///
  /// - Throws: ``ErrorReport`` if the plugin did not announce it or cannot make it.
  func store(_ name: String, _ context: any PluginContext) throws -> any Store {
    guard let place = places[name] else {
      let nearest = Suggestion.nearest(to: name, in: places.keys.sorted()).map { "did you mean '\($0)'?" }
      throw ErrorReport(
        code: "host.unknown-store", kind: .notFound, "plugin '\(entrance.id)' has no store '\(name)'", advice: nearest)
    }
    return try place.store.withLock { store in
      if let store { return store }
      let made = try entrance(.store, name) { try plugin.makeStore(name, context) }
      store = made
      return made
    }
  }

  /// The stores that were made; one that is being made just now is left out.
  var made: [any Store] { places.values.compactMap { $0.store.withLockIfAvailable { $0 } ?? nil } }
}
