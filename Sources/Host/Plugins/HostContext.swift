import Glibc
import PluginAPI
import Synchronization

/// The door from one plugin to the host.
final class HostContext: PluginContext {
  let pluginID: String
  let isOffline: Bool
  let eventLoop: any EventLoop
  private let places: PluginFolders
  private let contributions: StoredContributions
  private let notifications: NotificationHub
  private let settings: Settings
  private let host: PluginHost
  private let log: HostLog
  private let stores: StoreShelf?
  private let hasFolders = Mutex(false)

  /// The services of the host for all plugins.
  struct Services: Sendable {
    var notifications: NotificationHub
    var settings: Settings
    var log: HostLog
    var isOffline: Bool
  }

  /// Creates the context of a plugin.
  ///
  /// - Parameters:
  ///   - plugin: The plugin; nil for the host's own commands.
  ///   - services: The services of the host for all plugins.
  @MainActor init(
    plugin: (any Plugin)?, contributions: StoredContributions, host: PluginHost, folders: PluginFolders,
    entrance: PluginEntrance, services: Services
  ) {
    pluginID = contributions.plugin.id
    self.contributions = contributions
    self.host = host
    places = folders
    isOffline = services.isOffline
    notifications = services.notifications
    settings = services.settings
    log = services.log
    stores = plugin.map { StoreShelf(plugin: $0, declared: contributions.stores.map(\.name), entrance: entrance) }
    eventLoop = entrance.loop
  }

  /// The folders; those the plugin writes to are made at the first call.
  var folders: PluginFolders {
    hasFolders.withLock { hasFolders in
      if hasFolders { return }
      hasFolders = true
      for folder in [places.data, places.state, places.cache] {
        do throws(HostFileError) {
          try HostFile.makeFolder(folder)
        } catch {
          log.write(.error, from: pluginID, error.report.message)
        }
      }
    }
    return places
  }

  func now() -> Instant {
    Instant.now
  }

  func setting(_ name: String) -> Value {
    contributions.settings.first { $0.name == name }.map { settings.value(pluginID, $0) } ?? .null
  }

  func set(_ name: String, to value: Value) throws {
    try settings.set(name, to: value, of: contributions)
  }

  func log(_ severity: Diagnostic.Severity, _ message: String) {
    log.write(severity, from: pluginID, message)
  }

  func store(_ name: String) throws -> any Store {
    guard let stores else { throw MissingPart.store(name) }
    return try stores.store(name, self)
  }

  /// The stores that were made for the plugin.
  var openStores: [any Store] { stores?.made ?? [] }

  func call(_ command: String, _ arguments: Record) async throws -> Value {
    let depth = CallDepth.current + 1
    guard depth <= CallDepth.limit else { throw CallDepth.exceeded(by: command, of: pluginID) }
    let collector = CollectedOutput()
    let output = try await CallDepth.$current.withValue(depth) {
      try await CommandRunner(host: host).run(command, from: pluginID, arguments, output: collector)
    }
    return collector.value(of: output)
  }

  func notify(_ topic: String, _ payload: Value) {
    notifications.send(Notification(topic: pluginID + "." + topic, plugin: pluginID, payload: payload))
  }

  func subscribe(
    _ topic: String, _ handler: @escaping @MainActor @Sendable (PluginAPI.Notification) -> Void
  ) -> any Cancellable {
    notifications.subscribe(topic, handler)
  }
}

/// The maximum depth of calls between commands; a command that calls itself would otherwise never end.
private enum CallDepth {
  @TaskLocal static var current = 0

  static let limit = 64

  static func exceeded(by command: String, of plugin: String) -> ErrorReport {
    ErrorReport(
      code: "host.calls-too-deep", kind: .pluginFailed,
      "plugin '\(plugin)' called '\(command)' inside \(limit) other calls",
      advice: "report this to the plugin's author", details: ["plugin": .text(plugin), "command": .text(command)])
  }
}

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
      let nearest = Suggestion.advice(for: name, in: places.keys.sorted())
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
