import Foundation
import TestSupport
import Testing

/// Screens on a line of 10 kB/s, as over a modem or a far host, and on one as fast as this machine.
@Suite(.serialized)
struct SlowLineTests {
  /// A terminal that processes 100 bytes in 10 ms or more, or all bytes at once, and responds as it processes.
  private final class SlowLine {
    private let program: PseudoTerminal
    private let isFast: Bool
    let screen: ScreenOracle
    /// The number of bytes processed.
    private(set) var processed = 0

    init(
      _ arguments: [String], home: TemporaryFolder, columns: Int = 100, rows: Int = 30, isFast: Bool = false
    ) throws {
      self.isFast = isFast
      screen = try ScreenOracle(columns: columns, rows: rows)
      program = try PseudoTerminal(
        BuiltProgram.workbench.path, arguments, columns: UInt16(columns), rows: UInt16(rows),
        environment: [
          "TERM": "xterm-256color", "COLORTERM": "truecolor", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
          "WORKBENCH_HOME": home.path.path,
        ])
    }

    /// Processes output until the screen is as it should be.
    ///
    /// - Returns: The bytes processed until then; nil if it never came.
    func processes(until isRight: (ScreenOracle) -> Bool) -> Int? {
      let start = processed
      let deadline = Date().addingTimeInterval(90)
      while !isRight(screen) {
        guard Date() < deadline else { return nil }
        // The time of 100 bytes on the line.
        _ = program.reads(seconds: 0.01) { isFast && !$0.isEmpty }
        var part = program.output[processed...].prefix(isFast ? .max : 100)
        // libvterm accepts no partial character.
        while let next = program.output[part.endIndex...].first, next & 0xC0 == 0x80 {
          part = program.output[processed...part.endIndex]
        }
        processed += part.count
        let answers = screen.take(Array(part))
        if !answers.isEmpty { program.send(answers) }
      }
      return processed - start
    }

    /// Processes a number of bytes.
    func process(_ count: Int) throws {
      let target = processed + count
      _ = try #require(processes { _ in self.processed >= target }, "the program wrote no more")
    }

    /// Processes until the program writes nothing for a second.
    func rest() throws {
      var (last, since) = (processed, Date())
      _ = try #require(
        processes { _ in
          if self.processed != last { (last, since) = (self.processed, Date()) }
          return Date().timeIntervalSince(since) > 1
        }, "no rest")
    }

    /// Makes the program redraw the screen, as after a change of the window's size.
    func repaint() { program.resize(columns: UInt16(screen.columns), rows: UInt16(screen.rows)) }

    func type(_ text: String) { program.type(text) }

    /// Returns true if the program has written a text.
    func hasReceived(_ text: String) -> Bool { Data(program.output).range(of: Data(text.utf8)) != nil }
  }

  /// The bytes of 300 ms.
  private static let budget = 3000
  /// The row of the status line.
  private static let status = 29

  /// Shows a molecule and waits for its picture.
  private static func line(_ options: String...) throws -> SlowLine {
    let line = try SlowLine(["run", "molecules", "3"] + options, home: TemporaryFolder())
    let bytes = line.processes { $0.row(status).contains("60 atoms") && $0.row(26).contains("▀") }
    _ = try #require(bytes, "no picture:\n\(line.screen.text)")
    return line
  }

  /// Presses a key and expects its effect in time.
  private func expect(
    _ text: String, in row: Int, after key: String, on line: SlowLine, budget: Int = Self.budget
  ) throws {
    line.type(key)
    let bytes = line.processes { $0.row(row).contains(text) }
    #expect(try #require(bytes, "no '\(text)':\n\(line.screen.text)") <= budget, "\(text)")
  }

  @Test func `keys take effect within 300 ms while a molecule spins`() throws {
    let line = try Self.line()
    try expect("spinning", in: Self.status, after: "s", on: line)
    try line.process(15_000)
    try expect("Help", in: 1, after: "?", on: line)
    line.type("\u{1B}")
    try line.process(15_000)
    try expect("Download new molecule", in: 2, after: "i", on: line)
    try expect("spinning", in: Self.status, after: "\u{1B}", on: line)
    try line.process(15_000)
    try expect("Spacefilling", in: Self.status, after: "v", on: line)
  }

  @Test(arguments: ["kitty", "sixel"])
  func `keys take effect within 300 ms in pixel modes`(mode: String) throws {
    let line = try Self.line("--graphics", mode)
    try expect("spinning", in: Self.status, after: "s", on: line)
    try line.process(15_000)
    try expect("Help", in: 1, after: "?", on: line)
    try expect("spinning", in: Self.status, after: "\u{1B}", on: line)
    try line.process(15_000)
    try expect("Spacefilling", in: Self.status, after: "v", on: line)
  }

  @Test(arguments: [("kitty", "\u{1B}_Ga=T"), ("sixel", "\"1;1;")])
  func `a fast terminal shows pixels after some responses`(mode: String, start: String) throws {
    let line = try SlowLine(["run", "molecules", "3", "--graphics", mode], home: TemporaryFolder(), isFast: true)
    _ = try #require(line.processes { $0.row(Self.status).contains("60 atoms") }, "no text:\n\(line.screen.text)")
    // Further frames find out the speed if the first responses came late on a busy machine.
    line.type("s")
    _ = try #require(line.processes { _ in line.hasReceived(start) }, "no pixels:\n\(line.screen.text)")
    // The bytes that found out the speed have left the text as it was.
    try expect("Help", in: 1, after: "?", on: line, budget: .max)
  }

  @Test func `keys pressed while a molecule rotates do not wait for its pictures`() throws {
    let line = try Self.line()
    for _ in 0..<20 {
      line.type("\u{1B}[C")
      try line.process(300)
    }
    try expect("Spacefilling", in: Self.status, after: "v", on: line)
  }

  @Test func `the picture is complete when the molecule stops`() throws {
    let line = try Self.line()
    line.type("s")
    try line.process(15_000)
    line.type("s")
    // When idle, nothing is sent: a redrawn screen shows the same.
    _ = try #require(line.processes { !$0.row(Self.status).contains("spinning") })
    try line.rest()
    let before = line.screen.text
    line.repaint()
    try line.process(15_000)
    try line.rest()
    #expect(line.screen.text == before)
  }
}
