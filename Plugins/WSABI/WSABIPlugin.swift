import PluginAPI

/// People, their biometric data, and the WS-Biometric Devices that capture it.
final class WSABIPlugin: Plugin {
  static let version = "0.1.0"
  private let station = Station()

  var contributions: Contributions {
    var all = Contributions(
      plugin: PluginIdentity(
        id: "wsabi", name: "WSABI", version: Self.version,
        summary: "people and biometric captures from WS-Biometric Devices"))
    all.commands = WSABICommand.all.map(\.declaration)
    return all
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard let command = WSABICommand.all.first(where: { $0.declaration.name == name }) else {
      throw MissingPart.command(name)
    }
    return command.bound(to: station)
  }
}

/// The way out of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(WSABIPlugin())
}
