import PluginAPI
import PluginStore

/// Tides from their harmonic constituents.
final class TidesPlugin: Plugin {
  var contributions: Contributions {
    var all = Contributions(
      plugin: PluginIdentity(
        id: "tides", name: "Tides", version: "1.0.0", summary: "tide prediction from harmonic constituents"))
    all.commands = [
      ListCommand.declaration, ShowCommand.declaration, AddCommand.declaration, RemoveCommand.declaration,
      PredictCommand.predict,
      PredictCommand.draw,
    ]
    all.screens = [StationsController.description]
    all.stores = [StoreDescription(StationStore.name, "stations and their tidal constants")]
    all.textRenderers = [Prediction.typeName, Station.typeName]
    all.settings = [
      Parameter(
        "unit", .choice(TideUnit.allCases.map(\.rawValue)), "the unit heights are shown in", defaultValue: "metre")
    ]
    all.checks = [CheckDescription("constituents", "whether the speeds of the constituents are the published ones")]
    all.topics = [TopicDescription("stations-changed", "a station was added or removed", payload: .any)]
    all.errorCodes = TidesError.codes + StoreError.errorCodes
    return all
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    switch name {
    case "list": ListCommand()
    case "show": ShowCommand()
    case "add": AddCommand()
    case "remove": RemoveCommand()
    case "predict": PredictCommand(declaration: PredictCommand.predict)
    case "draw": PredictCommand(declaration: PredictCommand.draw)
    default: throw MissingPart.command(name)
    }
  }

  func makeStore(_ name: String, _ context: any PluginContext) throws -> any Store {
    guard name == StationStore.name else { throw MissingPart.store(name) }
    return StationStore.make(context)
  }

  func makeTextRenderer(_ typeName: String, _ context: any PluginContext) throws -> any TextRenderer {
    switch typeName {
    case Prediction.typeName: PredictionRenderer(unit: TideUnit(context))
    case Station.typeName: StationRenderer(unit: TideUnit(context))
    default: throw MissingPart.textRenderer(typeName)
    }
  }

  @MainActor func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller {
    guard request.screen == "stations" else { throw MissingPart.screen(request.screen) }
    return StationsController(request, context)
  }

  func runCheck(_ name: String, _ context: any PluginContext) async throws -> [Diagnostic] {
    ConstituentCheck.findings()
  }
}

/// The way out of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(TidesPlugin())
}
