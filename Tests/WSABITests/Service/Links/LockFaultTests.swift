import PluginText
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The release of locks over sensors with all kinds of responses to an unlock, a cancel and the end of a session.
///
/// WORKBENCH_LOCK_RUNS sets the number of combinations, by default a sample, and WORKBENCH_SEED their selection.
@Suite(.timeLimit(.minutes(240)))
struct LockFaultTests {
  private static let runs = CampaignNumber.of("WORKBENCH_LOCK_RUNS", else: 200)
  private static let seed = CampaignNumber.of("WORKBENCH_SEED", else: 7)

  /// Each response while the service refuses everything else, followed by combinations drawn by the seed, in which each
  /// scene is equally frequent.
  private static var sample: [LockFaultRun] { Array((refused + drawn).prefix(runs)) }

  private static var refused: [LockFaultRun] {
    let busy = LockFaultRun.Response(fault: .status, word: "sensorBusy")
    func run(
      unlock: LockFaultRun.Response, cancel: LockFaultRun.Response, unregister: LockFaultRun.Response
    ) -> LockFaultRun {
      LockFaultRun(scene: .left, unlock: unlock, cancel: cancel, unregister: unregister, times: nil)
    }
    let releases = LockFaultRun.responses(isRelease: true)
    return LockFaultRun.responses(isRelease: false).map { run(unlock: busy, cancel: $0, unregister: busy) }
      + releases.map { run(unlock: $0, cancel: busy, unregister: busy) }
      + releases.map { run(unlock: busy, cancel: busy, unregister: $0) }
  }

  private static var drawn: [LockFaultRun] {
    var random = SplitMix64(seed: UInt64(seed))
    let releases = LockFaultRun.responses(isRelease: true)
    let others = LockFaultRun.responses(isRelease: false)
    let scenes = LockFaultRun.Scene.allCases
    return (0..<2 * runs).map { number in
      LockFaultRun(
        scene: scenes[number % scenes.count], unlock: releases[Int.random(in: releases.indices, using: &random)],
        cancel: others[Int.random(in: others.indices, using: &random)],
        unregister: releases[Int.random(in: releases.indices, using: &random)],
        times: [1, 2, nil, nil][Int.random(in: 0..<4, using: &random)])
    }.filter { !$0.isLie }
  }

  @Test func `a release of a lock is reported and logged only if the sensor made it`() async throws {
    var faults: [String] = []
    var released: [LockFaultRun.Scene: Int] = [:]
    try await withThrowingTaskGroup(of: LockFaultRun.Outcome.self) { group in
      var rest = Self.sample[...]
      for _ in 0..<8 { if let run = rest.popFirst() { group.addTask { try await run.run() } } }
      for try await outcome in group {
        faults += outcome.faults
        if outcome.isReleased { released[outcome.scene, default: 0] += 1 }
        if let run = rest.popFirst() { group.addTask { try await run.run() } }
      }
    }
    #expect(faults.sorted() == [])
    let words = LockFaultRun.Scene.allCases.map { "\($0.rawValue) \(released[$0, default: 0])" }
    CampaignLine(
      "faults at the release of locks", seed: Self.seed, runs: Self.runs,
      words:
        "released at once: \(words.joined(separator: ", ")); none reported, logged or forgotten while its sensor was "
        + "locked, all others released by the next run"
    ).print()
  }
}
