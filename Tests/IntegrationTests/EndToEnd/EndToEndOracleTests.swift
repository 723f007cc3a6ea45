import Foundation
import TestSupport
import Testing

/// The program on a terminal of libvterm shows, cell by cell, what it prints without a terminal after the same keys.
@Suite(.serialized)
struct EndToEndOracleTests {
  /// The typed keys as bytes, and the same keys as `--keys` names them.
  private static let steps: [(bytes: String, keys: String)] = [
    ("", "wait"),
    ("\u{1B}[D\u{1B}[D\u{1B}[B", "left left down wait"),
    ("+", "+ wait"),
    ("m", "m wait"),
    ("2", "2 wait"),
    ("i", "i wait"),
    ("\u{1B}[B", "down wait"),
    ("\r", "enter wait"),
    ("?", "? wait"),
    ("\u{1B}", "escape wait"),
    ("\u{10}bonds", "ctrl-p type:bonds wait"),
  ]

  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Returns the screen printed after some keys.
  private func expected(_ keys: String, columns: Int, rows: Int) throws -> ScreenOracle {
    let outcome = try BuiltProgram.run(
      BuiltProgram.workbench,
      [
        "run", "molecules", "3", "--headless", "\(columns)x\(rows)", "--keys", keys, "--frame-format", "ansi",
      ], environment: ["WORKBENCH_HOME": home.path.path, "NO_COLOR": nil])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let oracle = try ScreenOracle(columns: columns, rows: rows)
    let lines = outcome.output.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
    _ = oracle.take(Array(("\u{1B}[?7l" + lines.joined(separator: "\r\n")).utf8))
    return oracle
  }

  /// Feeds a terminal's screen until it looks like the expected one; returns the remaining difference.
  private func difference(
    _ program: PseudoTerminal, _ screen: ScreenOracle, from wanted: ScreenOracle, seconds: Double = 120
  ) -> String? {
    var difference: String?
    _ = program.reads(seconds: seconds) { bytes in
      let answers = screen.take(bytes)
      if !answers.isEmpty { program.send(answers) }
      difference = screen.difference(from: wanted)
      return difference == nil
    }
    return difference
  }

  @Test func `a terminal shows the same as headless frames`() throws {
    let (columns, rows) = (80, 24)
    let first = try expected("wait", columns: columns, rows: rows)
    let program = try PseudoTerminal(
      BuiltProgram.workbench.path, ["run", "molecules", "3"], columns: UInt16(columns), rows: UInt16(rows),
      environment: [
        "TERM": "xterm-256color", "COLORTERM": "truecolor", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
        "WORKBENCH_HOME": home.path.path,
      ])
    let settings = program.firstLineSettings
    let screen = try ScreenOracle(columns: columns, rows: rows)
    #expect(first.text.contains("Ball and stick · 60 atoms"))
    var keys = ""
    for step in Self.steps {
      keys += " " + step.keys
      program.type(step.bytes)
      let wanted = try expected(keys, columns: columns, rows: rows)
      let found = difference(program, screen, from: wanted)
      try #require(found == nil, "after '\(keys)': \(found ?? "")\n\(screen.text)\ninstead of\n\(wanted.text)")
    }
    screen.resize(columns: 50, rows: 16)
    program.resize(columns: 50, rows: 16)
    let wanted = try expected(keys + " resize:50x16 wait", columns: 50, rows: 16)
    let found = difference(program, screen, from: wanted)
    #expect(found == nil, "resized: \(found ?? "")\n\(screen.text)\ninstead of\n\(wanted.text)")
    // The palette is put away, then work that still runs, if there is any, then the program ends.
    program.type("\u{03}\u{03}\u{03}\u{03}")
    #expect(program.reads("\u{1B}[?1049l"))
    #expect(program.end() == 130)
    #expect(program.lineSettings == settings)
  }
}
