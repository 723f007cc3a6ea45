import Foundation
import Glibc
import PluginAPI
import TestSupport
import Testing

@testable import Host

@MainActor struct ResultPagerTests {
  private let folder: TemporaryFolder
  private let run: CommandLineRun

  init() throws {
    folder = try TemporaryFolder()
    run = try CommandLineRun()
  }

  private var pages: String { folder.url("pages").path }

  /// Shows a text as the result of a command, and returns what was written to the terminal.
  private func show(
    _ text: String, pager: String, choice: PagerChoice = .auto, of command: [String] = ["sample", "list"],
    asks: Bool = false
  ) async throws -> String {
    let streams = StandardStreams(
      output: ByteSink(descriptor: nil, isTerminal: true), error: ByteSink(descriptor: nil), inputIsTerminal: false,
      environment: ["PAGER": pager, "PATH": "/usr/bin:/bin", "TMPDIR": folder.path.path])
    let interrupts = ShellInterrupts(nil, atPrompt: {}, report: {})
    let attendant = ResultPager(streams, interrupts) { choice }
    let entry = try #require(run.interpreter.table.entry(command))
    try await attendant.attend(entry, GlobalOptions(), output: CollectedOutput()) { output in
      #expect(streams.output.isTerminal)
      try streams.output.write(text)
      if asks { _ = try await output.request(.inputLine) }
      if asks { #expect(streams.output.contents == text) }
    }
    #expect(HostFile.names(in: folder.path.path).allSatisfy { $0 == "pages" })
    return streams.output.contents
  }

  private let long = String(repeating: "line\n", count: 2_000)

  @Test func `a result longer than the screen is paged`() async throws {
    #expect(try await show(long, pager: "cat > '\(pages)'") == "")
    #expect(try String(decoding: HostFile.read(pages), as: UTF8.self) == long)
  }

  @Test func `a short result, a stream, a screen and disabled paging use no pager`() async throws {
    let pager = "cat > '\(pages)'"
    #expect(try await show("short\n", pager: pager) == "short\n")
    #expect(try await show(long, pager: pager, choice: .never) == long)
    #expect(try await show(long, pager: pager, of: ["sample", "count"]) == long)
    #expect(try await show(long, pager: pager, of: ["run"]) == long)
    #expect(try await show(long, pager: "") == long)
    #expect(HostFile.size(pages) == nil)
  }

  @Test func `a pager may end early, and without one the result is printed`() async throws {
    let large = String(repeating: long, count: 200)
    #expect(try await show(large, pager: "head -c 1 > '\(pages)'") == "")
    #expect(HostFile.size(pages) == 1)
    #expect(try await show(long, pager: "workbench-no-such-pager 2>/dev/null") == long)
  }

  @Test(.timeLimit(.minutes(2)))
  func `cancellation ends all processes of a pager, even those that ignore signals`() async throws {
    let pipe = folder.url("pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let reader = try HostFile.open(pipe, O_RDONLY | O_NONBLOCK)
    let input = try HostFile.open(folder.write([], "text").path, O_RDONLY)
    defer { for descriptor in [reader, input] { close(descriptor) } }
    /// Returns the count of bytes that were written to the pipe; 0 if no process has it open.
    func read() -> Int {
      var byte: UInt8 = 0
      return Glibc.read(reader, &byte, 1)
    }
    let pager = "trap '' TERM; (printf x; exec tail -f /dev/null) > '\(pipe)' & wait"
    let task = Task {
      await PagerProcess.run(pager, input: input, environment: ["PATH": "/usr/bin:/bin"], graceInSeconds: 0)
    }
    await until { read() == 1 }
    task.cancel()
    #expect(await task.value)
    await until { read() == 0 }
  }

  @Test func `the result of a command that asks a question is not paged`() async throws {
    #expect(try await show(long, pager: "cat > '\(pages)'", asks: true) == long)
    #expect(HostFile.size(pages) == nil)
  }

  @Test func `a failed command's output is shown, and its error is rethrown`() async throws {
    let streams = StandardStreams(
      output: ByteSink(descriptor: nil, isTerminal: true), error: ByteSink(descriptor: nil), inputIsTerminal: false,
      environment: [:])
    let attendant = ResultPager(streams, ShellInterrupts(nil, atPrompt: {}, report: {})) { .auto }
    let entry = try #require(run.interpreter.table.entry(["sample", "list"]))
    await #expect(throws: SampleFault.broken) {
      try await attendant.attend(entry, GlobalOptions(), output: CollectedOutput()) { _ in
        try streams.output.write("part\n")
        throw SampleFault.broken
      }
    }
    #expect(streams.output.contents == "part\n" && streams.output.isTerminal)
  }

  @Test func `only finished text is paged`() throws {
    func isPaged(_ words: String..., isPlain: Bool = false) throws -> Bool {
      var options = GlobalOptions()
      options.isPlain = isPlain
      return ResultPager.isPaged(try #require(run.interpreter.table.entry(words)), options)
    }
    #expect(try isPaged("sample", "list") && isPaged("help"))
    #expect(try !isPaged("sample", "count") && !isPaged("sample", "render") && !isPaged("exec") && !isPaged("run"))
    #expect(try !isPaged("sample", "list", isPlain: true))
  }

  @Test func `the pager is the user's or less`() {
    #expect(ResultPager.command([:])?.hasSuffix("exec less") == true)
    #expect(ResultPager.command(["PAGER": "more -s"]) == "more -s")
    #expect(ResultPager.command(["PAGER": " cat "]) == nil && ResultPager.command(["PAGER": ""]) == nil)
  }

  @Test func `rows are counted as the terminal wraps them, without escape sequences`() {
    func rows(_ text: String) -> Int { HeldResult.rowCount(Array(text.utf8), columns: 10) }
    #expect(rows("") == 0 && rows("a\nb\n") == 2 && rows("\n\n") == 2)
    #expect(rows(String(repeating: "x", count: 21) + "\n") == 3)
    #expect(rows("\u{1B}[31m" + String(repeating: "x", count: 10) + "\u{1B}[0m\n") == 1)
    #expect(rows("中中中中中中\n") == 2)
  }
}

struct ShellResultsTests {
  @Test func `the last nine results are variables, the newest also as '_'`() {
    var results = ShellResults()
    results.add(.null)
    #expect(results.variables.isEmpty)
    for number in 1...11 { results.add(.integer(number)) }
    let variables = results.variables
    #expect(variables.map(\.name) == ["_"] + (1...9).map { "_\($0)" })
    #expect(variables.map(\.value) == [.integer(11)] + (3...11).reversed().map { Value.integer($0) })
  }
}
