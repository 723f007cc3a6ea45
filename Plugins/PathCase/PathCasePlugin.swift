import PluginAPI

/// Metabolic pathways in a terminal: browsed, drawn, brought up to date and analysed.
final class PathCasePlugin: Plugin {
  static let version = "0.1.0"

  var contributions: Contributions {
    Contributions(
      plugin: PluginIdentity(
        id: "pathcase", name: "PathCase", version: Self.version,
        summary: "metabolic pathways: browse, draw, update, analyse"))
  }
}

/// The way out of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(PathCasePlugin())
}
