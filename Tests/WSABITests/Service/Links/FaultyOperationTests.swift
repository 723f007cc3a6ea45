import PluginText
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// All kinds of faults at all single operations of a client; ``SimulatedCaptureTests`` covers whole captures.
///
/// WORKBENCH_FAULT_RUNS sets the number of runs, by default a sample, and WORKBENCH_SEED their order.
@Suite(.timeLimit(.minutes(240)))
struct FaultyOperationTests {
  private static let runs = CampaignNumber.of("WORKBENCH_FAULT_RUNS", else: 240)
  private static let seed = CampaignNumber.of("WORKBENCH_SEED", else: 7)

  /// All pairs in an order by the seed, repeated: each once with a fault that occurs once, then with a permanent one.
  private static var sample: [OperationFaultRun] {
    var random = SplitMix64(seed: UInt64(seed))
    var all: [OperationFaultRun] = []
    var isOnce = true
    while all.count < runs {
      let pairs = SimulatorFault.allCases.flatMap { kind in
        SensorOperation.allCases.map { OperationFaultRun(kind: kind, operation: $0, isOnce: isOnce) }
      }
      all += pairs.shuffled(using: &random)
      isOnce.toggle()
    }
    return Array(all.prefix(runs))
  }

  @Test func `for any fault at a single operation, the operation ends, and nothing is captured twice or lost`()
    async throws
  {
    var faults: [String] = []
    var ends: [OperationFaultRun.End: Int] = [:]
    try await withThrowingTaskGroup(of: OperationFaultRun.Outcome.self) { group in
      var rest = Self.sample[...]
      for _ in 0..<8 { if let run = rest.popFirst() { group.addTask { try await run.run() } } }
      for try await outcome in group {
        faults += outcome.faults
        ends[outcome.end, default: 0] += 1
        if let run = rest.popFirst() { group.addTask { try await run.run() } }
      }
    }
    #expect(faults.sorted() == [])
    #expect(ends.values.reduce(0, +) == Self.runs && ends[.endless] == nil)
    let words = OperationFaultRun.End.allCases.compactMap { end in ends[end].map { "\($0) \(end.rawValue)" } }
    CampaignLine(
      "faults at single operations", seed: Self.seed, runs: Self.runs,
      words: words.joined(separator: ", ") + "; each had its end, none captured twice, nothing captured before is lost"
    ).print()
  }
}
