import Glibc
import PluginAPI
import Synchronization
import TestSupport
import Testing

@testable import CaptureWriter
@testable import WSABI

/// Problems while a station captures, and their effect on the capture.
@Suite(.timeLimit(.minutes(5)))
struct LinkTroubleTests {
  private let station = ScriptedStation()
  private let id = SequencePlayer.capture(42)

  private func waits(_ item: Int) -> [OperationStatus] {
    station.notes.all.compactMap { note in
      if case .waiting(item: item, _, let status, _) = note { return status }
      return nil
    }
  }

  @Test func `44: a capture that finished before its cancel is downloaded`() async {
    let sensor = ScriptedSensor()
    sensor.script(.capture, .untilCancelled(.ids([id])))
    let manager = station.manager(sensor)
    let capturing = Task { await manager.capture(ScriptedStation.order(5, sensor)) }
    while !sensor.asked.contains(.capture) { await Task.yield() }
    manager.cancel(item: 5)
    let report = await capturing.value
    #expect(report.outcome.ending == .captured([id]))
    #expect(report.records.map(\.captureID) == [id] && report.waiting.isEmpty)
  }

  @Test func `a cancel during a download ends it at once, and leaves the data for later`() async {
    let sensor = ScriptedSensor()
    sensor.script(.capture, .ids([id]))
    sensor.script(.download, .never)
    let manager = station.manager(sensor)
    let capturing = Task { await manager.capture(ScriptedStation.order(5, sensor)) }
    while !sensor.asked.contains(.download) { await Task.yield() }
    manager.cancel(item: 5)
    let report = await capturing.value
    #expect(Array(report.waiting.keys) == [id] && report.lost.isEmpty)
    #expect(sensor.asked.count { $0 == .download } == 1)
    #expect(station.journal.openSinks == 0)
  }

  @Test func `2: a cancel without a response is retried a limited number of times`() async {
    let sensor = ScriptedSensor()
    let silence = ScriptedSensor.Reply.fault(.timedOut(seconds: 5), .unknown)
    sensor.script(.capture, .never)
    sensor.script(.cancel, silence, silence, silence, silence)
    let report = await station.manager(sensor, longWaitsEnd: true).capture(ScriptedStation.order(3, sensor))
    guard case .unknown = report.outcome.ending else {
      Issue.record("\(report.outcome)")
      return
    }
    #expect(sensor.asked.count { $0 == .cancel } == 3)
    #expect(sensor.asked.count { $0 == .capture } == 1)
  }

  @Test func `49: ids that cannot be written are reported at once and retried, and nothing counts as done until then`()
    async throws
  {
    let sensor = ScriptedSensor()
    station.journal.fail("captured", times: 23)
    let report = await station.manager(sensor).capture(ScriptedStation.order(1, sensor))
    #expect(report.records.count == 1)
    #expect(station.notes.all.contains { if case .trouble(item: 1, _, _) = $0 { true } else { false } })
    let lines = station.journal.lines
    #expect(lines.contains("captured 1"))
    #expect(!lines.prefix { $0 != "captured 1" }.contains("end"))
  }

  @Test func `a capture after the manager was closed still works`() async {
    let sensor = ScriptedSensor()
    let manager = station.manager(sensor)
    await manager.connect([sensor.address])
    await manager.close()
    #expect(await manager.capture(ScriptedStation.order(1, sensor)).records.count == 1)
  }

  @Test func `49: ids that can never be written are not reported as saved`() async {
    let sensor = ScriptedSensor()
    station.journal.fail("captured", times: .max)
    station.journal.fail("sink", times: .max)
    let report = await station.manager(sensor).capture(ScriptedStation.order(1, sensor))
    #expect(report.records.isEmpty && report.lost.count == 1 && report.waiting.isEmpty && !report.troubles.isEmpty)
    #expect(station.journal.outcomes[1] == .unknown(reason: "cannot write its ids to the journal"))
  }

