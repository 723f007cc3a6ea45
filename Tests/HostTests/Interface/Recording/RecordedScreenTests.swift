import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Recordings of screens, and what a replay of them records again.
@MainActor @Suite(.timeLimit(.minutes(2))) struct RecordedScreenTests {
  @Test func `actions, choices and answers are recorded by name, not as keys`() async throws {
    let run = try RecordingRun()
    let recorded = try await run.record("down m 1 h n type:It's\\scold enter wait")
    #expect(
      recorded.text == """
        screen start --size=60x14 tides
        screen key down
        screen action mode
        screen choose chart
        screen action 'turn(-1)'
        screen action name
        screen answer 'It'\\''s cold'
        screen end

        """)
    let replayed = try await run.replay(recorded.text)
    #expect(replayed.text == recorded.text)
    #expect(replayed.output == recorded.frame && replayed.output.contains("named It's cold"))
  }

  @Test(arguments: [
    "/ type:Hel enter wait", "right wait tab down tab down", "? down esc", "p esc", "enter wait v wait",
    "click:3,3 wait drag:1,3-4,4 wait", "resize:50x12 down wait resize:70x20", "W wait esc wait",
    "m esc n type:abc esc",
    "D type:höhe\\s\"null\"\\s$x\\s#1;2 enter wait", "ctrl-p type:zzz esc down", ": down enter wait q wait",
    "ctrl-x h wait enter wait", "x wait q wait", "c ctrl-c", "down enter wait escape wait up ctrl-c",
  ])
  func `replaying a recording records the same steps and ends with the same frame`(keys: String) async throws {
    let run = try RecordingRun()
    let recorded: (text: String, frame: String)
    do {
      recorded = try await run.record(keys, size: "100x14")
    } catch let error as ErrorReport {
      Issue.record("\(keys): \(error)")
      return
    }
    #expect(recorded.text.hasPrefix("screen start --size=100x14 tides\n") && recorded.text.hasSuffix("\nscreen end\n"))
    // One for the work that was canceled, one for the replay.
    run.plugin.gate.open()
    run.plugin.gate.open()
    let replayed = try await run.replay(recorded.text)
    #expect(replayed.text == recorded.text, "\(keys)")
    if !keys.contains("ctrl-c") { #expect(replayed.output == recorded.frame, "\(keys)") }
  }

  @Test func `the home screen is recorded without recent documents`() async throws {
    let run = try RecordingRun()
    let recorded = try await run.record("wait enter wait ctrl-x h wait", of: [])
    #expect(
      recorded.text == """
        screen start --size=60x14
        screen key enter
        screen action host.home
        screen end

        """)
    var recent = RecentDocuments(folder: run.interpreter.session.folders.state)
    recent.add(RecentDocuments.Entry(plugin: "tides", document: "bristol"))
    let replayed = try await run.replay(recorded.text)
    #expect(replayed.text == recorded.text && replayed.output == recorded.frame)
    #expect(!replayed.output.contains("bristol"))
  }

  @Test func `a palette command is recorded with its accepted answers`() async throws {
    let run = try RecordingRun()
    let keys = "ctrl-p type:tideshei enter 2 type:99 enter backspace backspace type:7 enter wait"
    let recorded = try await run.record(keys, size: "80x24")
    #expect(
      recorded.text == """
        screen start tides
        screen command tides height
        screen choose cuxhaven
        screen answer 7
        screen end

        """)
    let replayed = try await run.replay(recorded.text)
    #expect(replayed.text == recorded.text && replayed.output.contains("cuxhaven"))
  }

  @Test func `canceled work is recorded as canceled`() async throws {
    let run = try RecordingRun()
    let recorded = try await run.record("c ctrl-c")
    #expect(recorded.text.contains("screen action compute\nscreen cancel\nscreen end\n"))
    run.plugin.gate.open()
  }

  @Test func `secret answers are omitted, and a recording without them is refused before it runs`() async throws {
    let run = try RecordingRun()
    let recorded = try await run.record("W wait type:sesame enter wait")
    #expect(recorded.text.contains("screen action ask\nscreen answer …\nscreen end\n"), "\(recorded.text)")
    #expect(recorded.frame.contains("got 6") && !recorded.text.contains("sesame"))
    #expect(try await run.failure(of: "config explain color\n" + recorded.text) == 2)
    #expect(run.messages.contains("exec:4:") && run.messages.contains("was left out of the recording"))
    let completed = recorded.text.replacingOccurrences(of: "…", with: "sesame")
    let replayed = try await run.replay(completed)
    #expect(replayed.text == recorded.text && replayed.output.contains("got 6"))
  }

  @Test func `an answer that looks like an omitted one is replayed as text`() async throws {
    let run = try RecordingRun()
    let recorded = try await run.record("n type:… enter wait")
    let replayed = try await run.replay(recorded.text)
    #expect(replayed.text == recorded.text && replayed.output.contains("named …"))
  }

  @Test func `commands and screens of a script are recorded in order`() async throws {
    let run = try RecordingRun()
    let script = """
      tides list
      screen start --size=60x14 tides
      screen action mode
      screen choose lowest
      screen end
      tides height cuxhaven 7

      """
    let once = try await run.replay(script)
    #expect(once.text.split(separator: "\n").count == 6 && once.text.hasPrefix("tides list\nscreen start"))
    let twice = try await run.replay(once.text)
    #expect(twice.text == once.text && twice.output == once.output)
  }

  @Test func `the next recording is appended to the file`() async throws {
    let run = try RecordingRun()
    let file = run.newFile()
    for keys in ["down", "up"] {
      try await run.run(["run", "tides", "--headless", "60x14", "--keys", keys, "--record", file])
    }
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.split(separator: "\n").count(where: { $0.hasPrefix("screen start") }) == 2)
    #expect(try await run.replay(text).text == text)
  }

  @Test func `every step is in the file before the next step`() async throws {
    let flow = try Flow()
    let file = flow.home + "/steps.wbs"
    try FileManager.default.createDirectory(atPath: flow.home, withIntermediateDirectories: true)
    try flow.navigator.startRecording(ScreenLaunch(plugin: "tides"), to: file)
    try await flow.feed("down m")
    #expect(
      try String(contentsOfFile: file, encoding: .utf8)
        == "screen start --size=60x14 tides\nscreen key down\nscreen action mode\n")
  }

  @Test func `a recording that cannot be written is an error before the screens open`() async throws {
    let run = try RecordingRun()
    let missing = run.folder.url("none/steps.wbs").path
    await #expect(throws: HostFileError.cannot(.write, missing, code: ENOENT)) {
      try await run.run(["run", "tides", "--headless", "60x14", "--record", missing])
    }
  }

  @Test func `a disk error ends the recording but not the screens`() async throws {
    let flow = try Flow()
    try FileManager.default.createDirectory(atPath: flow.home, withIntermediateDirectories: true)
    let file = flow.home + "/steps.wbs"
    try flow.navigator.startRecording(ScreenLaunch(plugin: "tides"), to: file)
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
    try await flow.feed("down down")
    #expect(flow.navigator.notice?.code == "host.unwritable-file" && flow.navigator.exitStatus == nil)
  }
}
