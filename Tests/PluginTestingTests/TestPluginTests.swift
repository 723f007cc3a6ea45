import PluginAPI
import PluginTesting
import Testing

struct TestPluginTests {
  @Test func `values are compared with the declared schema`() {
    let schema = ValueSchema.record([
      ValueSchema.Field("name", .text), ValueSchema.Field("sizes", .list(.number)),
      ValueSchema.Field("kind", .choice(["a", "b"])), ValueSchema.Field("note", .optional(.text)),
    ])
    let good: Value = ["name": "x", "sizes": [1, 2.5], "kind": "a", "note": nil]
    #expect(SchemaComparison.mismatch(of: good, with: schema) == nil)
    func mismatch(_ name: String, _ value: Value?) -> String? {
      var record = good.record ?? Record()
      record[name] = value
      return SchemaComparison.mismatch(of: .record(record), with: schema)
    }
    #expect(mismatch("name", 5) == "value.name is a whole number, declared is text")
    #expect(mismatch("sizes", [1, "two"]) == "value.sizes[1] is text, declared is number")
    #expect(mismatch("kind", "c") == "value.kind is 'c', declared are a, b")
    #expect(mismatch("note", nil) == "value.note is missing")
    #expect(mismatch("more", 1) == "value.more is not declared")
    let table = Value.table(Table(columns: [Table.Column("x", .numbers([1, .nan], decimals: nil))]))
    #expect(SchemaComparison.mismatch(of: table, with: .table([ValueSchema.Field("x", .number)])) != nil)
    #expect(SchemaComparison.mismatch(of: table, with: .table([ValueSchema.Field("x", .optional(.number))])) == nil)
  }

  @Test func `a command that emits undeclared values fails its test`() async throws {
    let plugin = try await TestPlugin(EchoPlugin())
    #expect(try await plugin.run("echo", ["value": "text"]).value == "text")
    await #expect(throws: SchemaMismatch.self) { try await plugin.run("echo", ["value": "wrong"]) }
    await #expect(throws: SchemaMismatch.self) { try await plugin.run("echo", ["value": "twice"]) }
    #expect(await plugin.report("echo", ["vaule": "x"])?.exitStatus == 2)
    #expect(await plugin.report("shout")?.code == "host.unknown-command")
  }

  @Test func `a result and a call join the parts of a table`() async throws {
    let plugin = try await TestPlugin(RowsPlugin())
    let joined: Value = [["n": 0], ["n": 10], ["n": 1], ["n": 11]]
    let result = try await plugin.run("count")
    #expect(result.values.count == 2 && result.value == joined)
    #expect(try await plugin.context.call("count", [:]) == joined)
    #expect(try await plugin.context.call("count", ["tables": 1]) == RowsPlugin.rows([0, 10]))
  }

  @Test func `a test supplies answers to questions and a line of input`() async throws {
    let plugin = try await TestPlugin(EchoPlugin())
    #expect(try await plugin.run("echo", ["value": "asks"]).value == "nobody, nothing")
    plugin.answers.say("anna", "berta")
    plugin.answers.inputLine = "secret"
    #expect(try await plugin.run("echo", ["value": "asks"]).value == "anna, secret")
    #expect(try await plugin.run("echo", ["value": "asks"]).value == "berta, secret")
    #expect(try await plugin.run("echo", ["value": "asks"]).value == "nobody, secret")
    #expect(plugin.answers.questions.count == 4)
    #expect(plugin.answers.questions[0] == PromptRequest("who?", isSecret: true))
  }

  @Test func `plugins with the same home have the same folders`() async throws {
    let first = try await TestPlugin(EchoPlugin())
    let home = first.context.folders.data
    let second = try await TestPlugin(EchoPlugin(), home: home)
    #expect(second.context.folders.state.hasPrefix(home + "/"))
    let third = try await TestPlugin(EchoPlugin(), home: home)
    #expect(third.context.folders == second.context.folders)
  }

