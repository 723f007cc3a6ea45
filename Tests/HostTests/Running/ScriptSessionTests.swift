import Glibc
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Scripts of plain commands, and the session that a prompt feeds.
@MainActor struct ScriptSessionTests {
  private func failure(_ run: CommandLineRun, _ words: String...) async -> Int32? {
    do {
      try await run.run(words)
      return nil
    } catch {
      return (error as? ReportedFailure)?.status ?? ErrorReport(error).exitStatus
    }
  }

  @Test func `a script runs its commands in order`() async throws {
    let run = try CommandLineRun()
    let script = try run.file("a.wbs", "sample echo one $1\n# no\nsample echo \\\n two\nsample reset")
    #expect(try await run.output("script", script, "x y") == "one\nx y\ntwo\n")
    #expect(try await run.output("script", script, "x", "--json") == "[\"one\",\"x\"]\n[\"two\"]\nnull\n")
  }

  @Test func `the first failure ends a script with its status and position`() async throws {
    let run = try CommandLineRun()
    let script = try run.file("a.wbs", "sample echo a\n\nsample fail network\nsample echo b")
    #expect(await failure(run, "script", script) == 6)
    #expect(run.streams.output.contents == "a\n")
    #expect(run.messages == "\(script):3:1: in 'sample fail': there is no rock 'quartz'; look in the cellar\n")
  }

  @Test func `all lines are checked before any runs`() async throws {
    let run = try CommandLineRun()
    for wrong in ["sample", "sample ecko b", "nonsense", "sample count many", "sample echo 'b", "help --home /tmp"] {
      let before = run.messages.utf8.count
      #expect(await failure(run, "exec", "sample echo a\n\n\(wrong)") == 2, "\(wrong)")
      #expect(String(run.messages.utf8.dropFirst(before))?.hasPrefix("exec:3:") == true, "\(wrong)")
    }
    #expect(await failure(run, "exec", "sample echo a; sample info --owner … granite") == 2)
    #expect(run.streams.output.contents.isEmpty)
  }

  @Test func `invalid lines are listed, the first ten one by one`() async throws {
    let run = try CommandLineRun()
    #expect(await failure(run, "exec", "one\nsample echo a\ntwo") == 2)
    let places = run.messages.split(separator: "\n").map { String($0.prefix(7)) }
    #expect(places == ["exec:1:", "exec:3:"])
    let many = try CommandLineRun()
    #expect(await failure(many, "exec", String(repeating: "x\n", count: 12)) == 2)
    #expect(many.messages.split(separator: "\n").count == 11)
    #expect(many.messages.hasSuffix("note: 2 more commands have errors\n"))
  }

  @Test func `a command of a plugin that the script may install is parsed when it runs`() async throws {
    let run = try CommandLineRun()
    let script = "sample echo a; plugin remove nonsense --yes; nonsense greet; sample count many"
    #expect(await failure(run, "exec", script) == 2)
    #expect(run.messages.contains("'many'") && !run.messages.contains("nonsense"))
    #expect(await failure(run, "exec", "exec 'sample echo a'; nonsense greet") == 2)
    #expect(run.streams.output.contents == "a\n" && run.messages.contains("exec:1:23: 'nonsense' is not a command"))
  }

  @Test func `the running line is known until it ends, and after cancellation`() async throws {
    let run = try CommandLineRun()
    let place = run.streams.scriptPlace
    try await run("exec", "sample echo a\nsample echo b")
    #expect(place.entry == nil)
    let task = Task { try await run("exec", "sample echo a\n sample wait") }
    while place.entry?.prefix != "exec:2:2: in 'sample wait'" { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(place.entry?.position == "exec:2:2")
  }

  @Test func `a script that keeps going ends with the status of its first failure`() async throws {
    let run = try CommandLineRun()
    #expect(await failure(run, "exec", "sample fail notFound; nonsense\nsample echo b", "--keep-going") == 3)
    #expect(run.streams.output.contents == "b\n")
    #expect(
      run.messages.contains("exec:1:1: in 'sample fail': there is no rock")
        && run.messages.contains("exec:1:23: 'nonsense' is not a command"))
  }

