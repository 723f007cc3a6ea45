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
  /// Who the plugin is.
  var identity: PluginIdentity { get }

  /// The parts of the plugin. Free of side effects: each access may make them anew.
  ///
  /// ``contributions`` and the functions that make parts are derived from it; a plugin implements either it or those.
  var parts: PluginParts { get }

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
  /// The identity in the contributions.
  public var identity: PluginIdentity { contributions.plugin }

  /// No parts.
  public var parts: PluginParts { PluginParts() }

  /// The descriptions of the parts.
  public var contributions: Contributions { parts.contributions(of: identity) }

  /// Does nothing.
  @MainActor public func activate(_ context: any PluginContext) throws {}

  /// Returns the part of that name.
  public func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard let part = parts.commands.first(where: { $0.declaration.name == name }) else {
      throw MissingPart.command(name)
    }
    return part
  }

  /// Makes the part of that name.
  public func makeStore(_ name: String, _ context: any PluginContext) throws -> any Store {
    guard let part = parts.stores.first(where: { $0.description.name == name }) else { throw MissingPart.store(name) }
    return try part.make(context)
  }

  /// Makes the part for that type name.
  public func makeTextRenderer(_ typeName: String, _ context: any PluginContext) throws -> any TextRenderer {
    guard let part = parts.textRenderers.first(where: { $0.typeName == typeName }) else {
      throw MissingPart.textRenderer(typeName)
    }
    return try part.make(context)
  }

  /// Makes the controller of the part of that name.
  @MainActor public func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller
  {
    guard let part = parts.screens.first(where: { $0.description.name == request.screen }) else {
      throw MissingPart.screen(request.screen)
    }
    return try part.make(request, context)
  }

  /// Runs the part of that name.
  public func runCheck(_ name: String, _ context: any PluginContext) async throws -> [Diagnostic] {
    guard let part = parts.checks.first(where: { $0.description.name == name }) else { throw MissingPart.check(name) }
    return try await part.run(context)
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
