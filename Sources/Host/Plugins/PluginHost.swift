import PluginAPI

/// The plugins of this run: knows what they contribute, activates them when first needed and makes their parts.
@MainActor final class PluginHost {
  private let folders: HostFolders
  private let loop: HostEventLoop
  private let notifications: NotificationHub
  private let settings: Settings
  private let isOffline: Bool
  private var active: [String: ActivePlugin] = [:]
  private var order: [String] = []

  init(
    folders: HostFolders, loop: HostEventLoop, notifications: NotificationHub, settings: Settings, isOffline: Bool
  ) {
    self.folders = folders
    self.loop = loop
    self.notifications = notifications
    self.settings = settings
    self.isOffline = isOffline
  }

  /// What all usable plugins contribute, in the order they are listed.
  var contributions: [Contributions] { order.compactMap { active[$0]?.contributions } }

  /// What a plugin contributes.
  func contributions(of id: String) -> Contributions? { active[id]?.contributions }

  /// Takes in a plugin that is already in the process; tests use it.
  func adopt(_ plugin: any Plugin) throws {
    let contributions = plugin.contributions
    let id = contributions.plugin.id
    let context = HostContext(
      contributions: contributions, host: self, folders: pluginFolders(id, resources: ""), loop: loop,
      notifications: notifications, settings: settings, isOffline: isOffline)
    active[id] = ActivePlugin(plugin: plugin, contributions: contributions, context: context)
    order.append(id)
    try plugin.activate(context)
  }

  /// The plugin of that id, loaded and activated.
  func activated(_ id: String) throws -> ActivePlugin {
    guard let plugin = active[id] else { throw PluginHostError.unknownPlugin(id, known: order) }
    return plugin
  }

  /// Makes the controller of a screen.
  func controller(_ request: ScreenRequest, askedBy asker: String) throws -> any Controller {
    let plugin = try activated(request.plugin ?? asker)
    return try plugin.plugin.makeController(request, plugin.context)
  }

  /// The text renderer for values of a type; nil if no plugin has one.
  func textRenderer(_ typeName: String) throws -> (any TextRenderer)? {
    for id in order {
      if contributions(of: id)?.textRenderers.contains(typeName) == true {
        let plugin = try activated(id)
        return try plugin.plugin.makeTextRenderer(typeName, plugin.context)
      }
    }
    return nil
  }

  /// The door for the host's own commands.
  func hostContext() -> HostContext {
    let identity = PluginIdentity(id: "host", name: "Workbench", version: "", summary: "")
    return HostContext(
      contributions: Contributions(plugin: identity), host: self, folders: pluginFolders("host", resources: ""),
      loop: loop, notifications: notifications, settings: settings, isOffline: isOffline)
  }

  private func pluginFolders(_ id: String, resources: String) -> PluginFolders {
    PluginFolders(
      resources: resources, data: folders.data + "/stores/" + id, state: folders.state + "/plugins/" + id,
      cache: folders.cache + "/plugins/" + id)
  }
}

/// A plugin that is in the process.
@MainActor final class ActivePlugin {
  let plugin: any Plugin
  let contributions: Contributions
  let context: HostContext
  private var stores: [String: any Store] = [:]

  init(plugin: any Plugin, contributions: Contributions, context: HostContext) {
    self.plugin = plugin
    self.contributions = contributions
    self.context = context
  }

  var id: String { contributions.plugin.id }
}
