import BenchmarkSupport
import Glibc

/// The program itself, in a terminal, turned by keys.
struct TurningProgram {
  /// The program.
  var workbench: String
  /// The structure file.
  var file: String

  /// The number of times a key is typed.
  private static let keys = 120
  private static let right = "\u{1B}[C"
  /// The minimum size of a frame with the molecule; a smaller one is the status line, for example.
  private static let smallestFrame = 16_384

  /// Measures and prints.
  func measure() {
    let environment = [
      "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "PATH": variable("PATH"),
      "HOME": variable("HOME"), "WORKBENCH_HOME": variable("WORKBENCH_HOME"),
    ].filter { !$0.value.isEmpty }
    let command = [workbench, "run", "molecules", file]
    guard let terminal = PseudoTerminal(command, environment: environment, columns: 200, rows: 60) else {
      return Measurement.skip("turning 4HHB in the program", because: "no terminal to be had")
    }
    defer { terminal.end() }
    terminal.readUntilQuiet(milliseconds: 1500, atMost: 8000)
    // 2 is the key of the spacefilling mode.
    terminal.type("2")
    terminal.readUntilQuiet(milliseconds: 700, atMost: 5000)
    measureKeys(terminal)
    measureHeldKey(terminal)
  }

  /// One key after the other, with pauses of many lengths so that no clock of the program is met in step.
  private func measureKeys(_ terminal: PseudoTerminal) {
    var (times, sizes): ([Double], [Double]) = ([], [])
    for number in 0..<Self.keys {
      let start = Timing.milliseconds()
      terminal.type(Self.right)
      guard let size = frame(terminal) else {
        return Measurement.skip("turning 4HHB in the program", because: "no frame came after a key")
      }
      if number >= 5 {
        times.append(Timing.milliseconds() - start)
        sizes.append(Double(size))
      }
      terminal.readUntilQuiet(milliseconds: Double(20 + number * 7 % 17), atMost: 60)
    }
    let name = "turning 4HHB in the program"
    Measurement("\(name): key until frame taken", Timing.median(times), unit: "ms", bar: 16).print()
    Measurement("\(name): key until frame taken, p95", Timing.quantile(times, 0.95), unit: "ms").print()
    Measurement("\(name): bytes a frame", Timing.median(sizes) / 1024, unit: "KiB").print()
  }

  /// Measures keys typed as fast as frames arrive: the frames per second, and the processor time of each, for all
  /// threads.
  private func measureHeldKey(_ terminal: PseudoTerminal) {
    let start = Timing.milliseconds()
    let before = Timing.processorMilliseconds(of: terminal.process) ?? .nan
    var count = 0
    while Timing.milliseconds() < start + 3000 {
      terminal.type(Self.right)
      if frame(terminal) == nil { break }
      count += 1
    }
    let seconds = (Timing.milliseconds() - start) / 1000
    let processor = (Timing.processorMilliseconds(of: terminal.process) ?? .nan) - before
    let name = "turning 4HHB in the program, key held"
    Measurement("\(name): frames a second", Double(count) / seconds, unit: "1/s").print()
    Measurement("\(name): processor time a frame", processor / Double(count), unit: "ms", bar: 16).print()
  }

  /// Waits for a whole frame of the molecule.
  ///
  /// - Returns: Its size in bytes; nil if none came within a second.
  private func frame(_ terminal: PseudoTerminal) -> Int? { terminal.readFrame(smallest: Self.smallestFrame) }

  private func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
}
