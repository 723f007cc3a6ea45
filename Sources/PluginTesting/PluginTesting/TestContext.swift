internal import Glibc
public import PluginAPI
internal import Synchronization

/// A plugin context without a host: it has folders of its own and a fixed clock, and records everything for inspection.
public final class TestContext: PluginContext {
  /// A line of the log.
  public struct LogLine: Sendable, Hashable {
    /// The severity.
    public var severity: Diagnostic.Severity
    /// The message.
    public var message: String
  }

  private struct Subscriber {
    var id: Int
    var topic: String
    var handler: @MainActor @Sendable (PluginAPI.Notification) -> Void
  }

  private struct State {
    var now: Instant
    var settings: [String: Value] = [:]
    var notifications: [PluginAPI.Notification] = []
    var log: [LogLine] = []
    var stores: [String: any Store] = [:]
    var answers: [String: @Sendable (Record) async throws -> Value] = [:]
    var subscribers: [Subscriber] = []
    var nextSubscriber = 0
  }

  /// The plugin's id.
  public let pluginID: String
  /// The folders of this test, removed at its end unless the test provided the location.
  public let folders: PluginFolders
  /// A Boolean value indicating whether the plugin must not use the network; true unless the test says otherwise.
  public let isOffline: Bool
  /// The loop.
  public let loop: TestLoop
  private let plugin: any Plugin
  private let contributions: Contributions
  private let root: String
  private let isLasting: Bool
  private let state: Mutex<State>

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - plugin: The plugin.
  ///   - resources: The folder of the plugin's resources; nil for an empty one.
  ///   - now: The time of its clock.
  ///   - isOffline: True if the plugin must not use the network.
  ///   - home: The location of its folders, which are kept; nil for a temporary location.
  public init(
    _ plugin: any Plugin, resources: String? = nil, now: Instant = Instant(seconds: 1_800_000_000),
    isOffline: Bool = true, home: String? = nil
  ) {
    self.plugin = plugin
    contributions = plugin.contributions
    pluginID = contributions.plugin.id
    self.isOffline = isOffline
    loop = TestLoop()
    state = Mutex(State(now: now))
    root = home ?? TemporaryFolder.make()
    isLasting = home != nil
    folders = PluginFolders(
      resources: resources ?? TemporaryFolder.make("resources", in: root), data: TemporaryFolder.make("data", in: root),
      state: TemporaryFolder.make("state", in: root), cache: TemporaryFolder.make("cache", in: root))
  }

  deinit { if !isLasting { TemporaryFolder.remove(root) } }

  /// The loop.
  public var eventLoop: any EventLoop { loop }

  /// Returns the time set by the test.
  public func now() -> Instant { state.withLock { $0.now } }

  /// Sets the clock.
  public func setNow(_ instant: Instant) { state.withLock { $0.now = instant } }

  /// Returns the value set by the test or the plugin, or else the declared default.
  public func setting(_ name: String) -> Value {
    let declared = contributions.settings.first { $0.name == name }
    precondition(declared != nil, "the plugin declares no setting '\(name)'")
    return state.withLock { $0.settings[name] } ?? declared?.defaultValue ?? .null
  }

  /// Stores a setting, checked against its declaration.
  public func set(_ name: String, to value: Value) throws {
    guard let declared = contributions.settings.first(where: { $0.name == name }) else {
      throw ErrorReport(code: "host.unknown-setting", kind: .usage, "there is no setting '\(name)'")
    }
    let accepted: Value
    do {
      accepted = try declared.value(accepting: value)
    } catch {
      throw ErrorReport(code: "host.unfitting-setting", kind: .usage, error.description)
    }
    state.withLock { $0.settings[name] = accepted }
  }

  /// Records a line of the log.
  public func log(_ severity: Diagnostic.Severity, _ message: String) {
    state.withLock { $0.log.append(LogLine(severity: severity, message: message)) }
  }

  /// The lines of the log so far.
  public var logLines: [LogLine] { state.withLock { $0.log } }

  /// Returns the store with a name; the first call makes it, later calls return the same object.
  public func store(_ name: String) throws -> any Store {
    if let store = state.withLock({ $0.stores[name] }) { return store }
    let made = try plugin.makeStore(name, self)
    return state.withLock { state in
      let store = state.stores[name] ?? made
      state.stores[name] = store
      return store
    }
  }

  /// Registers an answer for calls of another plugin's command, `plugin.command`.
  public func answer(_ command: String, with answer: @escaping @Sendable (Record) async throws -> Value) {
    state.withLock { $0.answers[command] = answer }
  }

  /// Runs one of the plugin's own commands, or returns the test's answer for another plugin's.
  public func call(_ command: String, _ arguments: Record) async throws -> Value {
    if let answer = state.withLock({ $0.answers[command] }) { return try await answer(arguments) }
    return try await CommandTrial(plugin: plugin, context: self).run(command, arguments).value
  }

  /// Records a notification and delivers it on the loop.
  public func notify(_ topic: String, _ payload: Value) {
    precondition(
      contributions.topics.contains { $0.name == topic }, "the plugin declares no topic '\(topic)' in its contributions"
    )
    deliver(PluginAPI.Notification(topic: pluginID + "." + topic, plugin: pluginID, payload: payload))
  }

  /// Delivers a notification as if it came from another plugin or the host.
  public func deliver(_ notification: PluginAPI.Notification) {
    state.withLock { $0.notifications.append(notification) }
    loop.post {
      let subscribers = self.state.withLock { $0.subscribers.filter { $0.topic == notification.topic } }
      for subscriber in subscribers { subscriber.handler(notification) }
    }
  }

  /// The notifications so far, in the order of sending.
  public var notifications: [PluginAPI.Notification] { state.withLock { $0.notifications } }

  /// Registers a handler, called on the loop for every notification of a topic.
  public func subscribe(
    _ topic: String, _ handler: @escaping @MainActor @Sendable (PluginAPI.Notification) -> Void
  ) -> any Cancellable {
    let id = state.withLock { state in
      state.nextSubscriber += 1
      state.subscribers.append(Subscriber(id: state.nextSubscriber, topic: topic, handler: handler))
      return state.nextSubscriber
    }
    return TestHandle { [weak self] in
      self?.state.withLock { state in state.subscribers.removeAll { $0.id == id } }
    }
  }
}

/// Folders for a single test.
private enum TemporaryFolder {
  static func make() -> String {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((base + "/workbench-test-XXXXXX").utf8CString)
    let isMade = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) } != nil
    }
    precondition(isMade, "no folder can be made in '\(base)'")
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func make(_ name: String, in folder: String) -> String {
    mkdir(folder + "/" + name, 0o700)
    return folder + "/" + name
  }

  /// Removes a folder and its contents; links are removed, not followed.
  static func remove(_ path: String) {
    for name in names(in: path) {
      var status = stat()
      let item = path + "/" + name
      if lstat(item, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
        remove(item)
      } else {
        unlink(item)
      }
    }
    rmdir(path)
  }

  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
