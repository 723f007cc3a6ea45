import PluginAPI

/// A plugin that is in the process.
@MainActor final class ActivePlugin {
  let plugin: any Plugin
  let contributions: StoredContributions
  let context: HostContext
  /// The entry into its code.
  let entrance: PluginEntrance
  private var renderers: [String: any TextRenderer] = [:]

  init(plugin: any Plugin, contributions: StoredContributions, context: HostContext, entrance: PluginEntrance) {
    self.plugin = plugin
    self.contributions = contributions
    self.context = context
    self.entrance = entrance
  }

  var id: String { contributions.plugin.id }

  /// Makes a command.
  func command(_ name: String) throws -> any Command {
    try entrance(.command, name) { try plugin.makeCommand(name, context) }
  }

  /// Returns the renderer of a type; made once.
  func textRenderer(_ typeName: String) throws -> any TextRenderer {
    if let renderer = renderers[typeName] { return renderer }
    let made = try entrance(.render, typeName) { try plugin.makeTextRenderer(typeName, context) }
    renderers[typeName] = made
    return made
  }

  /// Closes a store that was opened.
  func close(_ store: any Store) async throws {
    try await entrance(.store, "") { await store.close() }
  }
}
