import BenchmarkSupport
import PluginAPI

@testable import Host

/// Gathering of many records, which are written here in place of workers.
struct GatherCase {
  var program: BatchProgram

  func measure() throws {
    let (count, shards, run) = (program.scaled(1_000_000), 32, RunFolder(program.run("gather")))
    guard program.plan("gather", ["--parts", "\(count)"], shards: shards) else {
      return Measurement.skip("batch: gather", because: "the plan failed")
    }
    try Self.writeRecords(of: run, shards: 1...shards)
    for format in ["jsonl", "csv", "sqlite"] {
      let words = ["gather", run.path, "--format", format, "--output", program.run("gathered." + format)]
      guard let usage = program.work(words) else {
        Measurement.skip("batch: gather as \(format)", because: "it failed")
        continue
      }
      let name = "batch: gather of \(count) records as \(format)"
      let floor = format == "jsonl" ? 100_000.0 : nil
      Measurement(name, Double(count) / usage.milliseconds * 1000, unit: "records/s", floor: floor).print()
      Measurement(name + ", peak memory", usage.mebibytes, unit: "MiB").print()
    }
  }

  /// Writes the records of shards, in place of workers.
  static func writeRecords(of run: RunFolder, shards: ClosedRange<Int>) throws {
    for shard in shards {
      let lines = try run.items(of: shard).map { item in
        LogFrame.line(
          ItemRecord.document(
            item: item.number, head: item.head, result: .success(["chains": ["A": "--EEEE--HHHHHHHH--EEEE--"]]),
            diagnostics: [], run: ["milliseconds": 1, "tries": 1]))
      }
      try AttemptLog.write(lines, of: shard, in: run, run: "benchmark")
    }
  }
}
