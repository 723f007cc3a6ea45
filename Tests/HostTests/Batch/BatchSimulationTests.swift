import Testing

@testable import Host

/// The planner on a virtual clock.
///
/// A program in `Benchmarks` simulates larger archives.
struct BatchSimulationTests {
  private static func lossy(_ lossesPerHour: Double) -> BatchSimulation.Delays {
    var delays = BatchSimulation.Delays.slurm
    delays.lossesPerHour = lossesPerHour
    return delays
  }

  private static func slurm(
    _ workers: Int, losses: Double = 0
  ) -> (outcome: BatchSimulation.Outcome, shards: SimulatedShards) {
    let shards = SimulatedShards(.surfaces, for: .jobs(workers, timeLimitInSeconds: nil))
    return (BatchSimulation(workerCount: workers, delays: lossy(losses)).run(shards), shards)
  }

  @Test func `1,024 jobs run with an efficiency of at least 90 percent`() {
    let (outcome, shards) = Self.slurm(1024)
    #expect(outcome.items == 230_000 && shards.itemCount == 230_000 && outcome.losses == 0)
    #expect(outcome.efficiency >= 0.9 && outcome.occupancy >= 0.8, "\(outcome)")
    // With exact predictions the balance is that of the planner alone.
    let exact = BatchSimulation(workerCount: 1024, delays: .slurm, deviation: 0).run(shards)
    #expect(exact.occupancy >= 0.9, "\(exact)")
  }

  @Test(arguments: [1, 30, 1024, 100_000]) func `node failures lose no items and little time`(workers: Int) {
    // A hundred times as slow as surfaces, so that nodes are lost meanwhile.
    var archive = SimulatedArchive.surfaces
    archive.baseInMilliseconds *= 100
    archive.millisecondsPerKilobyte *= 100
    let shards = SimulatedShards(archive, for: .jobs(workers, timeLimitInSeconds: 24 * 3600))
    let outcome = BatchSimulation(workerCount: workers, delays: Self.lossy(0.01)).run(shards)
    #expect(outcome.items == 230_000 && outcome.losses > 0)
    #expect(outcome.efficiency >= 0.85, "\(outcome)")
  }

  @Test func `frequent node failures lose no items`() {
    let (outcome, shards) = Self.slurm(64, losses: 20)
    #expect(outcome.items == 230_000 && outcome.losses > shards.loads.count)
    #expect(outcome.heldSeconds > outcome.usefulSeconds)
  }

  @Test func `threads of one machine finish at about the same time`() {
    for workers in [2, 16, 128] {
      let shards = SimulatedShards(.surfaces, for: .threads(workers))
      #expect(shards.loads.count == 16 * workers)
      let outcome = BatchSimulation(workerCount: workers, delays: .machine).run(shards)
      #expect(outcome.items == 230_000)
      #expect(outcome.occupancy >= 0.95, "\(workers): \(outcome)")
    }
  }

  @Test func `a plan from the time distribution matches a plan from the items`() {
    let exact = SimulatedShards(.surfaces, for: .jobs(500, timeLimitInSeconds: nil))
    let approximate = SimulatedShards(TimeDistribution(of: .surfaces), for: .jobs(500, timeLimitInSeconds: nil))
    #expect(approximate.loads.count == exact.loads.count && approximate.itemCount == exact.itemCount)
    #expect(abs(approximate.seconds / exact.seconds - 1) < 1e-9)
    // A class is one percent wide.
    #expect(abs(approximate.longest / exact.longest - 1) < 0.01)
  }

  @Test func `the same seed gives the same simulation`() {
    let shards = SimulatedShards(.surfaces, for: .jobs(100, timeLimitInSeconds: nil))
    var simulation = BatchSimulation(workerCount: 100, delays: Self.lossy(1))
    let first = simulation.run(shards)
    #expect(first == simulation.run(shards))
    simulation.seed = 25
    #expect(first != simulation.run(shards))
  }
}
