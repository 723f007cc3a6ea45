import Glibc
import PluginAPI
import Synchronization

/// The door from one plugin to the host.
final class HostContext: PluginContext {
  let pluginID: String
  let isOffline: Bool
  let eventLoop: any EventLoop
  private let places: PluginFolders
  private let contributions: Contributions
  private let notifications: NotificationHub
  private let settings: Settings
  private let host: PluginHost
  private let log: HostLog
  private let stores: StoreShelf
  private let hasFolders = Mutex(false)

  @MainActor init(
    plugin: any Plugin, contributions: Contributions, host: PluginHost, folders: PluginFolders,
    entrance: PluginEntrance, notifications: NotificationHub, settings: Settings, log: HostLog, isOffline: Bool
  ) {
    pluginID = contributions.plugin.id
    self.contributions = contributions
    self.host = host
    places = folders
    self.isOffline = isOffline
    self.notifications = notifications
    self.settings = settings
    self.log = log
    stores = StoreShelf(plugin: plugin, declared: contributions.stores.map(\.name), entrance: entrance)
    eventLoop = entrance.loop
  }

  /// The folders; those the plugin writes to are made at the first call.
  var folders: PluginFolders {
    hasFolders.withLock { hasFolders in
      if hasFolders { return }
      hasFolders = true
      for folder in [places.data, places.state, places.cache] {
        do throws(FileError) {
          try AtomicFile.makeFolder(folder)
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
    try stores.store(name, self)
  }

  func call(_ command: String, _ arguments: Record) async throws -> Value {
    let collector = CollectedOutput()
    try await CommandRunner(host: host).run(command, from: pluginID, arguments, output: collector)
    return collector.value
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

extension Instant {
  /// The time now.
  static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }
}
