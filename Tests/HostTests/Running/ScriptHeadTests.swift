import PluginAPI
import Testing

@testable import Host

/// Arguments and options that scripts declare.
@MainActor struct ScriptHeadTests {
  private static let script = """
    #!/usr/bin/env -S workbench script
    summary "Survey a rock"
    argument rock document "Rock to survey" required
    argument others text "Other rocks" repeatable

    option max-weight number 2.5 "Heaviest rock" unit kilogram
    option method fast|exact fast "Method"
    flag verbose "Print more"
    sample echo $rock $max_weight $method
    for other in $others; print $other; end
    if $verbose; print verbose; end
    """

  @Test func `a head ends at the first other statement`() throws {
    let head = try #require(try ScriptHead.read(Self.script, file: "a.wbs"))
    #expect(head.summary == "Survey a rock" && head.arguments.map(\.name) == ["rock", "others"])
    #expect(head.arguments[0].isRequired && head.arguments[1].isRepeatable)
    #expect(head.options.map(\.name) == ["max-weight", "method", "verbose"])
    #expect(head.options[0].defaultValue == 2.5 && head.options[0].unit == "kilogram")
    #expect(head.options[1].kind == .choice(["fast", "exact"]) && head.options[2].kind == .flag)
    #expect(try ScriptHead.read("sample list\nflag a 'b'", file: "a.wbs") == nil)
    #expect(try ScriptHead.read("", file: "a.wbs") == nil)
  }

  @Test func `a script's arguments and options are variables`() async throws {
    let run = try CommandLineRun()
    let script = try run.file("a.wbs", Self.script)
    #expect(try await run.output("script", script, "granite") == "granite\n2.5\nfast\n")
    #expect(
      try await run.output(
        "script", script, "slate", "a b", "--json", "--max-weight", "7", "--method=exact", "--verbose")
        == "[\"slate\",\"7\",\"exact\"]\n\"a b\"\n\"verbose\"\n")
    #expect(try await run.output("exec", "script '\(script)' granite --method exact") == "granite\n2.5\nexact\n")
    #expect(await run.error("script", script)?.code == "host.missing-argument")
    #expect(await run.error("script", script, "a", "--max-weight", "many")?.code == "host.unfitting-argument")
    #expect(await run.error("script", script, "a", "--metod", "fast")?.advice == "did you mean '--method'?")
  }

  @Test func `help and completion include a script's arguments and options`() async throws {
    let run = try CommandLineRun()
    let script = try run.file("a.wbs", Self.script)
    let help = try await run.output("script", script, "--help")
    #expect(help.contains("Survey a rock") && help.contains("Usage: workbench script \(script) ROCK [OTHERS…]"))
    #expect(help.contains("--max-weight") && help.contains("Heaviest rock") && help.contains("--keep-going"))
    #expect(try await run.output("help", "script", script) == help)
    let completer = Completer(run.interpreter)
    #expect(await completer.candidates(["script", script, "--m"]).map { "\($0)" }.count == 2)
    #expect(await completer.candidates(["script", script, "--method", "e"]) == [.word("exact", "")])
    #expect(await completer.candidates(["script", script, ""]) == [.files([])])
  }

  @Test func `a script without a head has the standard help and arguments`() async throws {
    let run = try CommandLineRun()
    let script = try run.file("a.wbs", "sample echo $args")
    #expect(try await run.output("script", script, "--help").contains("Usage: workbench script FILE [ARGUMENTS…]"))
    #expect(try await run.output("script", script, "a", "b") == "a\nb\n")
  }

  @Test func `a malformed head is reported with its position, and 'exec' refuses a head`() async throws {
    let run = try CommandLineRun()
    let script = try run.file("a.wbs", "summary 'S'\nargument x number 'S' requird")
    #expect(await run.error("script", script) != nil)
    #expect(run.messages.contains("\(script):2:19: 'S' is not a number for 'x'"), "\(run.messages)")
    #expect(await run.error("exec", "flag a 'S'; sample echo b") != nil)
    #expect(run.messages.contains("exec:1:1: 'flag' needs a script in a file"))
    #expect(run.streams.output.contents == "")
  }
}
