import PluginAPI

/// Lab data of openBIS servers in a terminal, on- and offline; read-only.
final class OpenBISPlugin: Plugin {
  let identity = PluginIdentity(
    id: "openbis", name: "OpenBIS", version: "0.1.0", summary: "Lab data from openBIS servers, online and offline")

  private let laboratory = Laboratory()

  var parts: PluginParts {
    PluginParts(
      commands: { [laboratory] in OpenBISCommands.all.map { $0.bound(to: laboratory) } },
      screens: { [laboratory] in OpenBISScreens.parts { ScreenLab($0, laboratory) } },
      stores: { [self.servers] },
      textRenderers: { Self.renderers.map { renderer in TextRendererPart(renderer.typeName) { _ in renderer } } },
      settings: { LabAccess.settings },
      topics: {
        [
          TopicDescription(
            Laboratory.cacheChanged, "Changes to a cache; the payload is the account's id", payload: .text),
          TopicDescription(Self.serversChanged, "Changes to the servers or users", payload: .any),
        ]
      },
      errorCodes: { OpenBISErrorCodes.all + OpenBISScreens.errorCodes })
  }

  private static let renderers: [any TextRenderer] = [
    AccountRenderer(), EntityRenderer(), EntitiesRenderer(), ExportRenderer(), MappingRenderer(), SyncRenderer(),
    TreeRenderer(),
  ]
  private static let serversChanged = "\(ServersStore.storeName)-changed"

  private var servers: StorePart {
    StorePart(
      ServersStore.storeName,
      "Servers, users and trusted keys; the caches are beside it in caches/, and a sync rebuilds them"
    ) { [laboratory] context in
      ServersStore(
        folder: context.folders.data,
        onChange: { [weak context] in context?.notify(Self.serversChanged, .null) },
        onClose: { await laboratory.closeAllCaches() })
    }
  }
}

/// Returns the plugin; this is the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(OpenBISPlugin())
}
