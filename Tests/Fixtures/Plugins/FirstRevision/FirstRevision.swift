import PluginAPI

// A plugin written for revision 1 of the contract. Do not change it: later contracts must run it as it is.

final class FirstRevisionPlugin: Plugin {
  var contributions: Contributions {
    var all = Contributions(
      plugin: PluginIdentity(id: "first-revision", name: "First", version: "1.2.3", summary: "of the first revision"))
    all.commands = [
      CommandDescription("weigh", "weighs in two units", output: .init(.table([]), isStream: true), effects: [.writes])
        .taking([Parameter("mass", .number(minimum: 0, maximum: 10), "the mass", unit: "gram", defaultValue: 1.5)])
    ]
    all.stores = [StoreDescription("shelf", "keeps nothing")]
    all.errorCodes = [ErrorCodeDescription("first-revision.too-heavy", "the mass is too large")]
    return all
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    WeighCommand(declaration: contributions.commands[0])
  }
}

struct WeighCommand: Command {
  let declaration: CommandDescription

  func run(_ call: CommandCall) async throws {
    let mass = call["mass"].number ?? 0
    call.warn(Diagnostic(.warning, code: "first-revision.light", "the mass is small", line: 7, advice: "add some"))
    call.report(Progress("weighing", fraction: 0.5))
    try await call.emit([
      "grams": .number(mass), "moles": .quantity(mass / 18, unit: "mole"), "in": .text(call.context.folders.data),
    ])
    throw ErrorReport(code: "first-revision.too-heavy", kind: .unusableInput, "too heavy", advice: "take less")
  }
}

/// Returns the plugin in a box; the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(FirstRevisionPlugin())
}
