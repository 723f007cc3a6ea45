import Foundation
import TestSupport
import Testing

/// Replays in a real terminal: a person sees the screens, and each end of the script restores the terminal.
@Suite(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"), .serialized)
struct ShownReplayProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Starts a script that is shown, with steps that wait for a key.
  private func session(_ script: String, _ options: String = "") throws -> ScreenSession {
    let file = folder.url("tour.wbs")
    try Data(script.utf8).write(to: file)
    return try ScreenSession("script '\(file.path)' --show --pace 600 \(options)", home: folder, columns: 100, rows: 50)
  }

  private static let start = "screen start --size=80x24 molecules 4\n"

  @Test func `the screens are shown step by step, and the recording equals that of a replay in memory`() throws {
    let script = Self.start + "screen action host.home\nscreen end\n"
    let record = folder.url("shown.wbs")
    let session = try session(script, "--record '\(record.path)'")
    try session.shows("Ball and stick · 24 atoms")
    #expect(try session.tmux.value("#{alternate_on}") == "1")
    try session.press("Enter", shows: "Find a command")
    try session.tmux.press("Space")
    let screen = try session.expectSaneEnd(status: 0)
    #expect(screen.contains("Find a command"), "the last frame is printed")

    let quiet = folder.url("quiet.wbs")
    let outcome = try CommandLineProcess(
      ["script", folder.url("tour.wbs").path, "--record", quiet.path],
      environment: ["WORKBENCH_HOME": folder.path.path]
    ).finish(input: "")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let (shown, other) = (try Data(contentsOf: record), try Data(contentsOf: quiet))
    #expect(shown == other && !shown.isEmpty)
  }

  @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)])
  func `a signal ends it and restores the terminal`(signal: Int32, status: Int) throws {
    let session = try session(Self.start + "screen end\n")
    try session.shows("Ball and stick · 24 atoms")
    kill(try session.program(), signal)
    try session.expectSaneEnd(status: status)
  }

  @Test func `ctrl-c ends it, though other keys only end the wait`() throws {
    let session = try session(Self.start + "screen action host.home\nscreen end\n")
    try session.shows("Ball and stick · 24 atoms")
    try session.press("x", shows: "Find a command")
    try session.tmux.press("C-c")
    #expect(try session.expectSaneEnd(status: 130).contains("interrupted"))
  }

  // With the path of a temporary folder, 'screen action' makes the message longer than a row of the terminal.
  @Test(arguments: ["screen action host.home\n", ""])
  func `ctrl-c in any step ends it with a message`(step: String) throws {
    let session = try session(Self.start + step + "screen end\n")
    try session.shows("Ball and stick · 24 atoms")
    try session.tmux.press("C-c")
    #expect(try session.expectSaneEnd(status: 130).contains(": interrupted\n"))
  }

  @Test func `a step that fails restores the terminal before its error`() throws {
    let session = try session(Self.start + "screen action levitate\nscreen end\n")
    try session.shows("Ball and stick · 24 atoms")
    try session.tmux.press("Enter")
    let screen = try session.expectSaneEnd(status: 1)
    #expect(screen.contains("no action 'levitate'"), "\(screen)")
  }

  @Test(arguments: ["print \"between\"\n", "parallel 2\n  print \"between\"\nend\n"])
  func `output of other lines appears on the usual screen`(lines: String) throws {
    let session = try session(Self.start + lines + "screen end\n")
    try session.shows("Ball and stick · 24 atoms")
    #expect(try session.tmux.value("#{alternate_on}") == "1")
    try session.tmux.press("Enter")
    let screen = try session.expectSaneEnd(status: 0)
    #expect(screen.contains("between\n") && screen.contains("24 atoms"), "\(screen)")
  }

  @Test func `a terminal that changes its size shows as much as fits`() throws {
    let session = try session(Self.start + "screen end\n")
    try session.shows("Ball and stick · 24 atoms")
    try session.tmux.resize(columns: 120, rows: 60)
    try session.shows("Ball and stick · 24 atoms")
    try session.tmux.press("Enter")
    try session.expectSaneEnd(status: 0)
  }

  @Test func `without a terminal nothing runs`() throws {
    let file = folder.url("tour.wbs")
    try Data((Self.start + "screen end\n").utf8).write(to: file)
    let outcome = try CommandLineProcess(
      ["script", file.path, "--show", "--json"], environment: ["WORKBENCH_HOME": folder.path.path]
    ).finish(input: "")
    #expect(outcome.status == 2 && outcome.output.isEmpty && outcome.errors.contains("host.no-terminal"))
  }
}
