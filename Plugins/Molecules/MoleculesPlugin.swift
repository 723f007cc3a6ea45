import PluginAPI

/// The plugin that shows molecular structures in a terminal.
final class MoleculesPlugin: Plugin {
  static let version = "0.1.0"

  let identity = PluginIdentity(
    id: "molecules", name: "Molecules", version: MoleculesPlugin.version,
    summary: "Molecular structures: library and 3-D views")
  private let deleted = DeletedShelf()

  var parts: PluginParts {
    var parts = PluginParts(
      commands: Self.commands,
      screens: MoleculeScreens.parts(deleted),
      stores: [Self.library])
    parts.textRenderers = Self.renderers.map { renderer in TextRendererPart(renderer.typeName) { _ in renderer } }
    parts.fileTypes = MoleculeFileTypes.descriptions + [MoleculeFileTypes.session]
    parts.topics = [Self.libraryChanged] + ViewerTopic.descriptions
    parts.settings =
      ServiceAccess.settings + [
        Flip.setting.parameter, FirstPicture.setting.parameter, ReadingLimits.setting.parameter,
      ]
    parts.errorCodes = MoleculeErrorCodes.all
    return parts
  }

  /// All commands, in the order of the help.
  private static let commands: [CommandPart] = [
    LibraryCommands.all, [RebuildCommand.command, InfoCommand.command, RenderCommand.command, AnimateCommand.command],
    TableCommands.all, [SelectCommand.command], MeasureCommands.all, [SuperposeCommand.command, ScanCommand.command],
    ChemistryCommands.all, InteractionCommands.all, ServiceCommands.all, [ExportCommand.command], SessionCommands.all,
  ].flatMap { $0 }

  private static let library = StorePart(
    LibraryStore.storeName,
    "Molecules; the folder originals/ beside it keeps their original files, which backups do not include"
  ) { context in
    LibraryStore(folder: context.folders.data, isOffline: context.isOffline) { [weak context] in
      context?.notify(libraryChanged.name, .null)
    }
  }

  private static let libraryChanged = TopicDescription(
    "\(LibraryStore.storeName)-changed", "Molecules added, changed or deleted", payload: .any)

  private static let renderers: [any TextRenderer] = [
    InfoRenderer(), ImportRenderer(), DoneRenderer.deletion, DoneRenderer.opened, SequenceRenderer(),
    SecondaryStructureRenderer(), SelectionRenderer(), MeasurementRenderer(), SuperpositionRenderer(), MotifRenderer(),
    PageRenderer(),
  ]
}

/// Creates the plugin for the host: the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(MoleculesPlugin())
}
