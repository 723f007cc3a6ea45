import Foundation
import PluginAPI
import Testing

@testable import Host

/// Steps of recordings as lines, and steps that screens refuse.
@MainActor @Suite(.timeLimit(.minutes(2))) struct ScreenStepTests {
  private nonisolated static let steps: [ScreenStep] = [
    .action("turn(-1)"), .action("host.back"), .open(plugin: "tides", screen: "gauges"),
    .command(plugin: "tides", name: "measure distance"), .answer("It's \"high\" water; $1 # \\n"), .answer(""),
    .answer("--yes"), .answer("-5"), .choose("--"), .key(Key(.enter)), .key(Key(.character("k"), .control)),
    .key(Key(.character("-"))), .key(Key(.character("'"))), .type("höhe 潮 …"), .type("…"), .type("\\…"),
    .paste("one\ntwo\r\n\u{0}\u{1B}[31m\t\\x41"),
    .mouse(Mouse(.press(clicks: 2), button: .right, at: Point(x: 3, y: 0))),
    .mouse(Mouse(.drag, at: Point(x: -1, y: -20), modifiers: [.shift, .control])),
    .mouse(Mouse(.release, button: .none, at: Point(x: 0, y: 0))), .mouse(Mouse(.scroll(-1), at: Point(x: 1, y: 1))),
    .mouse(Mouse(.scroll(1), at: Point(x: 1, y: 1))), .resize(Size(width: 1, height: 300)), .cancel, .end,
  ]

  @Test(arguments: steps) func `every step is one line that reads back as the same step`(step: ScreenStep) throws {
    let run = try RecordingRun()
    let line = ScriptQuoting.line(step.words)
    #expect(!line.utf8.contains { $0 < 0x20 })
    let commands = try ScriptReader.commands(of: line, arguments: [])
    #expect(commands.count == 1)
    let words = try #require(commands.first).arguments
    let parsed = try LineParser(table: run.interpreter.table).parse(words, defaults: GlobalOptions())
    guard case .run(let entry, let arguments) = parsed.request else {
      Issue.record("'\(line)' is not a command")
      return
    }
    let form = try #require(ScreenStepForm(rawValue: String(entry.words.dropFirst("screen ".count))))
    let call = CommandCall(
      arguments: try ArgumentCheck.complete(arguments, for: entry.declaration),
      context: run.interpreter.session.plugins.hostContext(), output: CollectedOutput())
    #expect(try ScreenStep(form, call) == step, "\(line)")
  }

  @Test(arguments: [ScreenStep.answer(nil), .choose(nil), .type(nil), .paste(nil)])
  func `a step with omitted text is refused`(step: ScreenStep) async throws {
    let run = try RecordingRun()
    #expect(step.words.last == "…")
    let script = "screen start tides; " + ScriptQuoting.line(step.words)
    #expect(try await run.failure(of: script) == 2)
    #expect(run.messages.contains("was left out of the recording"))
  }

  @Test(arguments: [
    ("screen action levitate", "there is no action 'levitate' on the screen 'Ports'"),
    ("screen action turn", "there is no action 'turn' on the screen 'Ports'"),
    ("screen action host.back", "'host.back' does nothing on the screen 'Ports'"),
    ("screen answer yes", "there is no question to answer on the screen 'Ports'"),
    ("screen choose mean", "there is nothing to choose on the screen 'Ports'"),
    ("screen action mode; screen choose none", "there is no choice 'none' on the screen 'Datum'"),
    ("screen action mode; screen action turn", "there is no action 'turn' on the screen 'Datum'"),
    ("screen command tides drown", "there is no command 'tides drown' on the screen 'Ports'"),
    ("screen command nobody list", "there is no command 'nobody list' on the screen 'Ports'"),
    ("screen command tides height; screen choose cuxhaven; screen answer 99", "the answer is refused"),
    ("screen key f24", "the key 'f24' does nothing on the screen 'Ports'"),
    ("screen start tides", "screens of the script are already shown"),
    ("run tides --headless 60x14", "screens of the script are already shown"),
    ("screen end; screen key down", "no screens are shown for this step"),
  ])
  func `an impossible step is an error with its line and screen`(step: String, error: String) async throws {
    let run = try RecordingRun()
    #expect(try await run.failure(of: "screen start tides\n" + step) != nil)
    #expect(run.messages.contains("exec:2:") && run.messages.contains(error), "\(run.messages)")
    // The screens have ended with the script: others can be shown.
    #expect(run.interpreter.replay == nil)
    #expect(try await run.replay("screen start tides\nscreen end\n").output.contains("Helgoland"))
  }

  @Test(arguments: [
    "screen key nonsense", "screen resize 0", "screen resize 99999x1", "screen mouse hover 1 1",
    "screen mouse press 1", "screen mouse press 99999999999999999999 1", "screen mouse press 1 1 --clicks 9999999",
    "screen mouse press 1 1 --modifier hyper", "screen start tides --size 0x0", "screen start tides --size x",
    "screen type", "screen", "screen fly",
  ])
  func `a malformed line is a usage error`(line: String) async throws {
    let run = try RecordingRun()
    let start = line.hasPrefix("screen start") ? "" : "screen start tides\n"
    #expect(try await run.failure(of: start + line) == 2, "\(run.messages)")
  }

  @Test func `hostile texts and positions reach the screens unchanged without harm`() async throws {
    let run = try RecordingRun()
    let lines = [
      "screen start tides --size 1x1", "screen mouse press 32767 32767", "screen mouse drag -- -32768 -32768",
      "screen mouse release 0 0", "screen mouse scroll 0 0 --rows=-1000", "screen key /",
      "screen type '\\x00\\x1b]0;x\\x07\\n'", "screen paste '" + String(repeating: "潮\\n", count: 10_000) + "'",
      "screen resize 300x100", "screen end",
    ]
    let output = try await run.run(["exec", lines.joined(separator: "\n")])
    #expect(!output.utf8.contains(0x1B) && !output.utf8.contains(0) && output.contains("Ports"))
  }

  @Test func `steps are accepted only as lines of scripts`() async throws {
    let run = try RecordingRun()
    await #expect(throws: ScreenStepError.outsideScript) { try await run.run(["screen", "start", "tides"]) }
    await #expect(throws: ScreenStepError.outsideScript) { try await run.run(["screen", "cancel"]) }
    #expect(try await run.failure(of: "let x = screen end") == 2)
    #expect(try await run.failure(of: "parallel 2\nscreen start tides\nend") == 2)
  }

  @Test func `a nested script controls and may end the screens of its caller`() async throws {
    let run = try RecordingRun()
    let inner = run.newFile()
    try Data("screen key down\nscreen end\n".utf8).write(to: URL(fileURLWithPath: inner))
    let outer = "screen start tides\nscript \(inner)\nscreen start tides\nscreen end\n"
    let replayed = try await run.replay(outer)
    #expect(
      replayed.text == "screen start tides\nscreen key down\nscreen end\nscreen start tides\nscreen end\n")
    #expect(try await run.failure(of: "screen start tides\nscript \(inner)\nscreen key down") == 2)
  }

  @Test func `a script's end closes its screens and completes the recording`() async throws {
    let run = try RecordingRun()
    let replayed = try await run.replay("screen start tides\nscreen key down\n")
    #expect(replayed.text == "screen start tides\nscreen key down\nscreen end\n" && replayed.output.isEmpty)
    #expect(run.interpreter.replay == nil)
  }
}
