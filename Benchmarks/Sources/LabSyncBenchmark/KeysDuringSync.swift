import BenchmarkSupport
@preconcurrency import Glibc

/// Measures the screen's response time to keys while everything is fetched again.
struct KeysDuringSync {
  let workbench: String

  private static let keys = 300
  /// A frame with other rows is larger, one with other progress smaller.
  private static let smallestFrame = 400
  private static let pageDown = "\u{1B}[6~"
  private static let pageUp = "\u{1B}[5~"

  func run(entities: Int) {
    let name = "keys in a list during a refresh of \(entities / 1000) k entities"
    var environment: [String: String] = ["TERM": "xterm-256color", "LANG": "C.UTF-8"]
    for variable in ["PATH", "HOME", "WORKBENCH_HOME"] {
      environment[variable] = getenv(variable).map { String(cString: $0) } ?? ""
    }
    guard
      let terminal = PseudoTerminal([workbench, "run", "openbis"], environment: environment, columns: 90, rows: 40)
    else { return Measurement.skip(name, because: "no terminal to be had") }
    defer { terminal.end() }
    terminal.readUntilQuiet(milliseconds: 1500, atMost: 8000)
    terminal.type("R")
    terminal.readUntilQuiet(milliseconds: 300, atMost: 1500)
    var times: [Double] = []
    for number in 0..<Self.keys {
      let start = Timing.milliseconds()
      terminal.type(number / 10 % 2 == 0 ? Self.pageDown : Self.pageUp)
      guard hasFrame(terminal, within: 1000) else {
        return Measurement.skip(name, because: "no frame came after key \(number)")
      }
      if number >= 5 { times.append(Timing.milliseconds() - start) }
      terminal.readUntilQuiet(milliseconds: Double(10 + number * 7 % 17), atMost: 40)
    }
    Measurement("\(name): key until frame taken, median", Timing.median(times), unit: "ms").print()
    Measurement(
      "\(name): key until frame taken, p99", Timing.quantile(times, 0.99), unit: "ms", bar: 16
    ).print()
  }

  /// Waits until as many bytes came as a frame with other rows has.
  private func hasFrame(_ terminal: PseudoTerminal, within milliseconds: Double) -> Bool {
    var count = 0
    let deadline = Timing.milliseconds() + milliseconds
    while Timing.milliseconds() < deadline {
      count += terminal.read(milliseconds: 5)?.count ?? 0
      if count >= Self.smallestFrame { return true }
    }
    return false
  }
}
