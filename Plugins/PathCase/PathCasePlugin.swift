import PluginAPI

/// The plugin for metabolic pathways in a terminal: it browses, draws, updates and analyzes them.
final class PathCasePlugin: Plugin {
  static let version = "0.1.0"
  private let shelf = PathwayShelf()

  var contributions: Contributions {
    var all = Contributions(
      plugin: PluginIdentity(
        id: "pathcase", name: "PathCase", version: Self.version,
        summary: "metabolic pathways: browse, draw, update, analyse"))
    all.commands = PathCaseCommand.all.map(\.declaration)
    all.fileTypes = PathCaseFileTypes.all
    all.stores = PathCaseStores.descriptions
    all.settings = UpdateSettings.declared
    all.topics = PathCaseStores.topics
    all.screens = PathCaseScreens.all
    all.textRenderers = PathCaseValueType.all
    all.errorCodes = PathCaseErrorCodes.all + PathCaseScreens.errorCodes
    return all
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard let command = PathCaseCommand.all.first(where: { $0.declaration.name == name }) else {
      throw MissingPart.command(name)
    }
    return command.bound(to: shelf)
  }

  func makeTextRenderer(_ typeName: String, _ context: any PluginContext) throws -> any TextRenderer {
    let renderers: [any TextRenderer] = [DrawingRenderer(), ScenarioRenderer(), ModesRenderer()]
    guard let renderer = renderers.first(where: { $0.typeName == typeName }) else {
      throw MissingPart.textRenderer(typeName)
    }
    return renderer
  }

  @MainActor func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller {
    try PathCaseScreens.controller(request, context, shelf)
  }

  func makeStore(_ name: String, _ context: any PluginContext) throws -> any Store {
    try PathCaseStores.make(name, context, shelf)
  }
}

/// Returns the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(PathCasePlugin())
}
