import PluginAPI

/// The plugin that shows molecular structures in a terminal.
final class MoleculesPlugin: Plugin {
  static let version = "0.1.0"

  let identity = PluginIdentity(
    id: "molecules", name: "Molecules", version: MoleculesPlugin.version,
    summary: "Molecular structures: library and 3-D views")
  private let deleted = DeletedShelf()

  var parts: PluginParts {
    PluginParts(
      commands: { Self.commands },
      screens: { [deleted] in MoleculeScreens.parts(deleted) },
      stores: { [Self.library] },
      textRenderers: { Self.renderers.map { renderer in TextRendererPart(renderer.typeName) { _ in renderer } } },
      fileTypes: { MoleculeFileTypes.descriptions + [MoleculeFileTypes.session] },
      settings: {
        ServiceAccess.settings + [
          Flip.setting.parameter, FirstPicture.setting.parameter, ReadingLimits.setting.parameter,
        ]
      },
      topics: { [Self.libraryChanged] + ViewerTopic.descriptions },
      errorCodes: { MoleculeErrorCodes.all })
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
