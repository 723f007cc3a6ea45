import PluginAPI
import Synchronization
import TestSupport
import Testing

@testable import Host

/// A plugin that counts how many of its commands change something at the same time.
private final class LedgerPlugin: Plugin {
  private let state = Mutex<(count: Int, inside: Int, most: Int)>((0, 0, 0))

  let identity = PluginIdentity(id: "ledger", name: "Ledger", version: "1.0.0", summary: "Counts lines")

  /// The number of lines that were written.
  var count: Int { state.withLock { $0.count } }

  /// The largest number of commands that wrote a line at the same time.
  var most: Int { state.withLock { $0.most } }

  var parts: PluginParts {
    let rows = CommandDescription.Output(.record([.init("n", .integer)]), isStream: true)
    return PluginParts(commands: [
      CommandPart(CommandDescription("write", "Write a line", output: .init(.any), effects: [.writes])) { _ in
        await self.write()
      },
      CommandPart(CommandDescription("lines", "Write many lines", output: rows, effects: [.writes])) { call in
        await self.write()
        // More than a loop in Lua takes before the command waits.
        for number in 1...300 { try await call.emit(["n": .integer(number)]) }
      },
      CommandPart(CommandDescription("relay", "Let a line be written", output: .init(.any), effects: [])) { call in
        _ = try await call.context.call("write", Record())
      },
      CommandPart(CommandDescription("twice", "Write two lines", output: .init(.any), effects: [.writes])) { call in
        _ = try await call.context.call("write", Record())
        _ = try await call.context.call("write", Record())
      },
    ])
  }

  private func write() async {
    state.withLock { state in
      state.count += 1
      state.inside += 1
      state.most = max(state.most, state.inside)
    }
    for _ in 0..<50 { await Task.yield() }
    state.withLock { $0.inside -= 1 }
  }
}

