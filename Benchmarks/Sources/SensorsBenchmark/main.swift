import BenchmarkSupport
import Glibc

// Captures from simulated sensors in a process of their own, on the loopback interface.
//
// Captures are stored as by the program: journaled, sealed, hashed and on the device before they count. The bare client
// of the same run sends the same requests and stores nothing: its throughput is the upper bound.
//
// Usage: SensorsBenchmark WORKBENCH [large] [parallel] [keys] [previews]    (the program; all cases unless named)

let workbench = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : ".build/release/workbench"
let named = CommandLine.arguments.dropFirst(2)
func isWanted(_ name: String) -> Bool { named.isEmpty || named.contains(name) }

do {
  if isWanted("large") { try await LargeCase(workbench: workbench).run() }
  if isWanted("parallel") {
    // A thumb of 300 000 bytes, for which a person takes a second.
    try await ParallelCase(
      workbench: workbench, name: "a second a capture of 300 KB",
      options: ["--modality", "finger", "--capture-size", "300000", "--pictures", "quick", "--capture-delay", "1000"],
      floor: 0.9
    ).run()
    try await ParallelCase(
      workbench: workbench, name: "no time a capture of 20 KB",
      options: ["--modality", "finger", "--capture-size", "20000", "--pictures", "quick", "--capture-delay", "0"]
    ).run()
  }
  if isWanted("keys") { try await KeysCase(workbench: workbench).run() }
  if isWanted("previews") { try await PreviewCase(workbench: workbench).run() }
} catch {
  print("{\"name\":\"sensors\",\"error\":\"\(error)\"}")
}