  @Test func `40: the wait for a busy sensor is limited, and the error advises canceling`() async {
    let sensor = ScriptedSensor()
    for _ in 0..<20 { sensor.script(.capture, .status(.sensorBusy)) }
    let report = await station.manager(sensor).capture(ScriptedStation.order(1, sensor))
    #expect(report.outcome.ending == .refused(.capture, .sensorBusy, message: "", badFields: []))
    #expect(waits(1) == Array(repeating: .sensorBusy, count: 6))
    #expect(sensor.asked.last == .unlock)
    let problem = CaptureProblem(report, item: 1, at: sensor.address.text)
    #expect(problem == .busy(item: 1, at: sensor.address.text))
    #expect(problem?.report.advice?.contains("operations cancel") == true)
  }

  @Test func `41: data that is never ready stays in the journal, and the next start downloads it`() async throws {
    let sensor = ScriptedSensor()
    sensor.script(.capture, .ids([id]))
    for _ in 0..<100 { sensor.script(.download, .status(.preparingDownload)) }
    let manager = station.manager(sensor)
    let report = await manager.capture(ScriptedStation.order(1, sensor))
    #expect(Array(report.waiting.keys) == [id] && report.lost.isEmpty && report.records.isEmpty)
    // 0.5, 1, 2, 4, 8 and 16 s, then every 30 s for ten minutes.
    let asked = sensor.asked.count { $0 == .download }
    #expect((20...30).contains(asked))
    #expect(!station.journal.lines.contains("lost"))
    let ready = ScriptedSensor()
    let intent = CaptureIntent(
      item: 1, address: ready.address, session: id, configuration: ScriptedStation.configuration)
    station.journal.leave([
      UnfinishedCapture(number: JournalNumber(1), intent: intent, outcome: .captured, waiting: [id])
    ])
    let resumed = try await station.manager(ready).resume()
    #expect(resumed.map { $0.records.map(\.captureID) } == [[id]])
    #expect(!ready.asked.contains(.capture))
  }

  @Test(arguments: [OperationStatus.invalidID, .badValue])
  func `42: data deleted by the sensor is reported as lost, and a recapture is offered`(_ status: OperationStatus) async
  {
    let sensor = ScriptedSensor()
    sensor.script(.capture, .ids([id]))
    sensor.script(.download, .status(status))
    let report = await station.manager(sensor).capture(ScriptedStation.order(1, sensor))
    #expect(Array(report.lost.keys) == [id] && report.waiting.isEmpty)
    #expect(station.journal.lines.contains("lost"))
    let id = id
    #expect(station.notes.all.contains { if case .lost(item: 1, _, id, _) = $0 { true } else { false } })
    let problem = CaptureProblem(report, item: 1, at: sensor.address.text)?.report
    #expect(problem?.code == "wsabi.capture-lost" && problem?.advice == "capture again")
  }

  @Test func `the advice after a failed capture fits its cause`() async {
    let sensor = ScriptedSensor()
    let manager = station.manager(sensor)
    func advice() async -> String? {
      let report = await manager.capture(ScriptedStation.order(1, sensor))
      return CaptureProblem(report, item: 1, at: sensor.address.text)?.report.advice
    }
    station.journal.fail("begin", times: 1, VaultError.file(path: "/captures", number: ENOSPC))
    #expect(await advice() == "free some space and try again")
    station.journal.fail("lock", times: 1, VaultError.file(path: "/captures", number: ENOSPC))
    #expect(await advice() == "free some space and try again")
    sensor.script(.getServiceInfo, .fault(.notTrusted(reason: "self-signed"), .notSent))
    let distrusted = await advice()
    #expect(distrusted?.hasPrefix("compare the key with 'sensor certificate'") == true)
    // A cause that only the sensor knows.
    sensor.script(.setConfiguration, .status(.failure))
    #expect(await advice() == "check the sensor and try again")
  }