/// The order of commands that change something in a `parallel` block, however they are called.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct ParallelGateTests {
  private let run: CommandLineRun
  private let ledger = LedgerPlugin()
  private let gate = ParallelGate()

  init() throws {
    run = try CommandLineRun()
    try run.interpreter.session.plugins.adopt(ledger)
  }

  /// Starts a line as a task of a block.
  private func start(_ words: [String], _ end: Steps = Steps()) -> Task<Void, any Error> {
    Task { [gate, run] in
      defer { end.names.append("end") }
      try await ParallelTurn.$visitor.withValue(ParallelGate.Visitor(gate)) { try await run.run(words) }
    }
  }

  /// Runs a line while another task of its block changes something of the plugin, and expects it to wait.
  private func expectWait(_ words: [String], lines: Int = 1) async throws {
    #expect(try await gate.enter("ledger", ParallelGate.Visitor(gate)))
    let end = Steps()
    let task = start(words, end)
    await until { gate.waitingCount("ledger") == 1 || ledger.count > 0 || !end.names.isEmpty }
    #expect(ledger.count == 0 && end.names.isEmpty, "\(words) does not wait")
    gate.leave("ledger")
    try await task.value
    #expect(ledger.count == lines && gate.waitingCount("ledger") == 0)
    // It has left the gate.
    #expect(try await gate.enter("ledger", ParallelGate.Visitor(gate)))
  }

  @Test(arguments: [
    ["ledger", "write"], ["exec", "ledger write"], ["exec", "let x = ledger write"], ["exec", "ledger relay"],
    ["exec", "for x in ledger lines; end"], ["ledger", "relay"], ["exec", "parallel 2; ledger write; end"],
  ])
  func `lines and plugins that change something wait for their turn`(words: [String]) async throws {
    try await expectWait(words)
  }

  @Test func `a command that calls others of its plugin has one turn`() async throws {
    try await expectWait(["ledger", "twice"], lines: 2)
  }

  @Test(
    .needsLua,
    arguments: [
      "wb.ledger.write{}", "pcall(wb.ledger.write)", "for line in wb.each.ledger.lines{} do end", "wb.ledger.relay{}",
      "coroutine.wrap(function() wb.ledger.write{} end)()",
    ])
  func `Lua scripts that change something wait for their turn`(code: String) async throws {
    try await expectWait(["exec", "--lua", code, "--allow-write"])
  }

  @Test(.needsLua) func `a loop in Lua over a command may change more of the same plugin`() async throws {
    let code = "for line in wb.each.ledger.lines{} do wb.ledger.write{} end"
    try await expectWait(["exec", "--lua", code, "--allow-write"], lines: 301)
  }

  @Test(.needsLua) func `lines and Lua scripts of a block change one thing at a time`() async throws {
    let script = """
      parallel 6
        for n in 1..3
          ledger write
        end
        exec --lua 'for i = 1, 3 do wb.ledger.write{} end print("a")' --allow-write
        exec --lua 'for line in wb.each.ledger.lines{} do wb.ledger.relay{} end print("b")' --allow-write
        exec 'ledger relay; ledger twice'
      end
      """
    #expect(try await run.output("exec", script) == "a\nb\n")
    #expect(ledger.most == 1 && ledger.count == 3 + 3 + 301 + 3)
  }

  @Test(.needsLua) func `a Lua script has no more rights in a block than elsewhere`() async throws {
    let script = "parallel 2; exec --lua 'wb.ledger.write{}'; end"
    await #expect(throws: ReportedFailure(status: 7)) { try await run("exec", script) }
    #expect(ledger.count == 0 && run.messages.contains("--allow-write"), "\(run.messages)")
  }

  @Test func `a command that waits for its turn is canceled with its task`() async throws {
    let holder = ParallelGate.Visitor(gate)
    #expect(try await gate.enter("ledger", holder))
    let task = start(["ledger", "write"])
    await until { gate.waitingCount("ledger") == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(ledger.count == 0 && gate.waitingCount("ledger") == 0)
    gate.leave("ledger")
    try await run("ledger", "write")
    #expect(ledger.count == 1)
  }

  @Test func `commands that only read do not wait`() async throws {
    #expect(try await gate.enter("sample", ParallelGate.Visitor(gate)))
    try await start(["sample", "list"]).value
    #expect(run.streams.output.contents.contains("granite"))
  }

  @Test func `visitors enter one at a time, in the order of their arrival`() async throws {
    let visitors = (0..<3).map { _ in ParallelGate.Visitor(gate) }
    let steps = Steps()
    #expect(try await gate.enter("a", visitors[0]))
    // Other owners have their own order.
    #expect(try await gate.enter("b", visitors[1]))
    var tasks: [Task<Void, any Error>] = []
    for index in [1, 2] {
      let visitor = visitors[index]
      tasks.append(
        Task { [gate] in
          let isInside = try await gate.enter("a", visitor)
          #expect(isInside)
          steps.names.append("\(index)")
          gate.leave("a")
        })
      await until { gate.waitingCount("a") == index }
    }
    steps.names.append("0")
    gate.leave("a")
    for task in tasks { try await task.value }
    #expect(steps.names == ["0", "1", "2"])
  }

  @Test func `a visitor does not wait for itself, and leaves as often as it entered`() async throws {
    let (first, second) = (ParallelGate.Visitor(gate), ParallelGate.Visitor(gate))
    #expect(try await gate.enter("a", first))
    #expect(try await gate.enter("a", first))
    let steps = Steps()
    let task = Task { [gate] in
      let isInside = try await gate.enter("a", second)
      #expect(isInside)
      steps.names.append("second")
    }
    await until { gate.waitingCount("a") == 1 }
    gate.leave("a")
    #expect(gate.waitingCount("a") == 1 && steps.names.isEmpty)
    gate.leave("a")
    try await task.value
    #expect(steps.names == ["second"])
  }

  @Test func `two visitors never wait for each other`() async throws {
    let (first, second) = (ParallelGate.Visitor(gate), ParallelGate.Visitor(gate))
    #expect(try await gate.enter("a", first))
    #expect(try await gate.enter("b", second))
    let task = Task { [gate] in try await gate.enter("b", first) }
    await until { gate.waitingCount("b") == 1 }
    #expect(try await !gate.enter("a", second), "the first waits for the second")
    gate.leave("b")
    #expect(try await task.value)
  }

  @Test func `a visitor does not wait for one that has just entered and waits for it elsewhere`() async throws {
    let visitors = (0..<3).map { _ in ParallelGate.Visitor(gate) }
    let (next, other) = (visitors[1], visitors[2])
    #expect(try await gate.enter("a", visitors[0]))
    #expect(try await gate.enter("b", other))
    // A Lua script may wait in two loops at the same time.
    let entering = Task { [gate] in try await gate.enter("a", next) }
    await until { gate.waitingCount("a") == 1 }
    let elsewhere = Task { [gate] in try await gate.enter("b", next) }
    await until { gate.waitingCount("b") == 1 }
    let waiting = Task { [gate] in try await gate.enter("a", other) }
    await until { gate.waitingCount("a") == 2 }
    gate.leave("a")
    #expect(try await entering.value)
    #expect(try await !waiting.value)
    gate.leave("b")
    #expect(try await elsewhere.value)
  }
}

/// The steps that tasks have taken.
@MainActor private final class Steps {
  var names: [String] = []
}
