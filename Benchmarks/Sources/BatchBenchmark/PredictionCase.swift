import BenchmarkSupport
import PluginAPI

@testable import Host

/// The predicted time of a run against the time it takes; the machine must be equally busy all the time.
struct PredictionCase {
  var program: BatchProgram
  /// Structure files of many sizes.
  var files: [String]

  func measure() throws {
    guard !files.isEmpty else {
      return Measurement.skip("batch: prediction", because: "the shared structures are not there")
    }
    let list = try program.list((0..<program.scaled(40)).flatMap { _ in files }, "items.txt")
    for command in ["secondary-structure", "contacts"] {
      let words = [program.path, "batch", "run", program.run("predicted-" + command), "--json", "--workers", "2"]
      let line = ["--items", list, "--max-errors", "1000000", "--dry-run", "--", "molecules", command, "{}"]
      let planned = Program.output(words + line)
      guard planned.status == 0, let state = try? JSONReader.read(Array(planned.text.utf8)),
        let predicted = state["prediction"]["seconds"].number,
        let usage = Program.usage(words + ["--max-errors", "1000000"]), usage.status == 0
      else {
        Measurement.skip("batch: prediction of \(command)", because: "the run failed")
        continue
      }
      let taken = usage.milliseconds / 1000
      Measurement(
        "batch: time of \(state["items"].integer ?? 0) × \(command), 2 workers", taken, unit: "s",
        peer: ("prediction", predicted)
      ).print()
      let error = abs(predicted / taken - 1) * 100
      Measurement("batch: error of the prediction of \(command)", error, unit: "%", bar: 25).print()
    }
  }
}