  @Test func `a script's errors are JSON if its results are`() async throws {
    let run = try CommandLineRun()
    #expect(await failure(run, "exec", "sample fail refused", "--json") == 7)
    let error = try JSONReader.read(Array(run.messages.utf8))["error"]
    #expect(error["code"] == "sample.no-rock" && error["details"]["script"] == "exec:1:1")
    #expect(
      error["details"]["command"] == "sample fail" && error["details"]["rock"] == "quartz"
        && error["retryable"] == false)
  }

  @Test func `a line can have its own options`() async throws {
    let run = try CommandLineRun()
    #expect(try await run.output("exec", "sample count 1 --jsonl; sample echo x") == "{\"number\":1}\nx\n")
    #expect(await failure(run, "exec", "sample echo x --home /tmp") == 2)
    #expect(run.messages.contains("'--home' applies to a whole run"))
  }

  @Test func `scripts can call scripts up to a depth limit`() async throws {
    let run = try CommandLineRun()
    #expect(try await run.output("exec", "exec 'sample echo a'; sample echo b") == "a\nb\n")
    let script = try run.file("loop.wbs", "")
    _ = try run.file("loop.wbs", "script '\(script)'")
    #expect(await failure(run, "script", script) == 2)
    #expect(run.messages.contains("more than 16 levels deep"))
  }

  @Test func `a file that is missing or not a script is an error`() async throws {
    let run = try CommandLineRun()
    #expect(await failure(run, "script", "/nonexistent/x.lua") == 3)
    #expect(await failure(run, "script", "/nonexistent/a.wbs") == 3)
    #expect(await failure(run, "exec", "sample echo 'a") == 2)
    #expect(run.messages.contains("exec:1:13: ''' is not closed on its line"))
  }

  @Test func `a long script runs every line once, in one process`() async throws {
    let run = try CommandLineRun()
    let script = try run.file("many.wbs", String(repeating: "sample echo a\n", count: 2_000))
    #expect(try await run.output("script", script) == String(repeating: "a\n", count: 2_000))
  }

  @Test func `ten thousand commands with a variable run in one process`() async throws {
    let run = try CommandLineRun()
    let script = try run.file("many.wbs", "let a = 1\n" + String(repeating: "sample echo $a\n", count: 10_000))
    #expect(try await run.output("script", script) == String(repeating: "1\n", count: 10_000))
  }

  @Test func `text is incomplete within a block or before a continued line`() {
    for text in ["for x in [a]", "if true; while false; end", "sample echo \\", "parallel 2\nsample echo $1"] {
      #expect(ScriptSession.isIncomplete(text), "\(text)")
    }
    for text in [
      "", "sample echo a", "for x in [a]; end", "end", "sample echo 'a", "if", "sample echo $9 $args", "\\\\",
    ] {
      #expect(!ScriptSession.isIncomplete(text), "\(text)")
    }
  }

  @Test func `texts of a prompt share variables, even after an error`() async throws {
    let run = try CommandLineRun()
    let session = ScriptSession(run.interpreter, name: "prompt")
    let results = Results()
    session.onResult = { results.values.append($0) }
    try await session.run("let x = sample info granite", isLast: true)
    await #expect(throws: ReportedFailure(status: 2)) { try await session.run("for y in [a]", isLast: true) }
    await #expect(throws: ReportedFailure(status: 6)) {
      try await session.run("let z = sample fail network; sample echo no", isLast: true)
    }
    await #expect(throws: ReportedFailure(status: 2)) { try await session.run("print $z", isLast: true) }
    session["_1"] = ["id": 7, "tags": ["a", "b"]]
    try await session.run("sample echo $x.name $_1.id $_1.tags\nsample count 1", isLast: true)
    #expect(run.streams.output.contents == "granite\n7\na\nb\nnumber  1\n")
    #expect(results.values == [["granite", "7", "a", "b"], [["number": 1]]])
    #expect(session.names == ["_1", "error", "x"])
    #expect(try session.value(of: "$x.name") == "granite" && session.value(of: "$_1.tags[-1]") == "b")
    #expect(throws: ScriptError.badReference("$x[")) { try session.value(of: "$x[") }
    #expect(throws: ScriptError.unknownVariable("q", known: ["_1", "error", "x"])) { try session.value(of: "$q") }
    session["_1"] = nil
    await #expect(throws: ReportedFailure(status: 2)) { try await session.run("print $_1", isLast: true) }
  }

  @Test func `an ignored failure does not affect the next text`() async throws {
    let run = try CommandLineRun()
    let session = ScriptSession(run.interpreter, name: "prompt")
    await #expect(throws: ReportedFailure(status: 6)) {
      try await session.run("on-error continue; sample fail notFound; on-error stop; sample fail network", isLast: true)
    }
    try await session.run("sample echo b", isLast: true)
    #expect(run.streams.output.contents == "b\n")
  }

  @Test func `a text with errors changes no variables`() async throws {
    let run = try CommandLineRun()
    let session = ScriptSession(run.interpreter, name: "prompt")
    try await session.run("let x = 5", isLast: true)
    await #expect(throws: ReportedFailure(status: 2)) {
      try await session.run("let x = sample info granite; nonsense", isLast: true)
    }
    try await session.run("sample echo \"n$x\"", isLast: true)
    #expect(run.streams.output.contents == "n5\n")
  }

  @Test func `checking a long script does not block other work and can be canceled`() async throws {
    let run = try CommandLineRun()
    let text = String(repeating: "if false; sample echo a; end\n", count: 5_000) + "nonsense"
    let turns = Results()
    let other = Task {
      while !Task.isCancelled {
        turns.values.append(.null)
        await Task.yield()
      }
    }
    await #expect(throws: ReportedFailure(status: 2)) {
      try await ScriptSession(run.interpreter, name: "a").run(Substring(text), isLast: true)
    }
    other.cancel()
    // Reading the lines pauses four times, checking the statements nine times.
    #expect(turns.values.count > 4)
    let before = run.messages
    let check = Task { try await ScriptSession(run.interpreter, name: "b").run(Substring(text), isLast: true) }
    check.cancel()
    await #expect(throws: CancellationError.self) { try await check.value }
    #expect(run.messages == before)
  }

  @Test func `waiting for a script from a pipe does not block other work`() async throws {
    let run = try CommandLineRun()
    let pipe = try run.file("a.txt", "") + ".pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    let task = Task { try await run("script", pipe) }
    var descriptor: Int32 = -1
    await until {
      // There is no reader before the script is opened.
      descriptor = open(pipe, O_WRONLY | O_NONBLOCK)
      return descriptor >= 0
    }
    #expect(HostFile.writeAll(Array("sample echo a\n".utf8), to: descriptor) == 0)
    close(descriptor)
    try await task.value
    #expect(run.streams.output.contents == "a\n")
  }

  @Test func `lines are fed one by one, and a block runs when it is closed`() async throws {
    let run = try CommandLineRun()
    let session = ScriptSession(run.interpreter, name: "stdin")
    try await session.run("for x in [a b]", isLast: false)
    try await session.run("sample echo $x", isLast: false)
    #expect(run.streams.output.contents == "")
    try await session.run("end", isLast: false)
    #expect(run.streams.output.contents == "a\nb\n")
    await #expect(throws: ReportedFailure(status: 2)) { try await session.run("if true", isLast: true) }
    #expect(run.messages.contains("stdin:4:1: 'if' has no 'end'"))
  }
}

/// The results that a session has reported.
@MainActor private final class Results {
  var values: [Value] = []
}
