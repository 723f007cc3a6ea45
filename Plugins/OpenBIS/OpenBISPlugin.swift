import PluginAPI

/// Lab data of openBIS servers in a terminal, on- and offline; read-only.
final class OpenBISPlugin: Plugin {
  static let version = "0.1.0"

  var contributions: Contributions {
    var all = Contributions(
      plugin: PluginIdentity(
        id: "openbis", name: "OpenBIS", version: Self.version,
        summary: "lab data of openBIS servers, on- and offline"))
    all.commands = OpenBISCommand.all.map(\.declaration)
    all.errorCodes = SimulatorError.errorCodes
    return all
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard let command = OpenBISCommand.all.first(where: { $0.declaration.name == name }) else {
      throw MissingPart.command(name)
    }
    return command
  }
}

/// The way out of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(OpenBISPlugin())
}
