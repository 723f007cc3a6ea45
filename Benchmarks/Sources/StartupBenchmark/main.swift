import BenchmarkSupport

// Start-up of the program against `git --version` and `/bin/true`, interleaved, median of 40 warm runs each.
// Usage: StartupBenchmark PATH-OF-WORKBENCH

guard CommandLine.arguments.count == 2 else {
  fatalError("usage: StartupBenchmark PATH-OF-WORKBENCH")
}
let workbench = CommandLine.arguments[1]
let cases: [(name: String, command: [String], bar: Double?)] = [
  ("true", ["/bin/true"], nil),
  ("git --version", ["git", "--version"], nil),
  ("version", [workbench, "version"], 6),
  ("help", [workbench, "help"], nil),
  ("plugin list", [workbench, "plugin", "list", "--json"], nil),
  ("molecules list", [workbench, "molecules", "list", "--json"], 20),
]
var figures = [[Double]](repeating: [], count: cases.count)
for round in 0..<44 {
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
    "start-up: \(entry.name)", Timing.median(figures[index]), unit: "ms", peer: ("git --version", git), bar: entry.bar
  ).print()
}
