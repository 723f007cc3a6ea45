import PluginNet
import Synchronization
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Frozen sensors delay only their own users.
@Suite(.timeLimit(.minutes(10)))
struct FrozenSensorsTests {
  private static let sensors = 64
  /// The interval at which sensors freeze.
  private static let every = 4

  /// The waiting times, with a margin before a capture is canceled that is unlike any other wait, so that it can be
  /// recognized.
  private static var times: LinkTimes {
    var times = FaultRun.patientTimes
    times.marginInMilliseconds = 77_777
    times.closingInMilliseconds = 60_000
    return times
  }

  /// A wait for frozen sensors that a test ends explicitly, independent of time.
  private final class Patience: Sendable {
    private let door = Door()

    func end() { door.open() }

    func clock(_ longMilliseconds: Int) -> LinkClock {
      LinkClock(now: FaultRun.clock.now) { [self] milliseconds in
        guard milliseconds == longMilliseconds else { return try await FaultRun.clock.sleep(milliseconds) }
        await door.wait()
        try Task.checkCancellation()
      }
    }
  }

  /// - Parameters:
  ///   - graceInMilliseconds: The time for which the response of a canceled operation is awaited.
  ///   - end: The end of captures at frozen sensors.
  @Test(arguments: [("freeze", 60_000, FaultEnd.stored), ("hang", 900, FaultEnd.unknown)])
  func `while a quarter of the sensors hangs, all others finish, and each hanging one ends as expected`(
    _ fault: String, _ graceInMilliseconds: Int, _ end: FaultEnd
  ) async throws {
    var configuration = SimulatorConfiguration()
    configuration.sensors = Self.sensors
    configuration.modalities = [.finger]
    configuration.captureSizeInBytes = 5000
    let simulator = try SensorSimulator(configuration)
    let frozen = (1...Self.sensors).filter { $0 % Self.every == 0 }
    for number in frozen { try simulator.script("\(fault)@capture#1:\(number)") }
    let (journal, patience) = (MemoryJournal(), Patience())
    var times = Self.times
    times.graceInMilliseconds = graceInMilliseconds
    let clock = patience.clock(configuration.timeoutInMilliseconds + times.marginInMilliseconds)
    let manager = FaultRun.manager(journal, times, clock: clock)
    let addresses = try simulator.addresses.map { try SensorAddress(parsing: $0) }

    let reports = await withTaskGroup(of: (item: Int, report: CaptureReport).self) { group in
      for (place, address) in addresses.enumerated() {
        group.addTask {
          let order = CaptureOrder(
            item: place + 1, address: address,
            configuration: WireDictionary([.init("submodality", .string("RightIndexFlat"))]))
          return (place + 1, await manager.capture(order))
        }
      }
      var reports: [Int: CaptureReport] = [:]
      for await (item, report) in group {
        reports[item] = report
        guard reports.count == Self.sensors - frozen.count else { continue }
        // All others have finished while the frozen ones are waited for, and none was canceled.
        #expect(Set(reports.keys).isDisjoint(with: frozen))
        #expect(Set(journal.kept.map(\.item)) == Set(reports.keys))
        #expect(!simulator.calls.contains { $0.operation == .cancel })
        // The cancel must reach the frozen capture, not an earlier operation.
        await until {
          let captures = simulator.calls.filter { $0.operation == .capture }
          return Set(captures.map(\.sensor)).isSuperset(of: frozen)
        }
        if fault == "freeze" { for number in frozen { await simulator.sensor(number).reaches { !$0.frozen.isEmpty } } }
        patience.end()
      }
      return reports
    }
    await manager.close()
    // No client that leaves keeps a sensor from others.
    let held = (1...Self.sensors).filter { number in
      let state = simulator.sensor(number).snapshot
      return state.lockHolder != nil || !state.sessions.isEmpty
    }
    #expect(held == [])
    let (ledger, calls) = (simulator.ledger, simulator.calls)
    await simulator.stop()

    var wrong: [String] = []
    for (item, report) in reports.sorted(by: { $0.key < $1.key }) {
      let own = ledger.filter { $0.sensor == item }
      let found = FaultEnd(report, Set(own.map { $0.id.lowercased() }))
      let right = frozen.contains(item) ? end : .stored
      if found != right { wrong.append("item \(item) ended \(found.rawValue), not \(right.rawValue)") }
      let kept = report.records.map(\.captureID.key)
      if right == .stored, kept != own.map({ $0.id.lowercased() }) || own.count != 1 {
        wrong.append("item \(item) has \(kept.count) captures, and its sensor made \(own.count)")
      }
      let asked = calls.count { $0.sensor == item && $0.operation == .capture }
      if asked != 1 { wrong.append("sensor \(item) was asked to capture \(asked) times") }
    }
    #expect(wrong == [])
    #expect(ledger.count == Self.sensors - (end == .stored ? 0 : frozen.count))
    // Exactly the frozen ones were canceled.
    #expect(Set(calls.filter { $0.operation == .cancel }.map(\.sensor)) == Set(frozen))
  }
}
