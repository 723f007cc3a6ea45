import PluginAPI

/// Lab data of openBIS servers in a terminal, on- and offline; read-only.
final class OpenBISPlugin: Plugin {
  static let version = "0.1.0"
  private let laboratory = Laboratory()

  var contributions: Contributions {
    var all = Contributions(
      plugin: PluginIdentity(
        id: "openbis", name: "OpenBIS", version: Self.version,
        summary: "lab data of openBIS servers, on- and offline"))
    all.commands = OpenBISCommand.all.map(\.declaration)
    all.stores = [
      StoreDescription(
        ServersStore.storeName,
        "servers, users and trusted keys; what is cached of servers lies beside it in caches/ and comes anew by a sync")
    ]
    all.textRenderers = OpenBISValueType.all
    all.settings = LabAccess.settings
    all.topics = [
      TopicDescription(
        Laboratory.cacheChanged, "a cache changed; the payload is the account's id", payload: .text),
      TopicDescription("\(ServersStore.storeName)-changed", "servers or users changed", payload: .any),
    ]
    all.screens = screens.map(\.description)
    all.errorCodes = OpenBISErrorCodes.all + OpenBISScreens.errorCodes
    return all
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard let command = OpenBISCommand.all.first(where: { $0.declaration.name == name }) else {
      throw MissingPart.command(name)
    }
    return command.bound(to: laboratory)
  }

  func makeTextRenderer(_ typeName: String, _ context: any PluginContext) throws -> any TextRenderer {
    let renderers: [any TextRenderer] = [
      EntitiesRenderer(), EntityRenderer(), SyncRenderer(), TreeRenderer(), AccountRenderer(), ExportRenderer(),
      MappingRenderer(),
    ]
    guard let renderer = renderers.first(where: { $0.typeName == typeName }) else {
      throw MissingPart.textRenderer(typeName)
    }
    return renderer
  }

  @MainActor func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller {
    guard let screen = screens.first(where: { $0.description.name == request.screen }) else {
      throw MissingPart.screen(request.screen)
    }
    return try screen.make(request, context)
  }

  private var screens: [ScreenPart] { OpenBISScreens.parts { [laboratory] in ScreenLab($0, laboratory) } }

  func makeStore(_ name: String, _ context: any PluginContext) throws -> any Store {
    guard name == ServersStore.storeName else { throw MissingPart.store(name) }
    return ServersStore(
      folder: context.folders.data,
      onChange: { [weak context] in context?.notify("\(ServersStore.storeName)-changed", .null) },
      onClose: { [laboratory] in await laboratory.closeAllCaches() })
  }
}

/// Returns the plugin; this is the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(OpenBISPlugin())
}
