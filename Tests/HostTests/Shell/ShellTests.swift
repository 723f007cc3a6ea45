import PluginAPI
import Synchronization
import TestSupport
import Testing

@testable import Host

/// Lines that were typed beforehand, and then the end.
private final class TypedLines: LineSource {
  private let state: Mutex<(lines: [TypedLine], prompts: [ShellPrompt])>

  init(_ lines: [TypedLine]) { state = Mutex((lines, [])) }

  /// The prompts so far.
  var prompts: [ShellPrompt] { state.withLock { $0.prompts } }

  func line(_ prompt: ShellPrompt) async -> TypedLine {
    state.withLock { state in
      state.prompts.append(prompt)
      return state.lines.isEmpty ? .end : state.lines.removeFirst()
    }
  }

  func interrupt() {}
  func close() async {}
}

@Suite(.timeLimit(.minutes(2)))
@MainActor struct ShellTests {
  private let run: CommandLineRun

  init() throws { run = try CommandLineRun() }

  private var history: ShellHistory { ShellHistory(path: run.home + "/state/shell-history") }

  /// Runs a shell with these lines.
  ///
  /// - Returns: The prompts, and the status that the user left with.
  private func shell(_ lines: TypedLine...) async throws -> (prompts: [String], status: Int32) {
    let source = TypedLines(lines)
    let shell = Shell(run.interpreter, source: source, history: history, doubleInterruptInSeconds: 3600)
    var status: Int32 = 0
    do { try await shell.run() } catch let failure as ReportedFailure { status = failure.status }
    #expect(run.interpreter.attendant == nil)
    return (source.prompts.map(\.plain), status)
  }

  @Test func `lines run in sequence, and the next prompt shows a failure`() async throws {
    let (prompts, status) = try await shell(
      .text("sample echo a"), .text("sample fail network"), .text("  "), .text("sample echo b"))
    #expect(run.streams.output.contents == "a\nb\n" && status == 0)
    #expect(prompts == ["workbench> ", "workbench> ", "workbench [6]> ", "workbench [6]> ", "workbench> "])
    #expect(run.messages.contains("there is no rock 'quartz'"))
  }

  @Test func `an incomplete line is continued at the next prompt`() async throws {
    let (prompts, _) = try await shell(.text("sample echo \\"), .text("b"))
    #expect(run.streams.output.contents == "b\n")
    #expect(prompts == ["workbench> ", "      ...> ", "workbench> "])
  }

  @Test func `Ctrl-C and Ctrl-D discard an incomplete line`() async throws {
    let (prompts, status) = try await shell(
      .text("sample echo \\"), .interrupted(isEmpty: false), .text("sample echo \\"), .end, .text("sample echo b"))
    #expect(run.streams.output.contents == "b\n" && status == 0)
    #expect(prompts.filter { $0 == "workbench> " }.count == 4)
  }

  @Test func `results are variables of later lines, and blocks continue over lines`() async throws {
    let (prompts, _) = try await shell(
      .text("sample info granite"), .text("sample echo $_.name"), .text("sample echo $_2.name"),
      .text("for word in $_"), .text("sample echo $word"), .text("end"), .text("sample echo $_9"))
    #expect(run.streams.output.contents == "rock granite\ngranite\ngranite\ngranite\n")
    #expect(prompts.map { $0.hasPrefix(" ") } == [false, false, false, false, true, true, false, false])
    #expect(prompts.last == "workbench [2]> ")
  }

  @Test func `exit and quit leave the shell with a status`() async throws {
    #expect(try await shell(.text("exit 3"), .text("sample echo a")).status == 3)
    #expect(try await shell(.text("quit"), .text("sample echo a")).status == 0)
    #expect(try await shell(.text(" exit ; "), .text("sample echo a")).status == 0)
    #expect(run.streams.output.contents.isEmpty)
    let (prompts, status) = try await shell(.text("exit 300"), .text("exit never"), .text("exit 1 2"))
    #expect(status == 0 && prompts.last == "workbench [2]> ")
    #expect(run.messages.contains("'300' is not an exit status; enter a number from 0 to 255"))
  }

