import Foundation
import TestSupport
import Testing

/// The terminal layer on a terminal that loses a response.
struct LostResponseTests {
  /// A terminal that responds at once, except to one part of the output.
  private final class Terminal {
    let program: PseudoTerminal
    let screen: ScreenOracle
    private var processed = 0
    /// A Boolean value indicating whether a response was lost.
    private(set) var hasLost = false

    init(mode: String, columns: Int, rows: Int) throws {
      screen = try ScreenOracle(columns: columns, rows: rows)
      program = try PseudoTerminal(
        BuiltProgram.workbench.path, ["__terminal-demo", mode], columns: UInt16(columns), rows: UInt16(rows),
        environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"])
    }

    /// Processes output until something is true.
    ///
    /// - Parameter loses: Returns true for the bytes whose responses are lost, the first time.
    /// - Returns: True if it came true in time.
    func processes(losing loses: (ArraySlice<UInt8>) -> Bool, until isDone: () -> Bool) -> Bool {
      program.reads { _ in
        var part = program.output[processed...]
        // libvterm accepts no partial character.
        if let lead = part.suffix(3).lastIndex(where: { $0 >= 0xC0 }) { part = part[..<lead] }
        processed = part.endIndex
        let responses = screen.take(Array(part))
        if !responses.isEmpty, !hasLost, isFullScreen, loses(part) {
          hasLost = true
        } else if !responses.isEmpty {
          program.send(responses)
        }
        return isDone()
      }
    }

    /// A Boolean value indicating whether the program has detected the terminal and draws on it.
    private var isFullScreen: Bool { hasReceived("\u{1B}[?1049h") }

    /// Returns true if the program has written a text.
    func hasReceived(_ text: String) -> Bool { Data(program.output).range(of: Data(text.utf8)) != nil }
  }

  @Test func `a picture is completed although the response to its first part is lost`() throws {
    let terminal = try Terminal(mode: "half-block", columns: 60, rows: 20)
    let isComplete = terminal.processes(losing: { _ in true }, until: { terminal.screen[39, 12].text == "▀" })
    #expect(isComplete && terminal.hasLost, "\(terminal.screen.text)")
    terminal.program.type("q")
    #expect(terminal.program.end() == 0)
  }

  @Test func `pixels are sent although the response to the cells before them is lost`() throws {
    let terminal = try Terminal(mode: "kitty", columns: 10, rows: 6)
    let isComplete = terminal.processes(
      // The first output after the bytes that find out the speed.
      losing: { part in terminal.program.output.contains(0) && !part.contains(0) },
      until: { terminal.hasReceived("\u{1B}_Ga=T") })
    #expect(isComplete && terminal.hasLost, "\(terminal.screen.text)")
    terminal.program.type("q")
    #expect(terminal.program.end() == 0)
  }
}
