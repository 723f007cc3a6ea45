import Foundation
import TestSupport
import Testing

/// However the program ends, the terminal is as it was.
@Suite(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"), .serialized)
struct EndToEndEndingTests {
  @Test(arguments: [
    (SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130), (SIGQUIT, 131), (SIGSEGV, 139), (SIGABRT, 134),
  ])
  func `an external signal ends the program and restores the terminal`(signal: Int32, status: Int) throws {
    let session = try ScreenSession("run molecules 4")
    try session.shows("Ball and stick · 24 atoms")
    kill(try session.program(), signal)
    try session.expectSaneEnd(status: status)
  }

  @Test func `pressing ctrl-c twice ends the program`() throws {
    let session = try ScreenSession("run molecules 4")
    try session.shows("Ball and stick · 24 atoms")
    // A drawing in progress would be canceled first.
    _ = try session.settled()
    try session.press("C-c", shows: "press ctrl-c again to quit")
    try session.tmux.press("C-c")
    try session.expectSaneEnd(status: 130)
  }

  @Test func `closing the terminal ends the program`() throws {
    let session = try ScreenSession("run molecules 4")
    try session.shows("Ball and stick · 24 atoms")
    let program = try session.program()
    session.tmux.close()
    // An ended process has no command line, even if its status was not collected.
    func lives() -> Bool { (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(program)/cmdline")))?.isEmpty == false }
    #expect(polls { !lives() })
  }

  @Test(arguments: [("trap", "SIGILL", 132), ("segfault", "SIGSEGV", 139)])
  func `a plugin crash in a screen's command is reported, quarantined, and restores the terminal`(
    command: String, name: String, status: Int
  ) throws {
    let plugin = try PluginHome()
    let words = "run molecules 4 --plugin-dir '\(plugin.plugins.path)'"
    let session = try ScreenSession(words, home: plugin.folder)
    try session.shows("Ball and stick · 24 atoms")
    try session.press("C-p", shows: "Type to search")
    try session.tmux.type("misbehaving \(command)")
    try session.shows("▌ misbehaving \(command)")
    try session.tmux.press("Enter")
    let told = try session.expectSaneEnd(status: status).replacing("\n", with: "")
    #expect(
      told.contains("workbench: plugin 'misbehaving' crashed in command '\(command)' with \(name)")
        && told.contains("[host.plugin-crashed]"), "\(told)")

    let next = try ScreenSession("--plugin-dir '\(plugin.plugins.path)'", home: plugin.folder)
    let home = try next.shows("Find a command")
    #expect(home.contains("misbehaving  ") && home.contains("✗ quarantined"), "\(home)")
    try next.press("Enter", shows: "24 atoms")
  }
}