  @Test func `Ctrl-C twice at the prompt leaves the shell, and once shows how`() async throws {
    let (prompts, _) = try await shell(
      .interrupted(isEmpty: true), .text("sample echo a"), .interrupted(isEmpty: false), .interrupted(isEmpty: true),
      .text("sample echo b"))
    #expect(run.streams.output.contents == "a\n" && prompts.count == 4)
    #expect(run.messages == "note: press Ctrl-C again or Ctrl-D to leave the shell\n")
  }

  @Test func `a line that is too long is not run`() async throws {
    let long = "sample echo " + String(repeating: "q", count: LineEditor.longestLine)
    let (prompts, _) = try await shell(.tooLong, .text(long), .text("sample echo b"))
    #expect(run.streams.output.contents == "b\n" && prompts[1...2] == ["workbench [2]> ", "workbench [2]> "])
    #expect(run.messages.contains("the line is longer than 65536 characters"))
  }

  @Test func `Ctrl-C cancels only the running command`() async throws {
    let interruption = Interruption(grace: .init(usual: 3600)) { _ in Issue.record("the program ended") }
    run.interpreter.interruption = interruption
    let task = Task { try await shell(.text("sample wait"), .text("sample echo b")) }
    await until { run.streams.output.contents.contains("waiting") }
    interruption.takeSignal()
    let (prompts, status) = try await task.value
    #expect(run.streams.output.contents == "waiting\nb\n" && status == 0 && interruption.cause == nil)
    #expect(prompts == ["workbench> ", "workbench [130]> ", "workbench> "])
    #expect(run.messages == "workbench: interrupted\n")
    // Without the shell it ends the run.
    interruption.takeSignal()
    #expect(interruption.cause == .interrupt)
  }

  @Test func `a second Ctrl-C ends a command that ignores cancellation`() async {
    let canceled = Mutex(0)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let interruption = Interruption(grace: .init(usual: 0)) { _ in continuation.resume() }
      let interrupts = ShellInterrupts(interruption, atPrompt: { Issue.record("no prompt") }, report: {})
      interrupts.begin { canceled.withLock { $0 += 1 } }
      interrupts.setPaging(true)
      interrupts.interrupt()
      interrupts.setPaging(false)
      #expect(canceled.withLock { $0 } == 0)
      interrupts.interrupt()
      #expect(canceled.withLock { $0 } == 1 && interruption.cause == nil)
      interrupts.interrupt()
      #expect(interruption.cause == .interrupt)
    }
  }

  @Test func `canceling the shell ends its command`() async throws {
    let task = Task { try await shell(.text("sample wait"), .text("sample echo b")) }
    await until { run.streams.output.contents.contains("waiting") }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(run.streams.output.contents == "waiting\n")
  }

  @Test func `lines without personal data are stored in the history`() async throws {
    _ = try await shell(
      .text("sample echo a"), .text("sample info granite --owner Ada"), .text("sample echo \\"), .text("b"))
    let stored = try String(decoding: HostFile.read(run.home + "/state/shell-history"), as: UTF8.self)
    #expect(stored == "sample echo a\nsample echo \\\\\\nb\n")
  }

  @Test func `the shell requires a terminal and does not start within itself`() async throws {
    let error = await run.error("shell")
    #expect(error?.code == "host.shell-terminal" && error?.advice?.contains("script -") == true)
    _ = try await shell(.text("shell"))
    #expect(run.messages.contains("the shell is running already"))
  }

  @Test func `a prompt marks its escape sequences for the editor`() {
    var prompt = ShellPrompt(status: 3, color: (on: "\u{1B}[31m", off: "\u{1B}[0m"))
    #expect(prompt.plain == "workbench [3]> ")
    #expect(prompt.marked == "workbench \u{1}\u{1B}[31m\u{1}[3]\u{1}\u{1B}[0m\u{1}> ")
    prompt.status = 0
    #expect(prompt.marked == "workbench> ")
  }
}