  @Test func `a command line is parsed like the host's`() throws {
    let command = CommandDescription("go far", "go", output: CommandDescription.Output(.any)).taking(
      [Parameter("from", .text, "start", isRequired: true), Parameter("over", .text, "places", isRepeatable: true)],
      options: [Parameter("days", .integer(minimum: 0, maximum: 9), "days"), Parameter("fast", .flag, "fast")])
    let other = CommandDescription("go", "go", output: CommandDescription.Output(.any))
    let (found, arguments) = try ArgumentWords.parse(
      "go far 'New York' a b --days=3 --fast --json", for: [other, command])
    #expect(found == command)
    #expect(arguments == ["days": 3, "fast": true, "from": "New York", "over": ["a", "b"]])
    for line in ["fly", "go far x --days many", "go far x --slow", "go there", "go far x --days"] {
      #expect(throws: ErrorReport.self) { try ArgumentWords.parse(line, for: [other, command]) }
    }
  }

  @Test @MainActor func `timers fire only when the test advances time`() {
    let loop = TestLoop()
    var seen: [String] = []
    let repeating = loop.schedule(after: 1, every: 1) { seen.append("tick") }
    loop.schedule(after: 1.5, every: nil) { seen.append("once") }
    loop.advance(by: 0.9)
    #expect(seen.isEmpty)
    loop.advance(by: 1.2)
    #expect(seen == ["tick", "once", "tick"])
    repeating.cancel()
    loop.advance(by: 10)
    #expect(seen.count == 3)
  }

  @Test func `settings are validated, and log lines are stored`() async throws {
    let plugin = try await TestPlugin(EchoPlugin())
    #expect(plugin.context[EchoPlugin.depth] == 3)
    try plugin.context.set("depth", to: "5")
    #expect(plugin.context[EchoPlugin.depth] == 5)
    #expect(plugin.context.setting("depth") == 5)
    #expect(throws: ErrorReport.self) { try plugin.context.set("depth", to: 50) }
    #expect(throws: ErrorReport.self) { try plugin.context.set("width", to: 1) }
    plugin.context.answer("other.command") { arguments in .list([arguments["x"] ?? .null]) }
    #expect(try await plugin.context.call("other.command", ["x": 1]) == [1])
    plugin.context.log(.note, "hello")
    #expect(plugin.context.logLines.map(\.message) == ["hello"])
  }
}

/// A plugin that emits a table in parts.
private final class RowsPlugin: Plugin {
  let identity = PluginIdentity(
    id: "rows-tester", name: "Rows", version: "1.0.0", summary: "emits a table in parts")

  static func rows(_ numbers: [Int]) -> Value {
    .table(Table(columns: [Table.Column("n", .integers(numbers))]))
  }

  var parts: PluginParts {
    let output = CommandDescription.Output(.table([ValueSchema.Field("n", .integer)]), isStream: true)
    let tables = Parameter("tables", .integer(minimum: 0, maximum: 9), "number of tables", defaultValue: 2)
    return PluginParts(commands: [
      CommandPart(CommandDescription("count", "counts", output: output).taking(options: [tables])) { call in
        for number in 0..<(call["tables"].integer ?? 0) { try await call.emit(Self.rows([number, 10 + number])) }
      }
    ])
  }
}

/// A plugin that emits its argument, or an undeclared value.
private final class EchoPlugin: Plugin {
  static let depth = Setting("depth", in: 1...9, "how deep", default: 3)

  var contributions: Contributions {
    var all = Contributions(
      plugin: PluginIdentity(id: "echo", name: "Echo", version: "1.0.0", summary: "says it again"))
    all.commands = [Echo().declaration]
    all.settings = [Self.depth.parameter]
    return all
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command { Echo() }

  struct Echo: Command {
    var declaration: CommandDescription {
      CommandDescription("echo", "say it again", output: CommandDescription.Output(.text))
        .taking([Parameter("value", .text, "what to say", isRequired: true)])
    }

    func run(_ call: CommandCall) async throws {
      switch call.text("value") {
      case "wrong": try await call.emit(5)
      case "asks":
        let name = try await call.ask(PromptRequest("who?", isSecret: true)) ?? "nobody"
        try await call.emit(.text("\(name), \(try await call.inputLine() ?? "nothing")"))
      case "twice":
        try await call.emit("one")
        try await call.emit("two")
      default: try await call.emit(call["value"])
      }
    }
  }
}
