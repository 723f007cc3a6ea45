import Foundation
import Glibc
import TestSupport
import Testing

/// A command that waits for a key leaves the terminal as it found it.
///
/// One after the other: each holds a thread that all tests share.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct AwaitedKeyTests {
  private let home: PluginHome
  private let terminal: PseudoTerminal

  init() throws {
    home = try PluginHome()
    terminal = try PseudoTerminal(
      BuiltProgram.workbench.path, ["misbehaving", "key", "--plugin-dir", home.plugins.path], columns: 80, rows: 24,
      environment: ["TERM": "xterm", "PATH": "/usr/bin:/bin", "WORKBENCH_HOME": home.home.path])
    try #require(terminal.reads("begun"))
    // It waits as soon as keys arrive one by one.
    try #require(polls { terminal.lineSettings != terminal.firstLineSettings })
  }

  @Test(arguments: ["q", " ", "\u{1B}[A"]) func `any key ends the wait without being echoed`(key: String) throws {
    terminal.type(key)
    #expect(terminal.reads("a key was pressed\r\n"))
    #expect(terminal.end() == 0)
    #expect(terminal.lineSettings == terminal.firstLineSettings)
    #expect(String(decoding: terminal.output, as: UTF8.self) == "begun\r\na key was pressed\r\n")
  }

  @Test func `a late response of the terminal does not count as a key`() throws {
    terminal.type("\u{1B}[?62;c")
    #expect(!terminal.reads("pressed", seconds: 1))
    // Repeatedly: a key read together with the response is taken for a part of it.
    var isEnded = false
    for _ in 0..<20 where !isEnded {
      terminal.type("q")
      isEnded = terminal.reads("a key was pressed", seconds: 2)
    }
    #expect(isEnded)
    #expect(terminal.end() == 0)
  }

  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, -SIGTERM)])
  func `a signal restores the terminal`(signal: Int32, status: Int32) throws {
    kill(terminal.processIdentifier, signal)
    #expect(terminal.end() == status)
    #expect(terminal.lineSettings == terminal.firstLineSettings)
  }
}
