/// The only door from a plugin to the host and to the world.
public protocol PluginContext: AnyObject, Sendable {
  /// The plugin's id.
  var pluginID: String { get }

  /// Where the plugin's files lie. The folders exist when asked for.
  var folders: PluginFolders { get }

  /// Whether the user asked for no network.
  var isOffline: Bool { get }

  /// The event loop.
  var eventLoop: any EventLoop { get }

  /// The time now.
  func now() -> Instant

  /// The value of one of the plugin's settings: the user's, else the declared default.
  func setting(_ name: String) -> Value

  /// Keeps a setting.
  ///
  /// - Throws: An error if the setting is not declared, the value does not fit, or it cannot be written.
  func set(_ name: String, to value: Value) throws

  /// Writes a line to the log.
  func log(_ severity: Diagnostic.Severity, _ message: String)

  /// One of the plugin's own stores; made at the first call, the same object afterwards.
  func store(_ name: String) throws -> any Store

  /// Runs a command and gives what it emitted: its one value, or a list of them.
  ///
  /// - Parameters:
  ///   - command: The full name, `plugin.command`; without a plugin one of this plugin's own.
  ///   - arguments: Arguments and options by name; missing ones take their defaults.
  func call(_ command: String, _ arguments: Record) async throws -> Value

  /// Sends a notification to all who subscribed, in order, on the loop.
  func notify(_ topic: String, _ payload: Value)

  /// Calls back on the loop for every notification of a topic.
  ///
  /// - Parameters:
  ///   - topic: The full topic, `plugin.topic`.
  ///   - handler: Called on the loop, in the order of sending.
  /// - Returns: What ends the subscription.
  func subscribe(_ topic: String, _ handler: @escaping @MainActor @Sendable (Notification) -> Void) -> any Cancellable
}

/// Where a plugin's files lie, as absolute paths.
public struct PluginFolders: Sendable, Hashable {
  /// What came with the plugin; read only.
  public var resources: String
  /// Stores and originals, to be kept and backed up.
  public var data: String
  /// Small things to remember that may be lost.
  public var state: String
  /// What can be made again.
  public var cache: String

  /// Creates the set of folders.
  public init(resources: String, data: String, state: String, cache: String) {
    self.resources = resources
    self.data = data
    self.state = state
    self.cache = cache
  }
}
