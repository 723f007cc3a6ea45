import Foundation
import TestSupport
import Testing

/// A terminal whose program ended or stopped without restoring it.
@Suite(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"), .serialized)
struct RescuedTerminalTests {
  let home: PluginHome

  init() throws { home = try PluginHome() }

  private func session() throws -> TmuxSession {
    let session = try home.screen(of: "misbehaving")
    try session.wait(for: "ready to misbehave")
    let program = try #require(try session.child)
    try session.wait(for: "a rescue process") { _ in Self.hasRescueProcess(program) }
    return session
  }

  /// True if a program has started its rescue process, whose name Linux cuts after 15 bytes.
  private static func hasRescueProcess(_ program: pid_t) -> Bool {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(program)/task")) ?? []
    return threads.contains { thread in
      let children = try? String(contentsOfFile: "/proc/\(program)/task/\(thread)/children", encoding: .utf8)
      return (children ?? "").split(separator: " ").contains { child in
        (try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)) == "workbench-rescu\n"
      }
    }
  }

  /// Waits until the full screen is gone, and returns the text on the terminal.
  private func restored(_ session: TmuxSession) throws -> String {
    try session.wait(for: "a restored terminal") { _ in
      let modes = try session.value("#{alternate_on}#{mouse_any_flag}#{cursor_flag}")
      return modes == "001"
    }
    return try session.wait(for: "done")
  }

  @Test(arguments: [
    ("e", 4, "plugin 'misbehaving' ended the program in screen 'main'"),
    ("o", 139, "plugin 'misbehaving' crashed in screen 'main' with SIGSEGV"),
  ])
  func `a plugin that exits or overflows in a screen leaves the terminal restored`(
    key: String, status: Int, message: String
  ) throws {
    let session = try session()
    try session.press(key)
    let screen = try restored(session)
    #expect(screen.contains("status \(status)"))
    #expect(screen.replacing("\n", with: "").contains(message))
  }

  @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129)])
  func `signals ignored by a plugin in a screen still end the program`(signal: Int32, status: Int) throws {
    let session = try session()
    try session.press("i")
    try session.wait(for: "signals are ignored")
    kill(try #require(try session.child), signal)
    #expect(try restored(session).contains("status \(status)"))
  }

  @Test func `killing the program leaves the terminal restored`() throws {
    let session = try session()
    kill(try #require(try session.child), SIGKILL)
    // The shell may print the status before the rescue process runs, and then it is lost with the alternate screen.
    #expect(try restored(session).contains("done"))
  }

  @Test func `an externally stopped program restores the terminal and takes it again on continuing`() throws {
    let session = try session()
    let program = try #require(try session.child)
    kill(program, SIGSTOP)
    try session.wait(for: "a restored terminal") { _ in
      try session.value("#{alternate_on}#{mouse_any_flag}#{cursor_flag}") == "001"
    }
    kill(program, SIGCONT)
    try session.wait(for: "ready to misbehave")
    #expect(try session.value("#{alternate_on}") == "1")
    try session.press("q")
    #expect(try restored(session).contains("status 0"))
  }
}
