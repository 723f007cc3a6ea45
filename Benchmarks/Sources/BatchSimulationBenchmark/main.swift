import BenchmarkSupport
import Glibc

@testable import Host

// The planner of batch runs on a virtual clock: how evenly shards are divided, and the price of lost nodes; first
// against a job array on a real Slurm of four nodes, whose lags the later simulations get.
//
// The simulation is that of the host's tests (`Simulation` is a link). The shards of 230,000 items are planned item by
// item. Those of 214 million come from the distribution of their times in classes one percent wide, so that memory does
// not grow with their number. Sizes are lognormal with a spread of 1, times are those of surface areas (see
// SimulatedArchive), and the time of an item has a deviation of 30 % from its prediction. Efficiency is the share of the
// held time that is useful, occupancy that of the busy workers' time to the last record.
//
// Usage: BatchSimulationBenchmark WORKBENCH [ITEMS]      ITEMS in place of the 214 million
//        WORKBENCH_SHARED_DATA                           the folder of shared data, else ../shared/data

let arguments = CommandLine.arguments
guard arguments.count >= 2 else { fatalError("usage: BatchSimulationBenchmark WORKBENCH [ITEMS]") }
let largeCount = arguments.dropFirst(2).first.flatMap { Int($0) } ?? SimulatedArchive.predictedSurfaces.itemCount
let shared = getenv("WORKBENCH_SHARED_DATA").map { String(cString: $0) } ?? "../shared/data"
/// The lags of tasks on this machine; nil without Slurm.
let lags = try LagCase(program: arguments[1], file: shared + "/molecules/pdb/2btv.pdb.gz").measure()

func delays(losses: Double) -> BatchSimulation.Delays {
  var delays = BatchSimulation.Delays.slurm
  if let lags { delays.starts = lags }
  delays.lossesPerHour = losses
  return delays
}

/// Simulates a plan and prints its figures.
func measure(_ name: String, _ shards: SimulatedShards, itemCount: Int, workers: Int, losses: Double) {
  let outcome = BatchSimulation(workerCount: workers, delays: delays(losses: losses)).run(shards)
  let what = "\(name), \(workers) workers\(losses > 0 ? ", \(Int(losses * 100)) % of nodes lost an hour" : "")"
  Measurement("\(what): missing items", Double(itemCount - outcome.items), unit: "items", bar: 0).print()
  let floor = losses == 0 && workers == 1024 ? 0.9 : 0.85
  Measurement("\(what): efficiency", outcome.efficiency, unit: "", floor: floor).print()
  Measurement("\(what): occupancy", outcome.occupancy, unit: "").print()
  Measurement("\(what): time", outcome.seconds, unit: "s").print()
}

for workers in [1, 32, 1024, 100_000] {
  let shards = SimulatedShards(.surfaces, for: .jobs(workers, timeLimitInSeconds: 24 * 3600))
  for losses in [0, 0.01] {
    measure(
      "230,000 surfaces", shards, itemCount: SimulatedArchive.surfaces.itemCount, workers: workers, losses: losses)
  }
}

var large = SimulatedArchive.predictedSurfaces
large.itemCount = largeCount
var distribution: TimeDistribution?
let drawing = Timing.best(of: 1) { distribution = TimeDistribution(of: large) }
Measurement("\(largeCount) predicted surfaces: drawn", drawing / 1000, unit: "s").print()
if let distribution {
  for workers in [1, 1024, 100_000] {
    var shards: SimulatedShards?
    let planning = Timing.best(of: 1) {
      shards = SimulatedShards(distribution, for: .jobs(workers, timeLimitInSeconds: 24 * 3600))
    }
    Measurement("\(largeCount) predicted surfaces, \(workers) workers: planned", planning / 1000, unit: "s").print()
    guard let shards else { continue }
    for losses in [0, 0.01] {
      measure("\(largeCount) predicted surfaces", shards, itemCount: largeCount, workers: workers, losses: losses)
    }
  }
}
Measurement(
  "simulation: peak memory", Double(ResidentMemory.peakInKibibytes ?? 0) / 1024, unit: "MiB", bar: 200
).print()
