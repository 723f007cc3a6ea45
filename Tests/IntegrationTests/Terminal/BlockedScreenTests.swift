import Foundation
import TestSupport
import Testing

/// A plugin's screen that blocks the event loop, in a real terminal.
@Suite(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"), .serialized)
struct BlockedScreenTests {
  let home: PluginHome

  init() throws { home = try PluginHome() }

  private func session() throws -> TmuxSession {
    let session = try TmuxSession(
      """
      trap : INT
      before=$(stty -g)
      '\(BuiltProgram.workbench.path)' run misbehaving --plugin-dir '\(home.plugins.path)'
      echo "status $?"
      [ "$before" = "$(stty -g)" ] && echo same settings
      echo done
      """, environment: ["WORKBENCH_HOME": home.home.path, "SWIFT_BACKTRACE": "enable=no"])
    try session.wait(for: "ready to misbehave")
    return session
  }

  @Test func `a blocking plugin is named, and a second ctrl-c restores the terminal with status 130`() throws {
    let session = try session()
    try session.press("b")
    try session.wait(for: "plugin 'misbehaving' is not responding; press ctrl-c twice to end it")
    try session.press("C-c")
    try session.press("C-c")
    let screen = try session.wait(for: "done")
    #expect(screen.contains("status 130") && screen.contains("same settings") && screen.contains("interrupted"))
    #expect(try session.value("#{alternate_on}") == "0")
    #expect(try session.value("#{cursor_flag}") == "1")
  }

  @Test func `a recovered screen is redrawn and names the plugin, and one ctrl-c was a key`() throws {
    let session = try session()
    try session.press("s")
    try session.wait(for: "is not responding")
    try session.press("C-c")
    let screen = try session.wait(for: "a drawn screen") {
      !$0.contains("is not responding") && ($0.contains("blocked the program") || $0.contains("ctrl-c again"))
    }
    #expect(screen.contains("ready to misbehave") && !screen.contains("status"))
    #expect(try session.value("#{alternate_on}") == "1")
    try session.press("q")
    let end = try session.wait(for: "done")
    #expect(end.contains("status 0") && end.contains("same settings"))
  }

  @Test(arguments: ["t", "d"])
  func `a crash while handling or drawing names the screen`(key: String) throws {
    let run = try home.run("run", "misbehaving", "--headless", "40x10", "--keys", key)
    #expect(run.status == 128 + SIGILL)
    #expect(
      run.errors.contains(
        "workbench: plugin 'misbehaving' crashed in screen 'main' with SIGILL [host.plugin-crashed]"))
    let next = try home.run("run", "misbehaving", "--headless", "40x10", "--json")
    #expect(next.status == 4 && next.errorCode == "host.plugin-quarantined")
    #expect(next.errorMessage.contains("screen 'main'"))
  }

  @Test func `a screen that cannot be created does not crash the program`() throws {
    let run = try home.run(
      "run", "misbehaving", "--headless", "40x10", "--json", wish: "throw-in-make-controller")
    #expect(run.status == 4 && run.errorCode == "host.plugin-threw")
  }
}
