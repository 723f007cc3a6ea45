import BenchmarkSupport
import Glibc
import PluginAPI

@testable import Host

/// The simulated time of a job array against the real one, on four nodes of Slurm on this machine.
///
/// The array runs twice. The simulation of the second gets the lags and the shards' times of the first.
struct LagCase {
  /// The path of the program.
  var program: String
  /// The structure file of every item.
  var file: String

  private static let (nodes, shards, items) = (4, 20, 1000)

  /// One run of the array.
  private struct Course {
    /// From the submission to the last record, in seconds.
    var seconds: Double
    /// The time of each shard's items, in seconds.
    var loads: [Double]
    /// The times from a free node to the end of a shard, less that of its items, in seconds.
    var lags: [Double]
  }

  /// Measures the array and returns its lags in seconds; nil if it cannot run.
  func measure() throws -> [Double]? {
    let name = "simulated time of \(Self.shards) tasks on \(Self.nodes) nodes"
    func skip(_ reason: String) -> [Double]? {
      Measurement.skip(name, because: reason)
      return nil
    }
    guard getuid() == 0, access("/usr/sbin/slurmctld", X_OK) == 0, access(file, R_OK) == 0 else {
      return skip("Slurm, the right to run it or the shared structures are absent")
    }
    let scratch = ScratchFolder()
    defer { _ = Program.run(["rm", "-rf", scratch.path]) }
    let slurm = scratch.path + "/slurm"
    let started = Program.output(["Scripts/slurm-node", "start", slurm, "\(Self.nodes)", "\(getpid())"])
    defer { _ = Program.run(["Scripts/slurm-node", "stop", slurm]) }
    guard started.status == 0 else { return skip("Slurm did not start") }
    setenv("SLURM_CONF", slurm + "/slurm.conf", 1)
    let list = try scratch.write(
      Array(String(repeating: file + "\n", count: Self.items).utf8), name: "items.txt")
    guard let first = try run(scratch.path + "/first", list), let second = try run(scratch.path + "/second", list)
    else { return skip("the run failed") }
    let delays = BatchSimulation.Delays(starts: first.lags, isStartPerShard: true)
    let shards = SimulatedShards(first.loads.map { .init(items: 1, seconds: $0, squares: $0 * $0) })
    var simulation = BatchSimulation(workerCount: Self.nodes, delays: delays)
    simulation.deviation = 0
    let simulated = simulation.run(shards).seconds
    Measurement(name, simulated, unit: "s", peer: ("Slurm", second.seconds)).print()
    let error = abs(simulated / second.seconds - 1) * 100
    Measurement(name + ": error", error, unit: "%", bar: 15).print()
    Measurement("median lag of a task", Timing.median(first.lags), unit: "s").print()
    return first.lags
  }

  /// Plans a run, submits it and waits for its end; nil if it failed.
  private func run(_ folder: String, _ list: String) throws -> Course? {
    let plan = [
      program, "batch", "plan", folder, "--probe", "0", "--shards", "\(Self.shards)", "--items", list, "--",
      "molecules", "surface-area", "{}",
    ]
    guard Program.run(plan) == 0 else { return nil }
    let start = Self.now
    guard Program.run([program, "batch", "run", folder, "--executor", "slurm"]) == 0 else { return nil }
    let run = RunFolder(folder)
    var attempts: [(begin: Double, end: Double, load: Double)] = []
    for (shard, logs) in run.logs() {
      guard logs.count == 1 else { throw FileBytesError.unreadable("the log of shard \(shard)") }
      let path = run.log(logs[0])
      // The times of birth and of the last change.
      let times = Program.output(["stat", "-c", "%.9W %.9Y", path]).text.split { $0 == " " || $0 == "\n" }
        .compactMap { Double($0) }
      guard times.count == 2 else { return nil }
      var load = 0.0
      try LogFrame.read(path) { _, document in
        let record = try ItemRecord.read(Array(document))
        load += (record["run"]["milliseconds"].number ?? 0) / 1000
      }
      attempts.append((times[0], times[1], load))
    }
    attempts.sort { $0.begin < $1.begin }
    var free = Array(repeating: start, count: Self.nodes)
    var lags: [Double] = []
    for attempt in attempts {
      let node = free.indices.min { free[$0] < free[$1] } ?? 0
      lags.append(max(0, attempt.end - free[node] - attempt.load))
      free[node] = attempt.end
    }
    return Course(seconds: (free.max() ?? start) - start, loads: attempts.map(\.load), lags: lags)
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
