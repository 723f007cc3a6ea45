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
      screens: [ScreenPart(StationsController.description) { StationsController($1) }],
      stores: [StorePart(StationStore.name, "Stations and their tidal constants") { StationStore.make($0) }])
    parts.textRenderers = [TextRendererPart(Prediction.typeName) { PredictionRenderer(unit: TideUnit($0)) }]
    parts.settings = [TideUnit.setting]
    parts.checks = [
      CheckPart("constituents", "Speeds of the constituents compared with the published ones") { _ in
        Constituent.findings()
      }
    ]
    parts.topics = [TopicDescription("stations-changed", "Addition or removal of a station", payload: .any)]
    parts.errorCodes = TidesError.all.map(\.catalogueEntry) + StoreError.errorCodes
    return parts
  }
}

/// Returns the plugin in a box; the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(TidesPlugin())
}
