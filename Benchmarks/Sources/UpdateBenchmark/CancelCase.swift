import BenchmarkSupport

@testable import PathCase
@testable import PathCaseSimulator

/// The time that a canceled update takes to end.
struct CancelCase {
  var records: DatabaseRecords

  /// Cancels updates at moments spread over their length and prints the longest time until they ended.
  func run() async throws {
    var setup = DatabaseSimulatorSetup()
    setup.latencyInMilliseconds = 100
    let simulator = try DatabaseSimulator(SimulatedDatabase(records), setup)
    var longest = 0.0
    for round in 0..<30 {
      let updater = SnapshotUpdater(source: .service(simulator.address))
      let task = Task { try await updater.run() }
      try await Task.sleep(for: .milliseconds(10 + round * 19))
      let start = Timing.milliseconds()
      task.cancel()
      _ = await task.result
      longest = max(longest, Timing.milliseconds() - start)
    }
    await simulator.stop()
    Measurement("update: longest time to end after a cancel", longest, unit: "ms", bar: 100).print()
  }
}
