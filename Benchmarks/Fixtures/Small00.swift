import PluginAPI

// The smallest plugin that does something: one command, no library besides the contract. Scripts/bench compiles it
// fifty times, each time with another number in place of 00, so that there are fifty different plugins to list.

/// Greets.
final class Small00: Plugin {
  var contributions: Contributions {
    var all = Contributions(
      plugin: PluginIdentity(id: "small-00", name: "Small 00", version: "1.0.0", summary: "greets, for measurements"))
    all.commands = [Greeting.declaration]
    return all
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard name == Greeting.declaration.name else { throw MissingPart.command(name) }
    return Greeting()
  }
}

/// `small-00 greet NAME`.
struct Greeting: Command {
  static let declaration = CommandDescription("greet", "greets somebody", output: .init(.text)).taking([
    Parameter("name", .text, "whom", isRequired: true)
  ])

  var declaration: CommandDescription { Self.declaration }

  func run(_ call: CommandCall) async throws { try await call.emit(.text("hello, \(call.text("name"))")) }
}

/// Returns the plugin in a box; the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer { PluginEntry.box(Small00()) }
