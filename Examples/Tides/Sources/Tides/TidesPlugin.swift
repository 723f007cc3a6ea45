import PluginAPI
import PluginStore

/// Tides from their harmonic constituents.
final class TidesPlugin: Plugin {
  let identity = PluginIdentity(
    id: "tides", name: "Tides", version: "1.0.0", summary: "Tide prediction from harmonic constituents")

  var parts: PluginParts {
    var parts = PluginParts(
      commands: [
        StationCommands.list, StationCommands.show, StationCommands.add, StationCommands.remove,
        PredictCommands.predict, PredictCommands.draw,
      ],
      screens: [ScreenPart(StationsController.description) { StationsController($1) }], stores: [StationStore.part])
    parts.textRenderers = [TextRendererPart(Prediction.typeName) { PredictionRenderer(unit: $0[TideUnit.setting]) }]
    parts.settings = [TideUnit.setting.parameter]
    parts.topics = [TopicDescription("stations-changed", "Addition or removal of a station", payload: .any)]
    parts.errorCodes = TidesError.all.map(\.catalogueEntry) + StoreError.errorCodes
    return parts
  }
}

/// The errors of the plugin.
enum TidesError {
  static let unknownStation = DeclaredError(
    "tides.unknown-station", .notFound, "no station has this name; list them with 'workbench tides list'")
  static let stationExists = DeclaredError("tides.station-exists", .usage, "a station with this name already exists")
  static let unreadableConstant = DeclaredError(
    "tides.unreadable-constant", .usage, "a tidal constant is not written as NAME,METRES,DEGREES")

  static let all = [unknownStation, stationExists, unreadableConstant]
}

/// Returns the plugin in a box; the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(TidesPlugin())
}
