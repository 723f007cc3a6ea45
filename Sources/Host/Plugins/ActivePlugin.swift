import PluginAPI

/// A plugin that is in the process.
@MainActor final class ActivePlugin {
  let plugin: any Plugin
  let contributions: StoredContributions
  let context: HostContext
  /// The entry into its code.
  let entrance: PluginEntrance
  private var commands: [String: any Command] = [:]
  private var renderers: [String: any TextRenderer] = [:]

  init(plugin: any Plugin, contributions: StoredContributions, context: HostContext, entrance: PluginEntrance) {
    self.plugin = plugin
    self.contributions = contributions
    self.context = context
    self.entrance = entrance
  }

  var id: String { contributions.plugin.id }

  /// Returns a command; made once, as scripts and batch runs call it thousands of times.
  func command(_ name: String) throws -> any Command {
    if let command = commands[name] { return command }
    let made = try entrance(.command, name) { try plugin.makeCommand(name, context) }
    commands[name] = made
    return made
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

/// A plugin's controller as the host calls it: every call is noted in the crash journal and seen by the watchdog.
///
/// It passes on every requirement of `Controller`: one that is left out here would silently use its default.
@MainActor final class EnteredController: Controller {
  private let controller: any Controller
  private let entrance: PluginEntrance
  private let screen: String

  init(_ controller: any Controller, screen: String, entrance: PluginEntrance) {
    self.controller = controller
    self.screen = screen
    self.entrance = entrance
  }

  var title: String { entered { $0.title } }
  var view: any View { EnteredView(view: entered { $0.view }, screen: screen, entrance: entrance) }
  var status: [StyledText.Run] { entered { $0.status } }
  var wantsText: Bool { entered { $0.wantsText } }
  var isLoading: Bool { entered { $0.isLoading } }

  func start() -> [Effect] { entered { $0.start() } }
  func end() { entered { $0.end() } }
  func handle(_ event: Event) -> [Effect]? { entered { $0.handle(event) } }
  func perform(_ invocation: ActionInvocation) -> [Effect] { entered { $0.perform(invocation) } }
  func receive(_ message: Message) -> [Effect] { entered { $0.receive(message) } }
  func complete(_ completion: Load.Completion) -> [Effect] { entered { $0.complete(completion) } }
  func saveState() -> [UInt8] { entered { $0.saveState() } }
  func restore(_ state: [UInt8]) { entered { $0.restore(state) } }

  private func entered<Result>(_ body: (any Controller) -> Result) -> Result {
    entrance.noting(.screen, screen) { body(controller) }
  }
}

/// A plugin's view as the host draws it.
private struct EnteredView: View {
  let view: any View
  let screen: String
  let entrance: PluginEntrance

  func draw(into frame: inout TextFrame) {
    entrance.noting(.screen, screen) { view.draw(into: &frame) }
  }

  var outline: Outline { entrance.noting(.screen, screen) { view.outline } }
}
