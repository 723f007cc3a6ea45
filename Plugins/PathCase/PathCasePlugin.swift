import PluginAPI

/// The plugin for metabolic pathways in a terminal: it browses, draws, updates and analyzes them.
final class PathCasePlugin: Plugin {
  let identity = PluginIdentity(
    id: "pathcase", name: "PathCase", version: "0.1.0", summary: "Metabolic pathways: browse, draw, update and analyze")

  private let shelf = PathwayShelf()

  var parts: PluginParts {
    PluginParts(
      commands: { [shelf] in PathCaseCommands.all.map { $0.boundWithWarnings(to: shelf) } },
      screens: { [shelf] in PathCaseScreens.parts(shelf) },
      stores: { self.stores },
      textRenderers: {
        [
          TextRendererPart(PathCaseValueType.drawing) { _ in DrawingRenderer() },
          TextRendererPart(PathCaseValueType.modes) { _ in ModesRenderer() },
          TextRendererPart(PathCaseValueType.scenarios) { _ in ScenarioRenderer() },
        ]
      },
      fileTypes: { Self.fileTypes },
      settings: { UpdateSettings.declared },
      topics: { Self.topics },
      errorCodes: { PathCaseErrorCodes.all + PathCaseScreens.errorCodes })
  }

  private var stores: [StorePart] {
    [
      StorePart(
        DatabaseStore.storeName, "Downloaded database and the previous one; a backup contains the current one"
      ) { [shelf] context in
        DatabaseStore(folder: context.folders.data) { [weak context] in
          if let context { await shelf.databaseReplaced(context, reason: "restore") }
        }
      },
      StorePart(UserDataStore.storeName, "Your layouts, observations, scenarios and imported networks") {
        [shelf] context in
        UserDataStore(folder: context.folders.data, isOffline: context.isOffline) { [weak context] tables in
          if tables.contains(where: { $0.hasPrefix("layout") }) { shelf.forgetDatabase() }
          context?.notify(PathwayShelf.userDataChanged, .list(tables.sorted().map(Value.text)))
        }
      },
    ]
  }

  /// The types of files that the pathway screen opens, also compressed; the type of a file is determined by its content.
  private static let fileTypes = [
    FileTypeDescription(
      "Model or pathway in XML (SBML, KGML, SBGN-ML, GPML, BioPAX)",
      extensions: ["xml", "sbml", "kgml", "sbgn", "gpml", "owl"].flatMap { [$0, $0 + ".gz"] },
      magic: Array("<?xml".utf8), screen: "pathway"),
    FileTypeDescription(
      "Model or map in JSON (COBRA, Escher, scenario network)", extensions: ["json", "json.gz"],
      magic: Array("{".utf8), screen: "pathway"),
  ]

  private static let topics = [
    TopicDescription(
      PathwayShelf.databaseChanged, "Change of the database in use", payload: DatabaseChange.schema),
    TopicDescription(
      PathwayShelf.userDataChanged, "Change of your layouts, observations, scenarios or imported networks",
      payload: .list(.text)),
  ]
}

/// Returns the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(PathCasePlugin())
}
