import BenchmarkSupport

// Start-up of the program against `git --version` and `/bin/true`, interleaved, median of 160 warm runs each; the
// fastest tenth shows the influence of other work on the machine.
// Usage: StartupBenchmark PATH-OF-WORKBENCH

guard CommandLine.arguments.count == 2 else {
  fatalError("usage: StartupBenchmark PATH-OF-WORKBENCH")
}
let workbench = CommandLine.arguments[1]
/// The longest time in milliseconds that a shell may wait for ids after the tab key.
let completionBar = 50.0
let cases: [(name: String, command: [String], maximumRatio: Double?, bar: Double?)] = [
  ("true", ["/bin/true"], nil, nil),
  ("git --version", ["git", "--version"], nil, nil),
  ("version", [workbench, "version"], 3, nil),
  ("help", [workbench, "help"], nil, nil),
  ("plugin list", [workbench, "plugin", "list", "--json"], 5, nil),
  ("molecules list", [workbench, "molecules", "list", "--json"], 8, nil),
  // As the completion scripts of shells ask: the plugin is loaded, and its command lists the ids.
  ("completion of molecules", [workbench, "__complete", "molecules", "info", ""], nil, completionBar),
  ("completion of pathways", [workbench, "__complete", "pathcase", "info", ""], nil, completionBar),
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
    bar: entry.bar, maximumRatio: entry.maximumRatio
  ).print()
  let fastest = Timing.quantile(figures[index], 0.1)
  Measurement("start-up: \(entry.name), fastest tenth", fastest, unit: "ms").print()
}