  @Test func `43: after a cancel with a sensor failure, the next use begins with an initialization`() async {
    let sensor = ScriptedSensor()
    sensor.script(.capture, .status(.canceledWithSensorFailure))
    let manager = station.manager(sensor)
    let report = await manager.capture(ScriptedStation.order(1, sensor))
    #expect(report.outcome.ending == .refused(.capture, .canceledWithSensorFailure, message: "", badFields: []))
    let before = sensor.asked.count
    #expect(await manager.capture(ScriptedStation.order(1, sensor)).records.count == 1)
    #expect(sensor.asked.dropFirst(before).prefix(3) == [.tryLock, .initialize, .setConfiguration])
  }

  @Test func `39: a refused steal reports the time at which it is allowed`() async throws {
    let sensor = ScriptedSensor(
      information: WireDictionary([.init("lockStealingPreventionPeriod", .integer(61_440, type: "nonNegativeInteger"))])
    )
    sensor.script(.stealLock, .status(.failure))
    let answer = try await station.manager(sensor).steal(sensor.address, cancels: true)
    #expect(answer.status == .failure)
    #expect(answer.message == "it allows stealing 62 s after the sensor was last used")
    #expect(!sensor.asked.contains(.tryLock) && !sensor.asked.contains(.cancel))
  }

  @Test func `after a steal the sensor is configured again`() async throws {
    let sensor = ScriptedSensor()
    let manager = station.manager(sensor)
    await manager.configureAhead(ScriptedStation.order(1, sensor))
    _ = try await manager.steal(sensor.address, cancels: false)
    let before = sensor.asked.count
    #expect(await manager.capture(ScriptedStation.order(1, sensor)).records.count == 1)
    #expect(sensor.asked.dropFirst(before).prefix(2) == [.setConfiguration, .capture])
  }

  @Test func `leftovers at an unreachable sensor do not delay others`() async throws {
    let (gone, there) = (ScriptedSensor("gone"), ScriptedSensor("there"))
    for _ in 0..<3 { gone.script(.download, .never) }
    let intents = [gone, there].map { sensor in
      CaptureIntent(item: 1, address: sensor.address, session: id, configuration: ScriptedStation.configuration)
    }
    station.journal.leave(
      intents.enumerated().map { place, intent in
        UnfinishedCapture(number: JournalNumber(place + 1), intent: intent, outcome: .captured, waiting: [id])
      })
    let manager = station.manager(gone, there)
    let resuming = Task { try await manager.resume() }
    while station.journal.kept.isEmpty { await Task.yield() }
    for operation in manager.operations { manager.cancel(operation.number) }
    let reports = try await resuming.value
    #expect(reports.map(\.records.count) == [0, 1])
    #expect(reports.map(\.waiting.count) == [1, 0])
  }

  @Test func `a capture without a response or data is reported without a request to the sensor`() async throws {
    let sensor = ScriptedSensor()
    let intent = CaptureIntent(
      item: 1, address: sensor.address, session: id, configuration: ScriptedStation.configuration)
    station.journal.fail("end", times: 1)
    station.journal.leave(
      (1...2).map { UnfinishedCapture(number: JournalNumber($0), intent: intent, outcome: nil, waiting: []) })
    let reports = try await station.manager(sensor).resume()
    // An entry that cannot be written does not hide the next.
    #expect(reports.count == 2 && station.journal.outcomes.keys.sorted() == [2])
    #expect(station.notes.all.contains { if case .trouble(item: 1, _, _) = $0 { true } else { false } })
    #expect(sensor.asked.isEmpty)
  }

  @Test(arguments: [OperationStatus.canceled, .canceledWithSensorFailure, .sensorFailure, .failure, .sensorBusy])
  func `44: ids received with a refusal are downloaded, and nothing is captured again`(_ status: OperationStatus) async
  {
    let sensor = ScriptedSensor()
    sensor.script(.capture, .refused(status, [id]))
    let report = await station.manager(sensor).capture(ScriptedStation.order(5, sensor))
    #expect(report.outcome.ending == .captured([id]))
    #expect(report.records.map(\.captureID) == [id] && report.records.map(\.item) == [5])
    #expect(report.outcome.warnings == ["the sensor captured, but responded with '\(status.word)'"])
    #expect(sensor.asked.count { $0 == .capture } == 1)
    #expect(station.journal.outcomes[1] == .captured)
  }

