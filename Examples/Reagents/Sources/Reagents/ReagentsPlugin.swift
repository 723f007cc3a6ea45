import PluginAPI
import PluginStore

/// The reagents of a laboratory, in grams and moles.
final class ReagentsPlugin: Plugin {
  let identity = PluginIdentity(
    id: "reagents", name: "Reagents", version: "1.0.0", summary: "Reagents of a laboratory, in grams and moles")

  static let decimals = Setting("decimals", in: 0...6, "Decimals of masses", default: 2)

  var parts: PluginParts {
    var parts = PluginParts(
      commands: [Commands.list, Commands.add, Commands.moles, Commands.read],
      screens: [ScreenPart(ReagentsController.screen) { ReagentsController($1) }], stores: [ReagentStore.part])
    parts.textRenderers = [TextRendererPart(Reagent.typeName) { ReagentRenderer(decimals: $0[Self.decimals]) }]
    parts.settings = [Self.decimals.parameter]
    parts.fileTypes = [FileTypeDescription("List of reagents", extensions: ["reagents"], command: "read")]
    parts.topics = [TopicDescription("reagents-changed", "Addition of a reagent", payload: .any)]
    parts.errorCodes =
      [ReagentError.noMass.catalogueEntry, ReagentError.unusableFile.catalogueEntry] + StoreError.errorCodes
    return parts
  }
}

/// The errors of the plugin.
enum ReagentError {
  static let noMass = DeclaredError("reagents.no-mass", .unusableInput, "the molar mass of a reagent is unknown")
  static let unusableFile = DeclaredError("reagents.unusable-file", .unusableInput, "a file has no reagents")
}

/// The entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(ReagentsPlugin())
}
