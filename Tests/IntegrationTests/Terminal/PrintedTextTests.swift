import Foundation
import TestSupport
import Testing

/// Text that a plugin or one of its libraries writes to standard error while its screen is shown.
@Suite(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"), .serialized)
struct PrintedTextTests {
  @Test func `standard error goes to the log while a screen is shown, and to the terminal later`() throws {
    let home = try PluginHome()
    let session = try TmuxSession(
      """
      '\(BuiltProgram.workbench.path)' run misbehaving --plugin-dir '\(home.plugins.path)'
      echo "status $?"
      """, environment: ["WORKBENCH_HOME": home.home.path, "SWIFT_BACKTRACE": "enable=no"])
    try session.wait(for: "ready to misbehave")
    try session.press("w")
    let screen = try session.wait(for: "a warning was written")
    #expect(!screen.contains("warning of a library"))
    #expect(screen.contains("Misbehaving"), "the title is on the first line")
    try session.press("e")
    let end = try session.wait(for: "status 4")
    #expect(end.replacing("\n", with: "").contains("plugin 'misbehaving' ended the program in screen 'main'"))
    let log = try String(contentsOf: home.home.appendingPathComponent("state/workbench.log"), encoding: .utf8)
    #expect(log.contains("\tnote\tmisbehaving\tprinted: warning of a library\n"))
  }
}
