import PluginAPI
import PluginTesting
import Testing

private enum Errors {
  static let gone = DeclaredError("parts.gone", .notFound, "it is gone")
}

private final class PartsPlugin: Plugin {
  let identity = PluginIdentity(id: "parts", name: "Parts", version: "1.0.0", summary: "parts")

  var parts: PluginParts {
    var parts = PluginParts(commands: [
      CommandPart(CommandDescription("go", "go", output: CommandDescription.Output(.any))) { _ in
        throw Errors.gone("'x' is gone", advice: "wait", isRetryable: true)
      }
    ])
    parts.checks = [
      CheckPart("all", "everything") { _ in [Diagnostic(.note, code: Errors.gone.code, "checked")] }
    ]
    parts.errorCodes = [Errors.gone.catalogueEntry]
    return parts
  }
}

/// Parts that carry their maker, and errors that are declared once.
struct PluginPartsTests {
  @Test func `contributions and makers follow from the parts`() async throws {
    let plugin = PartsPlugin()
    let all = plugin.contributions
    #expect(all.plugin.id == "parts")
    #expect(all.commands.map(\.name) == ["go"])
    #expect(all.checks.map(\.name) == ["all"])
    #expect(all.errorCodes == [ErrorCodeDescription("parts.gone", "it is gone")])
    let context = try await TestPlugin(plugin).context
    #expect(try plugin.makeCommand("go", context).declaration.name == "go")
    #expect(throws: MissingPart.command("stay")) { try plugin.makeCommand("stay", context) }
    #expect(throws: MissingPart.store("people")) { try plugin.makeStore("people", context) }
    #expect(try await plugin.runCheck("all", context).map(\.message) == ["checked"])
  }

  @Test func `an occurrence of an error has the code and kind of its declaration`() {
    let report = Errors.gone("'x' is gone", advice: "wait", isRetryable: true)
    #expect(report.code == "parts.gone" && report.kind == .notFound && report.exitStatus == 3)
    #expect(report.description == "'x' is gone; wait" && report.isRetryable)
    do {
      throw report
    } catch Errors.gone {
    } catch {
      Issue.record("a declared error does not match its occurrence")
    }
  }
}
