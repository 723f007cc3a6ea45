import Foundation
import TestSupport
import Testing

/// The terminal layer in a real terminal: the program's own demonstration screen in tmux.
@Suite(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"), .serialized)
struct TerminalInTmuxTests {
  private static let demo = "'\(BuiltProgram.workbench.path)' __terminal-demo"

  private static let environment = ["SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "", "COLORTERM": "truecolor"]

  /// Returns a session that shows the line settings before and after the demonstration, and how it ended.
  private static func session(columns: Int = 80, rows: Int = 24) throws -> TmuxSession {
    try TmuxSession(
      """
      before=$(stty -g)
      \(demo) half-block
      echo "status $?"
      [ "$before" = "$(stty -g)" ] && echo same settings
      echo done
      """, columns: columns, rows: rows, environment: environment)
  }

  /// Expects the terminal as it was before.
  private static func expectSane(_ session: TmuxSession, status: Int) throws {
    let screen = try session.wait(for: "done")
    #expect(screen.contains("status \(status)"))
    #expect(try session.value("#{alternate_on}") == "0")
    #expect(try session.value("#{cursor_flag}") == "1")
    #expect(try session.value("#{mouse_any_flag}") == "0")
    #expect(screen.contains("same settings"))
  }

  @Test func `the screen draws, reacts to keys and sizes, and restores the terminal`() throws {
    let session = try Self.session()
    try session.wait(for: "terminal demo 80x24 half-block")
    #expect(try session.value("#{alternate_on}") == "1")
    #expect(try session.screen.contains("wide: 漢字, cluster: é"))
    #expect(try session.screen.contains(String(repeating: "▀", count: 40)))
    try session.press("a")
    try session.wait(for: "key a")
    try session.press("Escape")
    try session.wait(for: "key escape")
    try session.press("C-p")
    try session.wait(for: "key ctrl-p")
    try session.press("p")
    try session.wait(for: "│ popover")
    try session.press("p")
    try session.wait(for: "picture without popover") { !$0.contains("popover") }
    for (columns, rows) in [(60, 18), (1, 1), (100, 30)] {
      try session.resize(columns: columns, rows: rows)
      if columns > 1 { try session.wait(for: "terminal demo \(columns)x\(rows)") }
    }
    try session.press("q")
    try Self.expectSane(session, status: 0)
  }

  @Test(arguments: [("#fdf6e3", "light"), ("#002b36", "dark")])
  func `the terminal's background color is queried`(color: String, name: String) throws {
    let session = try TmuxSession(
      "tmux set -p -t $TMUX_PANE window-style 'bg=\(color)'\n\(Self.demo) half-block", environment: Self.environment)
    try session.wait(for: "\(name) background")
    try session.press("q")
  }

  @Test func `mouse, focus and paste events are received`() throws {
    let session = try Self.session()
    try session.wait(for: "terminal demo 80x24")
    #expect(try session.value("#{mouse_button_flag}") == "1")
    try session.send("\u{1B}[<0;11;6M")
    try session.wait(for: "press(clicks: 1) left at 10,5")
    try session.send("\u{1B}[<32;12;6M")
    try session.wait(for: "drag left at 11,5")
    try session.send("\u{1B}[<0;12;6m")
    try session.wait(for: "release left at 11,5")
    try session.paste("two words")
    try session.wait(for: "paste of 9: two words")
    try session.press("q")
    try Self.expectSane(session, status: 0)
  }

  @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)])
  func `a fatal signal restores the terminal`(signal: Int32, status: Int) throws {
    let session = try Self.session()
    try session.wait(for: "terminal demo 80x24")
    kill(try #require(try session.child), signal)
    try Self.expectSane(session, status: status)
  }

  @Test(arguments: [(SIGSEGV, 139), (SIGABRT, 134), (SIGILL, 132), (SIGBUS, 135), (SIGFPE, 136)])
  func `a crash restores the terminal`(signal: Int32, status: Int) throws {
    let session = try Self.session()
    try session.wait(for: "terminal demo 80x24")
    kill(try #require(try session.child), signal)
    try Self.expectSane(session, status: status)
  }

  @Test func `the shell can suspend and continue the program`() throws {
    let session = try TmuxSession("PS1='ready> ' exec bash --norc --noprofile -i")
    try session.wait(for: "ready>")
    try session.type("\(Self.demo)\n")
    try session.wait(for: "terminal demo 80x24")
    try session.press("s")
    try session.wait(for: "Stopped")
    #expect(try session.value("#{alternate_on}") == "0")
    try session.type("stty size; fg\n")
    try session.wait(for: "terminal demo 80x24")
    try session.press("z")
    try session.wait(for: "key z")
    // Stopped from outside, without a chance to restore anything.
    let demo = try #require(try session.child)
    kill(demo, SIGSTOP)
    try session.wait(for: "Stopped")
    try session.type("fg\n")
    try session.wait(for: "resized")
    try session.press("y")
    try session.wait(for: "key y")
    try session.press("q")
    try session.wait(for: "terminal after the end") { _ in try session.value("#{alternate_on}") == "0" }
  }
}
