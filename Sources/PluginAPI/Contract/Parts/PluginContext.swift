/// A plugin's only access to the host and the outside world.
public protocol PluginContext: AnyObject, Sendable {
  /// The plugin's id.
  var pluginID: String { get }

  /// The plugin's folders. Each exists by the time it is read.
  var folders: PluginFolders { get }

  /// A Boolean value indicating whether the user disabled the network.
  var isOffline: Bool { get }

  /// The event loop.
  var eventLoop: any EventLoop { get }

  /// Returns the current time.
  func now() -> Instant

  /// Returns the value of one of the plugin's settings: the user's, or else the declared default.
  func setting(_ name: String) -> Value

  /// Stores a setting.
  ///
  /// - Throws: An error if the setting is not declared, the value does not fit, or it cannot be written.
  func set(_ name: String, to value: Value) throws

  /// Writes a line to the log.
  func log(_ severity: Diagnostic.Severity, _ message: String)

  /// Returns one of the plugin's own stores; the first call makes it, later calls return the same object.
  func store(_ name: String) throws -> any Store

  /// Runs a command and returns what it emitted: one value, or a list of several.
  ///
  /// - Parameters:
  ///   - command: The full name, `plugin.command`; without a plugin, one of this plugin's own commands.
  ///   - arguments: Arguments and options by name; missing ones take their defaults.
  func call(_ command: String, _ arguments: Record) async throws -> Value

  /// Sends a notification to all subscribers, in order, on the loop.
  func notify(_ topic: String, _ payload: Value)

  /// Registers a handler, called on the loop for every notification of a topic.
  ///
  /// - Parameters:
  ///   - topic: The full topic, `plugin.topic`.
  ///   - handler: Called on the loop, in the order of sending.
  /// - Returns: A handle that ends the subscription.
  func subscribe(_ topic: String, _ handler: @escaping @MainActor @Sendable (Notification) -> Void) -> any Cancellable
}

/// The folders of a plugin, as absolute paths.
public struct PluginFolders: Sendable, Hashable {
  /// Resources that come with the plugin; read only.
  public var resources: String
  /// Stores and original data, to be kept and backed up.
  public var data: String
  /// Small amounts of state that may be lost.
  public var state: String
  /// Cached data that can be recreated.
  public var cache: String

  /// Creates the set of folders.
  public init(resources: String, data: String, state: String, cache: String) {
    self.resources = resources
    self.data = data
    self.state = state
    self.cache = cache
  }
}
