import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Replays that are shown on a terminal, as far as they need none.
@MainActor @Suite(.timeLimit(.minutes(2))) struct ShownReplayTests {
  private func error(_ run: RecordingRun, _ words: [String]) async -> ErrorReport? {
    do {
      try await run.run(words)
      return nil
    } catch {
      return ErrorReport(error)
    }
  }

  private func file(_ run: RecordingRun, _ text: String, as name: String? = nil) throws -> String {
    let file = name.map { run.folder.url($0).path } ?? run.newFile()
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }

  @Test func `without a terminal it is refused before anything runs`() async throws {
    let run = try RecordingRun()
    let output = run.newFile()
    let steps = "screen start tides\nscreen end\n"
    for text in [steps, "summary \"A tour\"\nflag fast \"Fast\"\n" + steps] {
      let script = try file(run, text)
      let error = await error(run, ["script", script, "--show", "--record", output])
      #expect(error?.code == "host.no-terminal" && error?.kind == .usage)
      #expect(error?.message == "'--show' cannot show screens: standard input is not a terminal")
      #expect(error?.advice == "leave out '--show', or run a script with 'screen' lines in a terminal")
    }
    #expect(!FileManager.default.fileExists(atPath: output) && run.streams.output.contents.isEmpty)
    #expect(run.interpreter.replayPace == nil && run.interpreter.replay == nil)
  }

  @Test func `plain text, standard input and Lua exclude it`() async throws {
    let run = try RecordingRun()
    let script = try file(run, "screen start tides\nscreen end\n")
    #expect(await error(run, ["script", script, "--show", "--plain"])?.message.contains("'--plain'") == true)
    #expect(await error(run, ["script", "-", "--show"])?.message.contains("read from standard input") == true)
    let lua = try file(run, "print(1)", as: "tour.lua")
    #expect(await error(run, ["script", lua, "--show"])?.message.contains("Lua scripts have none") == true)
    #expect(await error(run, ["script", script, "--show", "--pace", "-1"])?.kind == .usage)
  }

  @Test(arguments: ["show", "pace"]) func `scripts cannot declare its options`(name: String) async throws {
    let run = try RecordingRun()
    let script = try file(run, "summary \"A tour\"\nflag \(name) \"Mine\"\nscreen start tides\nscreen end\n")
    await #expect(throws: ReportedFailure(status: 2)) { try await run.run(["script", script]) }
    #expect(run.messages.contains("'--\(name)' is an option of every script"))
  }

  @Test func `a script with its own options runs without '--show', which declares no variable`() async throws {
    let run = try RecordingRun()
    let text = "summary \"A tour\"\noption to text \"tides\" \"Plugin\"\nscreen start $to\nscreen end\n"
    #expect(try await run.run(["script", try file(run, text)]).contains("Helgoland"))
    let wrong = try file(run, text + "print $show\n")
    await #expect(throws: ReportedFailure.self) { try await run.run(["script", wrong]) }
  }

  @Test func `a terminal of another size shows the upper left part`() {
    var frame = TextFrame(size: Size(width: 6, height: 3))
    for row in 0..<3 { frame.put("abcde\(row)", x: 0, y: row) }
    frame.setCursor(x: 5, y: 2)
    let smaller = ReplayTerminal.fitted(frame, to: Size(width: 4, height: 2))
    #expect(smaller.plainText == "abcd\nabcd" && smaller.cursor == nil)
    let larger = ReplayTerminal.fitted(frame, to: Size(width: 8, height: 4))
    #expect(larger.plainText == "abcde0\nabcde1\nabcde2\n" && larger.cursor == Point(x: 5, y: 2))
    #expect(ReplayTerminal.fitted(frame, to: Size(width: 0, height: 0)).cells.isEmpty)
    #expect(ReplayTerminal.fitted(TextFrame(size: Size(width: 0, height: 0)), to: frame.frameSize).plainText == "\n\n")
  }
}