  @Test func `a cancel while a capture is recorded prevents its request`() async {
    let sensor = ScriptedSensor()
    let manager = station.manager(sensor)
    station.journal.onBegin { manager.cancel(item: 5) }
    let report = await manager.capture(ScriptedStation.order(5, sensor))
    #expect(report.outcome.ending == .givenUp && report.isCancelled)
    #expect(!sensor.asked.contains(.capture))
    #expect(sensor.asked.last == .unlock)
    #expect(station.journal.outcomes[1] == .notAsked(reason: "given up"))
  }

  @Test func `a queued capture ends when it is canceled, not when the one before it ends`()
    async
  {
    let sensor = ScriptedSensor()
    sensor.script(.capture, .untilCancelled(.ids([id])))
    let manager = station.manager(sensor)
    let first = Task { await manager.capture(ScriptedStation.order(1, sensor)) }
    while !sensor.asked.contains(.capture) { await Task.yield() }
    let second = Task { await manager.capture(ScriptedStation.order(2, sensor)) }
    while manager.operations.count < 2 { await Task.yield() }
    let third = Task { await manager.capture(ScriptedStation.order(3, sensor)) }
    while manager.operations.count < 3 { await Task.yield() }
    manager.cancel(item: 2)
    #expect(await second.value.outcome.ending == .givenUp)
    #expect(manager.operations.compactMap(\.item) == [1, 3])
    manager.cancel(item: 1)
    #expect(await first.value.records.map(\.item) == [1])
    #expect(await third.value.records.map(\.item) == [3])
  }

  @Test func `a cancel in progress finishes before the next request to the sensor`() async {
    let sensor = ScriptedSensor()
    sensor.script(.capture, .untilCancelled(.ids([id])))
    sensor.script(.cancel, .held(.status(.success)))
    let manager = station.manager(sensor)
    let capturing = Task { await manager.capture(ScriptedStation.order(1, sensor)) }
    while !sensor.asked.contains(.capture) { await Task.yield() }
    manager.cancel(item: 1)
    while !sensor.asked.contains(.cancel) { await Task.yield() }
    // The capture has ended, and the response to its cancel is still to come.
    while !station.journal.lines.contains("captured 1") { await Task.yield() }
    for _ in 0..<100 { await Task.yield() }
    // Captured data is downloaded meanwhile.
    #expect(sensor.asked.last { $0 != .download } == .cancel)
    sensor.release()
    #expect(await capturing.value.records.count == 1)
  }

  @Test func `a cancel that arrived before the capture began is repeated`() async {
    let sensor = ScriptedSensor()
    sensor.script(.capture, .untilCancelled(.status(.canceled), times: 2))
    let manager = station.manager(sensor)
    let capturing = Task { await manager.capture(ScriptedStation.order(1, sensor)) }
    while !sensor.asked.contains(.capture) { await Task.yield() }
    manager.cancel(item: 1)
    let report = await capturing.value
    #expect(report.outcome.ending == .refused(.capture, .canceled, message: "", badFields: []))
    #expect((2...3).contains(sensor.asked.count { $0 == .cancel }))
  }

  /// A clock whose waits end when they are canceled.
  private static let clock = LinkClock(now: { Instant(seconds: 0) }) { _ in try await untilCanceled() }

