import PluginAPI

/// The plugin that shows molecular structures in a terminal.
final class MoleculesPlugin: Plugin {
  static let version = "0.1.0"
  private let deleted = DeletedShelf()

  var contributions: Contributions {
    var all = Contributions(
      plugin: PluginIdentity(
        id: "molecules", name: "Molecules", version: Self.version,
        summary: "molecular structures: library and 3-D views"))
    all.commands = MoleculeCommand.all.map(\.declaration)
    all.stores = [
      StoreDescription(
        LibraryStore.storeName,
        "the molecules; the files they came from lie beside it in originals/ and are not part of a backup")
    ]
    all.textRenderers = MoleculeValueType.all
    all.fileTypes = MoleculeFileTypes.descriptions + [MoleculeFileTypes.session]
    all.topics =
      [
        TopicDescription("\(LibraryStore.storeName)-changed", "molecules were added, changed or deleted", payload: .any)
      ] + ViewerTopic.descriptions
    all.screens = MoleculeScreens.all
    all.settings = ServiceAccess.settings + [Flip.setting, FirstPicture.setting, ReadingLimits.setting]
    all.errorCodes = MoleculeErrorCodes.all
    return all
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard let command = MoleculeCommand.all.first(where: { $0.declaration.name == name }) else {
      throw MissingPart.command(name)
    }
    return command
  }

  func makeStore(_ name: String, _ context: any PluginContext) throws -> any Store {
    guard name == LibraryStore.storeName else { throw MissingPart.store(name) }
    return LibraryStore(folder: context.folders.data) { [weak context] in
      context?.notify("\(LibraryStore.storeName)-changed", .null)
    }
  }

  func makeTextRenderer(_ typeName: String, _ context: any PluginContext) throws -> any TextRenderer {
    let renderers: [any TextRenderer] = [
      InfoRenderer(), ImportRenderer(), DoneRenderer.deletion, DoneRenderer.opened, SequenceRenderer(),
      SelectionRenderer(), MeasurementRenderer(), SuperpositionRenderer(), SecondaryStructureRenderer(),
      PageRenderer(),
    ]
    guard let renderer = renderers.first(where: { $0.typeName == typeName }) else {
      throw MissingPart.textRenderer(typeName)
    }
    return renderer
  }

  @MainActor func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller {
    try MoleculeScreens.controller(request, context, deleted)
  }
}

/// Creates the plugin for the host: the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(MoleculesPlugin())
}
