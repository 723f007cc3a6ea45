import BenchmarkSupport
import Glibc

/// Workers against scripts, against each other and against processes.
struct WorkCase {
  var program: BatchProgram
  /// Structure files of many sizes.
  var files: [String]

  private static let command = ["molecules", "secondary-structure"]

  /// Returns the files of the folders `pdb` and `cif`, sorted.
  static func files(of data: String) -> [String] {
    var files: [String] = []
    for folder in ["pdb", "cif"] {
      guard let stream = opendir(data + "/" + folder) else { continue }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if !name.hasPrefix(".") { files.append(data + "/" + folder + "/" + name) }
      }
    }
    return files.sorted()
  }

  func measure() throws {
    guard let small = files.first(where: { $0.hasSuffix("/1ubq.pdb") }) else {
      return Measurement.skip("batch: work", because: "the shared structures are not there")
    }
    let few = Array(files.prefix(max(4, files.count * min(100, program.percent) / 100)))
    if let work = try measureScript(few, "\(few.count) structures", repetitions: 1) { measureProcesses(few, work) }
    _ = try measureScript([small], "1ubq", repetitions: program.scaled(2000))
    try measureWorkers(small)
    try measureMemory(small)
  }

  /// Measures a worker against a script of the same items, both with one process for the items.
  ///
  /// - Returns: The processor time of the worker.
  private func measureScript(_ files: [String], _ name: String, repetitions: Int) throws -> Double? {
    let items = (0..<repetitions).flatMap { _ in files }
    let list = try program.list(items, "items.txt")
    let lines = try program.list(items.map { "molecules secondary-structure '\($0)'" }, "items.wbs")
    let run = "work-\(name.split(separator: " ")[0])"
    guard program.plan(run, ["--items", list]),
      let work = program.work(["work", program.run(run), "--shard", "1"]),
      let script = Program.usage([program.path, "script", lines, "--keep-going", "--json"])
    else {
      Measurement.skip("batch: work on \(name)", because: "the run failed")
      return nil
    }
    let (own, other) = (work.processorMilliseconds, script.processorMilliseconds)
    Measurement(
      "batch: processor time of work on \(name)", own, unit: "ms", peer: ("workbench script", other),
      maximumRatio: repetitions == 1 ? 1.05 : nil
    ).print()
    if repetitions > 1 {
      let more = (own - other) / Double(repetitions)
      Measurement("batch: processor time of work above script, each \(name)", more, unit: "ms", bar: 0.2).print()
    }
    return own
  }

  /// Measures processes of GNU parallel, with this program and with mkdssp.
  private func measureProcesses(_ files: [String], _ work: Double) {
    let name = "batch: processor time of work on \(files.count) structures"
    let tail = [":::"] + files
    let peers: [(name: String, words: [String], ratio: Double)] = [
      ("parallel and workbench", [program.path] + Self.command + ["{}", "--json"], 0.2),
      ("parallel and mkdssp", ["mkdssp", "--output-format=dssp", "{}", "/dev/null"], 0.01),
    ]
    for peer in peers {
      guard Program.run(["sh", "-c", "command -v parallel >/dev/null && command -v \(peer.words[0]) >/dev/null"]) == 0
      else {
        Measurement.skip("\(name) against \(peer.name)", because: "parallel or \(peer.words[0]) is not there")
        continue
      }
      // The status is the number of files that were refused.
      guard let usage = Program.usage(["parallel", "-j2"] + peer.words + tail), usage.status <= 101 else { continue }
      Measurement(
        name, work, unit: "ms", peer: (peer.name, usage.processorMilliseconds), maximumRatio: peer.ratio
      ).print()
    }
  }

  /// Measures two workers against one; the machine must be idle.
  private func measureWorkers(_ file: String) throws {
    let list = try program.list(Array(repeating: file, count: program.scaled(8000)), "items.txt")
    var times: [Double] = []
    for workers in 1...2 {
      let run = "workers-\(workers)"
      guard program.plan(run, ["--items", list], shards: 32),
        let usage = program.work(["run", program.run(run), "--workers", "\(workers)"])
      else { return Measurement.skip("batch: two workers against one", because: "the run failed") }
      times.append(usage.milliseconds)
    }
    Measurement("batch: speed of two workers against one", times[0] / times[1], unit: "times", floor: 1.9).print()
  }

  /// Measures the memory of a worker over few and many items.
  private func measureMemory(_ file: String) throws {
    var peaks: [Double] = []
    let counts = [program.scaled(10_000), program.scaled(100_000)]
    for count in counts {
      let (run, list) = ("memory-\(count)", try program.list(Array(repeating: file, count: count), "items.txt"))
      guard program.plan(run, ["--items", list]),
        let usage = program.work(["work", program.run(run), "--shard", "1"])
      else { return Measurement.skip("batch: memory of a worker", because: "the run failed") }
      peaks.append(usage.mebibytes)
    }
    Measurement(
      "batch: peak memory of work on \(counts[1]) items", peaks[1], unit: "MiB",
      peer: ("\(counts[0]) items", peaks[0]), maximumRatio: 1.5
    ).print()
  }
}
