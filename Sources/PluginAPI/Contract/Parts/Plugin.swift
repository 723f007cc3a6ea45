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
