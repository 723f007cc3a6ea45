import PluginAPI

/// Compares molecules with metabolites, which two other plugins provide.
final class IsomersPlugin: Plugin {
  let identity = PluginIdentity(
    id: "isomers", name: "Isomers", version: "1.0.0", summary: "Metabolites with the composition of a molecule")

  var parts: PluginParts {
    var parts = PluginParts(commands: [FindCommand.find])
    parts.errorCodes = [IsomersError.unexpectedResult.catalogueEntry]
    return parts
  }
}

/// The errors of the plugin.
enum IsomersError {
  static let unexpectedResult = DeclaredError(
    "isomers.unexpected-result", .failure, "another plugin's command has no such field; update the plugins")
}

/// Returns the plugin in a box; the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(IsomersPlugin())
}
