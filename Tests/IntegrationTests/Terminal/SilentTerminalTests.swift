import Foundation
import TestSupport
import Testing

/// The terminal layer on a terminal that responds to no query.
struct SilentTerminalTests {
  private static func start(columns: UInt16, rows: UInt16, _ more: [String: String] = [:]) throws -> PseudoTerminal {
    let environment = ["TERM": "xterm", "PATH": "/usr/bin:/bin"].merging(more) { _, new in new }
    return try PseudoTerminal(
      BuiltProgram.workbench.path, ["__terminal-demo"], columns: columns, rows: rows, environment: environment)
  }

  @Test func `a terminal that never responds is still drawn on and read`() throws {
    let terminal = try Self.start(columns: 60, rows: 20)
    let before = terminal.firstLineSettings
    #expect(terminal.reads("terminal demo 60x20"))
    #expect(terminal.lineSettings != before)
    terminal.type("a")
    #expect(terminal.reads("key a"))
    // There is no response to decide whether the escape is alone: the elapsed time decides.
    terminal.type("\u{1B}")
    #expect(terminal.reads("escape"))
    terminal.type("q")
    #expect(terminal.reads("\u{1B}[?1049l"))
    #expect(terminal.end() == 0)
    #expect(terminal.lineSettings == before)
    let text = String(decoding: terminal.output, as: UTF8.self)
    #expect(!text.contains("[?2026h"))
    #expect(text.contains("\u{1B}[?25h"))
  }

  @Test(arguments: [(0, 0), (0, 7), (1, 1), (500, 200)])
  func `any terminal size is accepted`(columns: Int, rows: Int) throws {
    let terminal = try Self.start(columns: UInt16(columns), rows: UInt16(rows))
    #expect(terminal.reads("\u{1B}[?1049h"))
    terminal.type("q")
    #expect(terminal.reads("\u{1B}[?1049l"))
    #expect(terminal.end() == 0)
  }

  @Test func `without colors, no color is sent`() throws {
    let terminal = try Self.start(columns: 60, rows: 20, ["NO_COLOR": "1", "COLORTERM": "truecolor"])
    #expect(terminal.reads("terminal demo 60x20 braille"))
    terminal.type("q")
    #expect(terminal.reads("\u{1B}[?1049l"))
    #expect(terminal.end() == 0)
    #expect(String(decoding: terminal.output, as: UTF8.self).firstMatch(of: /\u{1B}\[[0-9;]*[34]8;/) == nil)
  }

  @Test func `a crash restores the terminal`() throws {
    let terminal = try Self.start(columns: 60, rows: 20, ["SWIFT_BACKTRACE": "enable=no"])
    let before = terminal.firstLineSettings
    #expect(terminal.reads("terminal demo 60x20"))
    terminal.type("x")
    #expect(terminal.reads("\u{1B}[?1049l"))
    #expect(terminal.end() == -SIGSEGV)
    #expect(terminal.lineSettings == before)
  }
}
