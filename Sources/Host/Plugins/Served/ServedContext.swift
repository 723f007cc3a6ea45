import PluginAPI
import Synchronization

/// The call that runs, for requests that belong to it.
enum ServedCall {
  /// The id of the host's request; nil for code that is not part of a command.
  @TaskLocal static var id: Int?
}

/// The connection of a plugin in a child process to the host.
final class ServedContext: PluginContext {
  let pluginID: String
  let folders: PluginFolders
  let isOffline: Bool
  let eventLoop: any EventLoop
  private let connection: ServedConnection
  private let stores: StoreShelf
  private let notifications: NotificationHub
  /// The topics that the host sends.
  private let topics = Mutex<Set<String>>([])

  /// Creates the context of a plugin from the host's `hello`.
  init(_ plugin: any Plugin, hello: Value, loop: HostEventLoop, _ connection: ServedConnection) {
    pluginID = hello["plugin"].text ?? ""
    isOffline = hello["offline"].bool ?? true
    let folders = hello["folders"]
    self.folders = PluginFolders(
      resources: folders["resources"].text ?? "", data: folders["data"].text ?? "",
      state: folders["state"].text ?? "", cache: folders["cache"].text ?? "")
    eventLoop = loop
    self.connection = connection
    notifications = NotificationHub(loop: loop)
    let names = (hello["library"]["stores"].list ?? []).compactMap(\.text)
    stores = StoreShelf(plugin: plugin, declared: names, entrance: PluginEntrance(id: pluginID, loop: loop))
  }

  func now() -> Instant { Instant.now }

  func setting(_ name: String) -> Value {
    (try? connection.wait("setting", ["name": .text(name)])) ?? .null
  }

  func set(_ name: String, to value: Value) throws {
    _ = try connection.wait("setting", ["name": .text(name), "value": value])
  }

  func log(_ severity: Diagnostic.Severity, _ message: String) {
    connection.notify("log", ["severity": .text(severity.rawValue), "message": .text(message)])
  }

  func store(_ name: String) throws -> any Store { try stores.store(name, self) }

  /// The stores that were made for the plugin.
  var openStores: [any Store] { stores.made }

  func call(_ command: String, _ arguments: Record) async throws -> Value {
    try await connection.ask(
      "call",
      ["id": .optional(ServedCall.id), "command": .text(command), "arguments": .record(arguments)])
  }

  func notify(_ topic: String, _ payload: Value) {
    connection.request("notify", ["topic": .text(topic), "payload": payload])
  }

  func subscribe(
    _ topic: String, _ handler: @escaping @MainActor @Sendable (PluginAPI.Notification) -> Void
  ) -> any Cancellable {
    let subscription = notifications.subscribe(topic, handler)
    // The host sends a topic once, for all subscriptions here.
    if topics.withLock({ $0.insert(topic).inserted }) { connection.request("subscribe", ["topic": .text(topic)]) }
    return subscription
  }

  /// Delivers a notification of the host.
  func deliver(_ notification: PluginAPI.Notification) { notifications.send(notification) }
}

/// The receiver of the output of a command in a child process.
struct ServedOutput: CommandOutput {
  /// The id of the host's request.
  let call: Int
  let connection: ServedConnection
  /// A Boolean value indicating whether the host receives values of a canceled call, which finishes its work.
  let takesMoreAfterCancel: Bool
  private let reports: ReportLimit

  init(call: Int, _ connection: ServedConnection, takesMoreAfterCancel: Bool) {
    (self.call, self.connection, self.takesMoreAfterCancel) = (call, connection, takesMoreAfterCancel)
    reports = ReportLimit(request: call, connection)
  }

  func emit(_ value: Value) async throws {
    if !takesMoreAfterCancel { try Task.checkCancellation() }
    connection.notify("emit", ["id": .integer(call), "value": value])
    await connection.room()
  }

  func report(_ progress: Progress) { reports.report(progress) }

  func warn(_ diagnostic: Diagnostic) {
    connection.notify("warn", ["id": .integer(call), "diagnostic": diagnostic.value])
  }

  func request(_ request: CommandRequest) async throws -> Value {
    try await connection.ask("ask", ["id": .integer(call), "request": request.value])
  }
}

/// Sends progress reports at a rate that users can see: plugins may report a million steps.
final class ReportLimit: Sendable {
  private static let intervalInSeconds = 0.02

  private let request: Int
  private let connection: ServedConnection
  private let last = Mutex<(label: String, seconds: Double)?>(nil)

  /// Creates a limit for the reports about a request of the host.
  init(request: Int, _ connection: ServedConnection) { (self.request, self.connection) = (request, connection) }

  func report(_ progress: Progress) {
    let now = MonotonicClock.seconds
    let isShown = last.withLock { last in
      if let last, last.label == progress.label, now - last.seconds < Self.intervalInSeconds { return false }
      last = (progress.label, now)
      return true
    }
    guard isShown || progress.fraction == 1 else { return }
    connection.notify("progress", ["id": .integer(request), "progress": progress.value])
  }
}
