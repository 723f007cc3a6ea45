import PluginAPI
import PluginSimulation
import PluginText

@testable import WSABI
@testable import WSABISimulator

/// One capture over simulated sensors of which one is faulty, and the conditions that must hold in every case.
struct FaultRun {
  let kind: SimulatorFault
  let operation: SensorOperation

  /// Times that let every wait end within seconds.
  static var times: LinkTimes {
    var times = LinkTimes()
    times.marginInMilliseconds = 200
    times.graceInMilliseconds = 300
    times.shortInMilliseconds = 2000
    times.downloadInMilliseconds = 1500
    times.firstPollInMilliseconds = 10
    times.longestPollInMilliseconds = 40
    times.pollingInMilliseconds = 200
    times.closingInMilliseconds = 1000
    times.patience = SensorSequence.Patience(firstInMilliseconds: 10, lastInMilliseconds: 40, attempts: 4)
    return times
  }

  /// Short waits, and deadlines that a busy machine can meet.
  static var patientTimes: LinkTimes {
    var times = times
    times.marginInMilliseconds = 60_000
    times.shortInMilliseconds = 60_000
    times.downloadInMilliseconds = 60_000
    return times
  }

  /// Deadlines that run out in each run, as there is no response: long enough for the responses that do arrive on a
  /// busy machine.
  private static var silentTimes: LinkTimes {
    var times = times
    times.marginInMilliseconds = 1000
    times.graceInMilliseconds = 6000
    times.shortInMilliseconds = 5000
    times.downloadInMilliseconds = 5000
    return times
  }

  /// The real time: faults meet sockets, whose deadlines libcurl counts by the clock.
  static let clock = LinkClock(now: { Instant(seconds: 0) }) { milliseconds in
    try await Task.sleep(for: .milliseconds(milliseconds))
  }

  private var simulator: SensorSimulator {
    get throws {
      var configuration = SensorSimulator.Configuration()
      if isWaitedFor { configuration.timeoutInMilliseconds = 2000 }
      configuration.modalities = [.finger]
      configuration.captureSizeInBytes = 20_000
      return try SensorSimulator(configuration)
    }
  }

  /// True if the run lasts until a waiting client gives up.
  private var isWaitedFor: Bool { FaultEnds.silent.contains(kind) || kind == .freeze || kind == .hold }

  /// The time after which a run counts as endless, in seconds; ten thousand ids take long.
  private var limitInSeconds: Int { kind == .manyCaptures ? 600 : 60 }

  /// The rule of the simulator; data that is too large is only just so.
  private var rule: String {
    let isSized = [.gzipBomb, .hugeMessage, .hugeData].contains(kind)
    return "\(kind.rawValue)@\(operation.rawValue)#1\(isSized ? "=16" : "")"
  }

  static func manager(
    _ journal: MemoryJournal, _ times: LinkTimes = times, clock: LinkClock = clock
  ) -> LinkManager {
    var limits = SensorLimits()
    limits.firstDelayInSeconds = 0.02
    limits.documentInBytes = 1 << 20
    limits.dataInBytes = 8 << 20
    let access = SensorAccess(isOffline: false, limits: limits)
    return LinkManager(
      { access.connection($0) }, journal, clock, times, onNote: { _ in })
  }

  /// Runs the capture.
  ///
  /// - Returns: Violated conditions; empty if there are none.
  func faults() async throws -> [String] {
    let simulator = try self.simulator
    let journal = MemoryJournal()
    let manager = Self.manager(journal, isWaitedFor ? Self.silentTimes : Self.patientTimes)
    let address = try SensorAddress(parsing: simulator.addresses[0])
    try simulator.script(rule)
    let order = CaptureOrder(
      item: 17, address: address,
      configuration: WireDictionary([.init("submodality", .string("LeftThumbFlat"))]))
    let report = await within(limitInSeconds) { await manager.capture(order) }
    let met = simulator.faults.map(\.met)
    await manager.close()
    let ledger = simulator.ledger
    await simulator.stop()
    var faults = report.map { judge($0, journal, ledger) } ?? ["it has no end within \(limitInSeconds) s"]
    if met != [1] { faults.append("the fault was met \(met) times") }
    return faults.map { "\(kind.rawValue)@\(operation.rawValue): \($0)" }
  }

  /// Faults by which the service itself sends another picture than it captured: the received one is stored.
  private static let changingPictures: Set<SimulatorFault> = [.cutPicture, .emptyPicture, .bombPicture]

  /// Holds a report against the truth of the sensors.
  private func judge(_ report: CaptureReport, _ journal: MemoryJournal, _ ledger: [CaptureLedger.Entry]) -> [String] {
    var faults: [String] = []
    let end = FaultEnd(report, Set(ledger.map { $0.id.lowercased() }))
    let right = FaultEnds.right(kind, at: operation)
    if !right.contains(end) {
      faults.append("it ended \(end.rawValue), not \(right.map(\.rawValue).sorted()): \(report.outcome.ending)")
    }
    // Only an oversized list of ids contains ids that were never captured.
    let strangers = report.lost.keys.filter { id in !ledger.contains { $0.id.lowercased() == id.key } }
    if !strangers.isEmpty, kind != .manyCaptures { faults.append("lost what no sensor captured: \(strangers)") }
    if !report.refused.isEmpty { faults.append("refused \(report.refused.count) ids that are new") }
    let truth = Dictionary(ledger.map { ($0.id.lowercased(), $0) }) { first, _ in first }
    for record in report.records {
      if record.item != 17 { faults.append("filed under item \(record.item)") }
      guard let entry = truth[record.captureID.key] else {
        faults.append("stored what no sensor captured")
        continue
      }
      let isSame = SHA256.hexadecimal(of: journal.bytes(record) ?? []) == entry.sha256
      if !isSame, !Self.changingPictures.contains(kind) { faults.append("stored other data than was captured") }
    }
    let accounted = Set(
      (report.records.map(\.captureID) + Array(report.lost.keys) + Array(report.waiting.keys)).map(\.key))
    let unaccounted = ledger.filter { !accounted.contains($0.id.lowercased()) }.count
    switch report.outcome.ending {
    case .unknown:
      if unaccounted > 1 { faults.append("\(unaccounted) captures are nowhere: a capture was repeated blindly") }
    case .refused, .givenUp:
      // A capture canceled at the service, or reported as failed, may exist nevertheless; never two.
      if unaccounted > 1 { faults.append("\(unaccounted) captures are nowhere after \(report.outcome.ending)") }
    case .captured, .done, .failed:
      if unaccounted > 0 { faults.append("\(unaccounted) captures are nowhere after \(report.outcome.ending)") }
    }
    if case .captured(let ids) = report.outcome.ending {
      for id in ids where !accounted.contains(id.key) { faults.append("nobody knows what became of an id") }
    }
    if journal.openSinks != 0 { faults.append("\(journal.openSinks) places for data were left open") }
    return faults
  }
}