  @Test func `leftovers that are never ready do not hide others, and end with the captures beside them`()
    async throws
  {
    let sensor = ScriptedSensor()
    sensor.script(.download, .status(.preparingDownload))
    let intent = CaptureIntent(
      item: 1, address: sensor.address, session: id, configuration: ScriptedStation.configuration)
    let ids = [1, 2, 3].map(SequencePlayer.capture)
    station.journal.leave(
      ids.enumerated().map { place, id in
        UnfinishedCapture(number: JournalNumber(place + 1), intent: intent, outcome: .captured, waiting: [id])
      })
    let manager = LinkManager({ _ in sensor }, station.journal, Self.clock, onNote: { _ in })
    let entries = try await manager.leftOver()
    let captures = SequenceRun()
    let finishing = Task { await manager.finish(entries, beside: captures) }
    while station.journal.kept.count < 2 { await Task.yield() }
    captures.cancel()
    let reports = await finishing.value
    #expect(reports.map(\.records.count) == [0, 1, 1])
    #expect(reports.map { Array($0.waiting.keys) } == [[ids[0]], [], []])
    #expect(sensor.asked.count { $0 == .download } == 3)
    #expect(manager.operations.isEmpty)
  }

  @Test func `a leftover that is too large is requested once, and again only on request`() async throws {
    let sensor = ScriptedSensor()
    let tooLarge = ScriptedSensor.Reply.fault(.tooLarge(limitInBytes: 1), .answered)
    for _ in 0..<9 { sensor.script(.download, tooLarge) }
    let intent = CaptureIntent(
      item: 1, address: sensor.address, session: id, configuration: ScriptedStation.configuration)
    station.journal.leave([
      UnfinishedCapture(number: JournalNumber(1), intent: intent, outcome: .captured, waiting: [id])
    ])
    let manager = station.manager(sensor)
    for _ in 0..<2 {
      let reports = await manager.finish(try await manager.leftOver(), beside: SequenceRun())
      #expect(reports.map(\.waiting.count) == [1])
      #expect(sensor.asked.count { $0 == .download } == 1)
    }
    _ = await manager.finish(try await manager.leftOver())
    #expect(sensor.asked.count { $0 == .download } == 2)
  }

  @Test func `a download of leftovers ends with the captures beside it`() async throws {
    let sensor = ScriptedSensor()
    sensor.script(.download, .never)
    let intent = CaptureIntent(
      item: 1, address: sensor.address, session: id, configuration: ScriptedStation.configuration)
    station.journal.leave([
      UnfinishedCapture(number: JournalNumber(1), intent: intent, outcome: .captured, waiting: [id])
    ])
    let manager = station.manager(sensor)
    let captures = SequenceRun()
    let entries = try await manager.leftOver()
    let finishing = Task { await manager.finish(entries, beside: captures) }
    while !sensor.asked.contains(.download) { await Task.yield() }
    captures.cancel()
    #expect(await finishing.value.map(\.waiting) == [[id: "no time left to download it"]])
    #expect(station.journal.openSinks == 0 && manager.operations.isEmpty)
  }

  @Test func `a failing download of leftovers is tried three times`()
    async throws
  {
    let sensor = ScriptedSensor()
    let cut = ScriptedSensor.Reply.fault(.cut(reason: "gone"), .unknown)
    for _ in 0..<9 { sensor.script(.download, cut) }
    let intent = CaptureIntent(
      item: 1, address: sensor.address, session: id, configuration: ScriptedStation.configuration)
    station.journal.leave([
      UnfinishedCapture(number: JournalNumber(1), intent: intent, outcome: .captured, waiting: [id])
    ])
    let reports = try await station.manager(sensor).resume()
    #expect(reports.map(\.waiting.count) == [1])
    #expect(sensor.asked.count { $0 == .download } == 3)
  }

  @Test func `the first request for data is early, however long the service claims to process it`() async {
    let sensor = ScriptedSensor(
      information: WireDictionary([
        .init("postAcquisitionProcessingTime", .integer(86_400_000, type: "nonNegativeInteger"))
      ]))
    // A wait of more than 30 s never ends here.
    #expect(await station.manager(sensor).capture(ScriptedStation.order(1, sensor)).records.count == 1)
  }
}
