import BenchmarkSupport
import PluginAPI

@testable import Host

/// The state of a run of a thousand shards, half of which have their records.
struct StatusCase {
  var program: BatchProgram

  func measure() throws {
    let (shards, count, run) = (1000, max(1000, program.scaled(100_000)), RunFolder(program.run("status")))
    guard program.plan("status", ["--parts", "\(count)"], shards: shards) else {
      return Measurement.skip("batch: status", because: "the plan failed")
    }
    try GatherCase.writeRecords(of: run, shards: 1...shards / 2)
    guard let usage = program.work(["status", run.path]) else {
      return Measurement.skip("batch: status", because: "it failed")
    }
    Measurement(
      "batch: status of \(shards) shards with \(count) items", usage.milliseconds / 1000, unit: "s", bar: 1
    ).print()
  }
}
