import Glibc
import PluginAPI

/// The door from one plugin to the host.
final class HostContext: PluginContext {
  let pluginID: String
  let folders: PluginFolders
  let isOffline: Bool
  let eventLoop: any EventLoop
  private let contributions: Contributions
  private let notifications: NotificationHub
  private let settings: Settings
  private let host: PluginHost

  @MainActor init(
    contributions: Contributions, host: PluginHost, folders: PluginFolders, loop: HostEventLoop,
    notifications: NotificationHub, settings: Settings, isOffline: Bool
  ) {
    pluginID = contributions.plugin.id
    self.contributions = contributions
    self.host = host
    self.folders = folders
    self.isOffline = isOffline
    self.notifications = notifications
    self.settings = settings
    eventLoop = loop
  }

  func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }

  func setting(_ name: String) -> Value {
    contributions.settings.first { $0.name == name }.map { settings.value(pluginID, $0) } ?? .null
  }

  func set(_ name: String, to value: Value) throws {
    try settings.set(name, to: value, of: contributions)
  }

  func log(_ severity: Diagnostic.Severity, _ message: String) {}

  func store(_ name: String) throws -> any Store {
    throw MissingPart.store(name)
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
