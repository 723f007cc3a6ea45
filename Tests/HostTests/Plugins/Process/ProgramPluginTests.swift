import Foundation
import PluginAPI
import PluginTesting
import Synchronization
import TestSupport
import Testing

@testable import Host

@Suite(.timeLimit(.minutes(5))) struct ProgramPluginTests {
  @Test func `a command emits values, progress and warnings in order`() async throws {
    let program = try await ScriptedProgram(
      #"""
      hello; take
      emit 2 '{"$date":"2026-11-20"}'
      say '{"jsonrpc":"2.0","method":"progress","params":{"id":2,"progress":{"label":"half","fraction":0.5}}}'
      warning='{"severity":"warning","code":"s.c","message":"m"}'
      say "{\"jsonrpc\":\"2.0\",\"method\":\"warn\",\"params\":{\"id\":2,\"diagnostic\":$warning}}"
      say '{"jsonrpc":"2.0","method":"unknown","params":{}}'
      emit 2 '[1,2.50,"x"]'
      finish 2; take
      """#)
    let result = try await program.plugin.run("go")
    #expect(result.values == [.date(Instant(seconds: 1_795_132_800)), [1, 2.5, "x"]])
    #expect(result.progress.map(\.label) == ["half"])
    #expect(result.diagnostics.map(\.code) == ["s.c"])
  }

  @Test func `one program serves many calls`() async throws {
    let program = try await ScriptedProgram(
      #"""
      hello; id=2
      while take; do emit $id $id; finish $id; id=$((id + 1)); done
      """#)
    for id in 2..<52 { #expect(try await program.go() == [.integer(id)]) }
    #expect(program.processes.count == 1)
  }

  @Test func `a flood of values arrives in order, and log lines are limited`() async throws {
    var limits = ProgramLimits()
    (limits.backlogBytes, limits.loggedLines) = (1000, 10)
    let line = #"{"jsonrpc":"2.0","method":"emit","params":{"id":2,"value":&}}"#
    let program = try await ScriptedProgram(
      "hello; take; seq 50000 >&2; seq 20000 | sed 's/.*/\(line)/'; finish 2; take", limits: limits)
    #expect(try await program.go() == (1...20_000).map(Value.integer))
    #expect(program.plugin.context.logLines.map(\.message) == (1...10).map(String.init))
  }

  @Test func `a line of log that is too long is dropped, and the next ones are logged`() async throws {
    let program = try await ScriptedProgram(
      "hello; take; { printf '%0200000d' 7; echo; echo next; } >&2; finish 2; take")
    #expect(try await program.go() == [])
    #expect(polls { program.plugin.context.logLines.last?.message == "next" })
  }

  @Test func `a program leads its own process group, with limits and without new privileges`() async throws {
    let program = try await ScriptedProgram(
      #"""
      hello; take
      { ulimit -d; ulimit -c; grep NoNewPrivs /proc/self/status; cut -d ' ' -f 5 /proc/$$/stat; } >>"$notes"
      ls /proc/$$/fd >"$notes.open"; wc -l <"$notes.open" >>"$notes"
      finish 2; take
      """#, memoryInBytes: 256 << 20)
    #expect(try await program.go() == [])
    let notes = program.notes()
    #expect(notes.prefix(3) == ["262144", "0", "NoNewPrivs:\t1"])
    #expect(notes.dropFirst(3).first == program.processes.first)
    // Standard streams, the script, and standard output before 'ls', which the shell keeps.
    #expect(notes.last.flatMap { Int($0) } ?? 9 <= 5)
  }

  @Test func `a canceled call ends when the program confirms it`() async throws {
    let program = try await ScriptedProgram(
      #"""
      hello; take; echo started >>"$notes"; take; say "$message" >>"$notes"
      say '{"jsonrpc":"2.0","id":2,"error":{"code":-32800,"message":"canceled"}}'
      take; emit 3 '"again"'; finish 3; take
      """#)
    let call = Task { try await program.go() }
    await until { program.notes() == ["started"] }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(program.notes().last?.contains(#""method":"$/cancel","params":{"id":2}"#) == true)
    #expect(try await program.go() == ["again"])
    #expect(program.processes.count == 1)
  }

  @Test func `a program that does not end a canceled call is ended and restarted`() async throws {
    var limits = ProgramLimits()
    limits.cancelSeconds = 0.1
    let program = try await ScriptedProgram(
      #"""
      hello; take
      if [ -e "$notes" ]; then emit 2 '"again"'; finish 2; take; exit; fi
      echo started >>"$notes"; exec sleep 1000
      """#, limits: limits)
    let call = Task { try await program.go() }
    await until { program.notes() == ["started"] }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(try await program.go() == ["again"])
    #expect(program.processes.count == 2)
  }

  @Test func `a program's requests are answered`() async throws {
    let program = try await ScriptedProgram(
      #"""
      hello; take
      ask 1 setting '{"name":"unit"}'
      ask 2 setting '{"name":"unit","value":"foot"}'
      ask 3 notify '{"topic":"news","payload":[1]}'
      ask 4 call '{"id":2,"command":"other.list","arguments":{"limit":3}}'
      ask 5 ask '{"id":2,"request":{"is":"prompt","prompt":{"title":"Who?"}}}'
      ask 6 nothing '{}'
      ask 7 call '{"id":2,"command":"other.fail","arguments":{}}'
      finish 2; take
      """#)
    program.plugin.context.answer("other.list") { [.integer(7), $0["limit"] ?? .null] }
    program.plugin.context.answer("other.fail") { _ in
      throw ErrorReport(code: "other.bad", kind: .notFound, "nothing there")
    }
    program.plugin.answers.say("Ada")
    #expect(try await program.go() == [])
    let answers = try program.notes().map { try RPCMessage(line: Array($0.utf8)) }
    #expect(answers.count == 7)
    #expect(answers.prefix(3) == [.result(id: 1, "metre"), .result(id: 2, "foot"), .result(id: 3, .null)])
    #expect(answers.dropFirst(3).prefix(2) == [.result(id: 4, [7, 3]), .result(id: 5, "Ada")])
    let codes = answers.suffix(2).map { message in
      if case .failure(_, let failure) = message { failure.report?.code ?? "\(failure.code)" } else { "none" }
    }
    #expect(codes == ["-32601", "other.bad"])
    #expect(program.plugin.context.notifications.map(\.topic) == ["scripted.news"])
  }

  @Test func `a program renders values and runs checks`() async throws {
    let program = try await ScriptedProgram(
      #"""
      hello; take; say "$message" >>"$notes"; say '{"jsonrpc":"2.0","id":2,"result":"first\nsecond"}'
      take; say '{"jsonrpc":"2.0","id":3,"result":[{"severity":"error","code":"scripted.bad","message":"broken"}]}'
      take
      """#)
    let text = try program.plugin.text(["a": 1], for: TextRequest(width: 40), as: "scripted.text")
    #expect(text == "first\nsecond")
    #expect(program.notes().first?.contains(#""type":"scripted.text","value":{"a":1},"width":40"#) == true)
    let findings = try await program.plugin.plugin.runCheck("health", program.plugin.context)
    #expect(findings.map(\.message) == ["broken"])
  }

  @Test func `a rendering is not blocked by values that nothing consumes`() async throws {
    var limits = ProgramLimits()
    limits.backlogBytes = 1
    let program = try await ScriptedProgram(
      #"""
      hello; take; emit 2 1; emit 2 2; take; emit 2 3
      say '{"jsonrpc":"2.0","id":3,"result":"text"}'; finish 2; take
      """#, limits: limits)
    let (door, plugin) = (Door(), program.plugin)
    let output = HeldOutput(door: door)
    let call = Task {
      try await plugin.plugin.makeCommand("go", plugin.context).run(
        CommandCall(arguments: [:], context: plugin.context, output: output))
    }
    await until { output.isHeld }
    #expect(try plugin.text(.null, as: "scripted.text") == "text")
    door.open()
    try await call.value
    #expect(output.values == [1, 2, 3])
  }

  @Test func `an unused program is ended and restarted when needed`() async throws {
    var limits = ProgramLimits()
    limits.idleSeconds = 0.05
    let program = try await ScriptedProgram("hello; take; emit 2 1; finish 2; take; exit 0", limits: limits)
    #expect(try await program.go() == [1])
    #expect(polls { program.processes.allSatisfy { !ScriptedProgram.exists($0) } })
    #expect(try await program.go() == [1])
    #expect(program.processes.count == 2)
  }

  @Test func `three crashes quarantine the plugin`() async throws {
    let program = try await ScriptedProgram("hello; take; kill -SEGV $$")
    for _ in 0..<ProgramCrashes.limit { #expect(await program.plugin.report("go")?.code == "host.plugin-ended") }
    let error = try #require(await program.plugin.report("go"))
    #expect(error.code == "host.plugin-quarantined" && error.message.contains("SIGSEGV"))
    #expect(program.processes.count == ProgramCrashes.limit)
    let entry = try #require(PluginQuarantine(state: program.folder.url("state").path).entries["scripted"])
    #expect(entry.command == "command 'go'" && entry.identity != nil)
  }

  @Test func `arguments in the manifest that name files of the folder are found and checked`() async throws {
    let program = try await ScriptedProgram(
      #"hello; take; emit 2 "\"$1 $2\""; finish 2; take"#, run: #"["bin/shell", "main.sh", "lib", "lib/../main.sh"]"#)
    for name in ["bin", "lib"] {
      try FileManager.default.createDirectory(
        at: program.folder.url("scripted/" + name), withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      atPath: program.folder.url("scripted/bin/shell").path, withDestinationPath: "/bin/sh")
    #expect(try await program.go() == ["lib lib/../main.sh"])
    let unsafe = try await ScriptedProgram("hello; take; finish 2; take")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o666], ofItemAtPath: unsafe.folder.url("scripted/main.sh").path)
    #expect(await unsafe.plugin.report("go")?.code == "host.plugin-unsafe")
    #expect(unsafe.processes.isEmpty)
  }

  @Test func `a manifest changed while in use starts nothing`() async throws {
    let program = try await ScriptedProgram("hello; take; finish 2; take")
    try program.folder.write(
      Array(ScriptedProgram.manifest(run: #"["sh", "other.sh"]"#).utf8), "scripted/plugin.json")
    #expect(await program.plugin.report("go")?.code == "host.plugin-changed")
    #expect(program.processes.isEmpty)
  }
}

/// A receiver that takes no value until a door is open.
private final class HeldOutput: CommandOutput {
  private let door: Door
  private let collected = CollectedOutput()
  private let held = Mutex(false)

  init(door: Door) { self.door = door }

  var isHeld: Bool { held.withLock { $0 } }
  var values: [Value] { collected.values }

  func emit(_ value: Value) async throws {
    held.withLock { $0 = true }
    await door.wait()
    try await collected.emit(value)
  }
  func report(_ progress: PluginAPI.Progress) {}
  func warn(_ diagnostic: Diagnostic) {}
}
