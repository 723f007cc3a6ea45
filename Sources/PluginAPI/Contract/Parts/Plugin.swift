internal import PluginStamp

/// A plugin for a domain: it declares its contributions, and makes its parts when they are first needed.
///
/// A plugin library exports one C function that returns the plugin in a box:
///
/// ```swift
/// @c(workbench_plugin_entry)
/// public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
///   PluginEntry.box(TidesPlugin())
/// }
/// ```
///
/// Keep conformances nonisolated: the host casts on any thread.
public protocol Plugin: AnyObject, Sendable {
  /// The identity of the plugin.
  var identity: PluginIdentity { get }

  /// The parts of the plugin. Must be free of side effects, because each access may make the parts again.
  ///
  /// ``contributions`` and the functions that make parts are derived from it. A plugin implements either this or those.
  var parts: PluginParts { get }

  /// The plugin's contributions. Must be free of side effects: the host reads them in a child process and caches them.
  var contributions: Contributions { get }

  /// Activates the plugin. Called once, on the loop, before any part is made. Be quick: open stores and files later.
  @MainActor func activate(_ context: any PluginContext) throws

  /// Makes the command with a name.
  ///
  /// The host keeps the command for all later calls in the process, which may run at the same time. Read settings in
  /// ``Command/run(_:)``, and keep state that must last in a store.
  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command

  /// Makes the store with a name.
  func makeStore(_ name: String, _ context: any PluginContext) throws -> any Store

  /// Makes the text renderer for values with a type name.
  func makeTextRenderer(_ typeName: String, _ context: any PluginContext) throws -> any TextRenderer

  /// Makes the controller of a screen.
  @MainActor func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller

  /// Runs the check with a name, for `workbench doctor`.
  func runCheck(_ name: String, _ context: any PluginContext) async throws -> [Diagnostic]
}

extension Plugin {
  /// The identity from the contributions.
  public var identity: PluginIdentity { contributions.plugin }

  /// No parts.
  public var parts: PluginParts { PluginParts() }

  /// The descriptions of the parts.
  public var contributions: Contributions { parts.contributions(of: identity) }

  /// Does nothing.
  @MainActor public func activate(_ context: any PluginContext) throws {}

  /// Returns the command with a name.
  public func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard let part = parts.commands.first(where: { $0.declaration.name == name }) else {
      throw MissingPart.command(name)
    }
    return part
  }

  /// Makes the store with a name.
  public func makeStore(_ name: String, _ context: any PluginContext) throws -> any Store {
    guard let part = parts.stores.first(where: { $0.description.name == name }) else { throw MissingPart.store(name) }
    return try part.make(context)
  }

  /// Makes the text renderer for a type name.
  public func makeTextRenderer(_ typeName: String, _ context: any PluginContext) throws -> any TextRenderer {
    guard let part = parts.textRenderers.first(where: { $0.typeName == typeName }) else {
      throw MissingPart.textRenderer(typeName)
    }
    return try part.make(context)
  }

  /// Makes the controller of a screen.
  @MainActor public func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller
  {
    guard let part = parts.screens.first(where: { $0.description.name == request.screen }) else {
      throw MissingPart.screen(request.screen)
    }
    return try part.make(request, context)
  }

  /// Runs the check with a name.
  public func runCheck(_ name: String, _ context: any PluginContext) async throws -> [Diagnostic] {
    guard let part = parts.checks.first(where: { $0.description.name == name }) else { throw MissingPart.check(name) }
    return try await part.run(context)
  }
}

/// An error for a part that the plugin announced and did not make, or that it did not announce.
public enum MissingPart: Error, Equatable, CustomStringConvertible {
  /// There is no such command.
  case command(String)
  /// There is no such store.
  case store(String)
  /// There is no renderer for such values.
  case textRenderer(String)
  /// There is no such screen.
  case screen(String)
  /// There is no such check.
  case check(String)

  /// The error in words.
  public var description: String {
    switch self {
    case .command(let name): "the plugin does not provide the command '\(name)'"
    case .store(let name): "the plugin does not provide the store '\(name)'"
    case .textRenderer(let name): "the plugin does not provide a text renderer for '\(name)'"
    case .screen(let name): "the plugin does not provide the screen '\(name)'"
    case .check(let name): "the plugin does not provide the check '\(name)'"
    }
  }
}

/// The entry point of a plugin library.
public enum PluginEntry {
  /// The name of the C function that every plugin library exports.
  public static let symbol = "workbench_plugin_entry"

  /// The name of the ELF section with the plugin's stamp.
  public static let section = ".workbench.plugin"

  /// The revision of the contract in this process.
  public static var contractRevision: Int { Int(workbench_contract_revision()) }

  /// The oldest contract revision whose plugins this process can run.
  public static var oldestRevision: Int { Int(workbench_oldest_revision()) }

  /// The compiler of the contract in this process, in the form used in a plugin's stamp.
  public static var compiler: String { String(cString: workbench_contract_compiler()) }

  /// Puts a plugin into a retained box, to pass it through the C function.
  public static func box(_ plugin: any Plugin) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(PluginBox(plugin)).toOpaque()
  }

  /// Returns the plugin in a box.
  ///
  /// - Returns: nil if the pointer is not a box of this contract, because the library contains a second copy of the
  ///   contract.
  public static func unbox(_ pointer: UnsafeMutableRawPointer) -> (any Plugin)? {
    let object = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    return (object as? PluginBox)?.plugin
  }
}

/// A box that carries a plugin through the C entry function.
public final class PluginBox: Sendable {
  /// The plugin.
  public let plugin: any Plugin

  /// Creates a box.
  public init(_ plugin: any Plugin) {
    self.plugin = plugin
  }
}

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

  /// Runs a command and returns its result: the one value it emitted, or a list of several.
  ///
  /// The parts of a list or table are joined, see ``CommandDescription/Output/joined(_:)``.
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

extension PluginContext {
  /// Returns one of the plugin's own stores as its type.
  ///
  /// - Throws: ``MissingPart`` if the plugin makes no such store, or one of another type.
  @inlinable public func store<Content: Store>(_ name: String, as type: Content.Type) throws -> Content {
    guard let store = try store(name) as? Content else { throw MissingPart.store(name) }
    return store
  }
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
