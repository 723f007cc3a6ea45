import PluginAPI

/// Lab data of openBIS servers in a terminal, on- and offline; read-only.
final class OpenBISPlugin: Plugin {
  static let version = "0.1.0"

  var contributions: Contributions {
    Contributions(
      plugin: PluginIdentity(
        id: "openbis", name: "OpenBIS", version: Self.version,
        summary: "lab data of openBIS servers, on- and offline"))
  }
}

/// The way out of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(OpenBISPlugin())
}
