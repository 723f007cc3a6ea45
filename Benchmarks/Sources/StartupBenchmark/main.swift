import BenchmarkSupport

// Start-up of the program against `git --version` and `/bin/true`, interleaved, median of 160 warm runs each; the
// fastest tenth shows the influence of other work on the machine.
// Usage: StartupBenchmark PATH-OF-WORKBENCH

guard CommandLine.arguments.count == 2 else {
  fatalError("usage: StartupBenchmark PATH-OF-WORKBENCH")
}
let workbench = CommandLine.arguments[1]
let cases: [(name: String, command: [String], maximumRatio: Double?)] = [
  ("true", ["/bin/true"], nil),
  ("git --version", ["git", "--version"], nil),
  ("version", [workbench, "version"], 3),
  ("help", [workbench, "help"], nil),
  ("plugin list", [workbench, "plugin", "list", "--json"], 5),
  ("molecules list", [workbench, "molecules", "list", "--json"], 8),
]
var figures = [[Double]](repeating: [], count: cases.count)
for round in 0..<164 {
  for (index, entry) in cases.enumerated() {
    guard let time = Program.time(entry.command) else {
      print("{\"name\":\"\(entry.name)\",\"error\":\"did not end with status 0\"}")
      continue
    }
    if round >= 4 { figures[index].append(time) }
  }
}
let git = Timing.median(figures[1])
for (index, entry) in cases.enumerated() {
  Measurement(
    "start-up: \(entry.name)", Timing.median(figures[index]), unit: "ms", peer: ("git --version", git),
    maximumRatio: entry.maximumRatio
  ).print()
  let fastest = Timing.quantile(figures[index], 0.1)
  Measurement("start-up: \(entry.name), fastest tenth", fastest, unit: "ms").print()
}
