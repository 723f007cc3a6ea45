import PluginAPI

/// Molecular structures in a terminal.
final class MoleculesPlugin: Plugin {
  var contributions: Contributions {
    Contributions(
      plugin: PluginIdentity(
        id: "molecules", name: "Molecules", version: "0.1.0", summary: "molecular structures: library and 3-D views"))
  }
}

/// The way out of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(MoleculesPlugin())
}
