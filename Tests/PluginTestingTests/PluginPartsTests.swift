import PluginAPI
import PluginTesting
import Synchronization
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

/// A plugin that counts which of its descriptions are made.
private final class CountingPlugin: Plugin {
  let identity = PluginIdentity(id: "counting", name: "Counting", version: "1.0.0", summary: "counts")
  let made = Mutex<[String]>([])

  var parts: PluginParts { PluginParts(commands: ["first", "second", "third"].map(command)) }

  private func command(_ name: String) -> CommandPart {
    StatefulCommand<String>(self.description(name)) { call, state in
      try await call.emit(.text(state))
    }.bound(to: "the state of \(name)")
  }

  private func description(_ name: String) -> CommandDescription {
    made.withLock { $0.append(name) }
    return CommandDescription(name, name, output: CommandDescription.Output(self.schema(name)))
  }

  private func schema(_ name: String) -> ValueSchema {
    made.withLock { $0.append("schema of \(name)") }
    return .any
  }
}

/// A plugin that notes which kinds of its parts are made.
private final class NotingPlugin: Plugin {
  let identity = PluginIdentity(id: "noting", name: "Noting", version: "1.0.0", summary: "notes")
  let made = Mutex<[String]>([])

  var parts: PluginParts {
    PluginParts(
      commands: { [CommandPart(CommandDescription("go", "go", output: CommandDescription.Output(.any))) { _ in }] },
      screens: { self.noting("screens") },
      stores: { self.noting("stores") },
      textRenderers: { self.noting("textRenderers") },
      fileTypes: { self.noting("fileTypes") },
      settings: { self.noting("settings") },
      checks: { self.noting("checks") },
      topics: { self.noting("topics") },
      errorCodes: { self.noting("errorCodes") })
  }

  private func noting<Part>(_ kind: String) -> [Part] {
    made.withLock { $0.append(kind) }
    return []
  }
}

/// Parts that carry their maker, and errors that are declared once.
struct PluginPartsTests {
  @Test func `contributions and factories follow from the parts`() async throws {
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

  @Test func `finding a command does not create later descriptions or its output's schema`() async throws {
    let plugin = CountingPlugin()
    let context = try await TestPlugin(PartsPlugin()).context
    let command = try plugin.makeCommand("second", context)
    #expect(plugin.made.withLock { $0 } == ["first", "second"])
    #expect(command.declaration.output.schema == .any)
    #expect(plugin.made.withLock { $0 } == ["first", "second", "second", "schema of second"])
  }

  @Test func `each kind of parts is created only where it is needed`() async throws {
    let plugin = NotingPlugin()
    let context = try await TestPlugin(PartsPlugin()).context
    _ = try plugin.makeCommand("go", context)
    #expect(plugin.made.withLock { $0 }.isEmpty)
    #expect(throws: MissingPart.store("people")) { try plugin.makeStore("people", context) }
    #expect(plugin.made.withLock { $0 } == ["stores"])
    plugin.made.withLock { $0 = [] }
    #expect(plugin.contributions.commands.map(\.name) == ["go"])
    #expect(
      plugin.made.withLock { $0 } == [
        "screens", "stores", "textRenderers", "fileTypes", "settings", "checks", "topics", "errorCodes",
      ])
  }

  @Test func `a kind of parts can be changed after a set of them is created`() {
    var parts = NotingPlugin().parts
    parts.errorCodes += [Errors.gone.catalogueEntry]
    #expect(parts.errorCodes.map(\.code) == ["parts.gone"])
    #expect(parts.commands.map(\.declaration.name) == ["go"])
  }

  @Test func `a command runs with its bound state`() async throws {
    let plugin = try await TestPlugin(CountingPlugin())
    #expect(try await plugin.run("second").value == "the state of second")
    #expect(try await plugin.run("third").value == "the state of third")
  }

  @Test func `a reported error has the code and kind of its declaration`() {
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
