/// A domain: says what it contributes, and makes its parts when they are first needed.
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
  /// What the plugin offers. Free of side effects: the host asks for it in a child process and keeps the answer.
  var contributions: Contributions { get }

  /// Called once, on the loop, before any part is made. Quick and silent: open stores and files later.
  @MainActor func activate(_ context: any PluginContext) throws

  /// Makes the command of that name.
  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command

  /// Makes the store of that name.
  func makeStore(_ name: String, _ context: any PluginContext) throws -> any Store

  /// Makes the text renderer for values of that type name.
  func makeTextRenderer(_ typeName: String, _ context: any PluginContext) throws -> any TextRenderer

  /// Makes the controller of a screen.
  @MainActor func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller

  /// Runs the check of that name for `workbench doctor`.
  func runCheck(_ name: String, _ context: any PluginContext) async throws -> [Diagnostic]
}

extension Plugin {
  /// Does nothing.
  @MainActor public func activate(_ context: any PluginContext) throws {}

  /// Throws: the plugin has no commands.
  public func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    throw MissingPart.command(name)
  }

  /// Throws: the plugin has no stores.
  public func makeStore(_ name: String, _ context: any PluginContext) throws -> any Store {
    throw MissingPart.store(name)
  }

  /// Throws: the plugin has no text renderers.
  public func makeTextRenderer(_ typeName: String, _ context: any PluginContext) throws -> any TextRenderer {
    throw MissingPart.textRenderer(typeName)
  }

  /// Throws: the plugin has no screens.
  @MainActor public func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller
  {
    throw MissingPart.screen(request.screen)
  }

  /// Throws: the plugin has no checks.
  public func runCheck(_ name: String, _ context: any PluginContext) async throws -> [Diagnostic] {
    throw MissingPart.check(name)
  }
}

/// A part that a plugin announced and did not make, or was asked for without announcing it.
public enum MissingPart: Error, Equatable, CustomStringConvertible {
  /// No such command.
  case command(String)
  /// No such store.
  case store(String)
  /// No renderer for such values.
  case textRenderer(String)
  /// No such screen.
  case screen(String)
  /// No such check.
  case check(String)

  /// The error in words.
  public var description: String {
    switch self {
    case .command(let name): "the plugin makes no command '\(name)'"
    case .store(let name): "the plugin makes no store '\(name)'"
    case .textRenderer(let name): "the plugin makes no text renderer for '\(name)'"
    case .screen(let name): "the plugin makes no screen '\(name)'"
    case .check(let name): "the plugin makes no check '\(name)'"
    }
  }
}
