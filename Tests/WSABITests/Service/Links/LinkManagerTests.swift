import Glibc
import PluginAPI
import PluginStore
import Synchronization
import TestSupport
import Testing

@testable import CaptureWriter
@testable import WSABI

@Suite struct LinkManagerTests {
  private let journal = MemoryJournal()
  private let configuration = WireDictionary([.init("submodality", .string("LeftThumbFlat"))])

  /// Returns a clock whose waits shorter than the time of an operation end at once; longer ones last until the task is
  /// canceled, or end at once too.
  private func clock(longWaitsEnd: Bool = false) -> LinkClock {
    LinkClock(now: { Instant(seconds: 0) }) { milliseconds in
      if milliseconds < 30_000 || longWaitsEnd {
        await Task.yield()
        try Task.checkCancellation()
        return
      }
      try await untilCanceled()
    }
  }

  private final class Notes: Sendable {
    private let state = Mutex<[LinkNote]>([])
    func add(_ note: LinkNote) { state.withLock { $0.append(note) } }
    var all: [LinkNote] { state.withLock { $0 } }
  }

  private func manager(
    _ sensors: [ScriptedSensor], notes: Notes = Notes(), longWaitsEnd: Bool = false
  ) -> LinkManager {
    LinkManager(
      { address in sensors.first { $0.address == address } ?? ScriptedSensor("nobody") }, journal,
      clock(longWaitsEnd: longWaitsEnd), onNote: { notes.add($0) })
  }

  private func order(_ item: Int, _ sensor: ScriptedSensor) -> CaptureOrder {
    CaptureOrder(item: item, address: sensor.address, configuration: configuration)
  }

  @Test func `a capture is recorded before its request, and its ids before their download`() async {
    let journal = journal
    let sensor = ScriptedSensor(onAsk: { request in journal.note("ask \(request.operation.rawValue)") })
    let report = await manager([sensor]).capture(order(7, sensor))
    #expect(report.outcome.ending == .captured([SequencePlayer.capture(1)]))
    #expect(report.records.map(\.item) == [7])
    #expect(journal.bytes(report.records[0]) == sensor.data(SequencePlayer.capture(1)))
    #expect(
      journal.lines.prefix(9) == [
        "ask getServiceInfo", "ask register", "ask tryLock", "ask initialize", "ask setConfiguration",
        "ask getConfiguration", "begin 7", "ask capture", "captured 1",
      ])
    // The lock is released meanwhile.
    #expect(journal.lines.dropFirst(9).filter { $0 != "ask unlock" } == ["sink", "ask download", "keep"])
    #expect(journal.lines.count { $0 == "ask unlock" } == 1)
  }

  @Test func `case 27: an id of another item is rejected by name, and its data is not downloaded`() async {
    let sensor = ScriptedSensor()
    let notes = Notes()
    let (own, foreign) = (SequencePlayer.capture(1), SequencePlayer.capture(2))
    sensor.script(.capture, .ids([own, foreign]))
    journal.refuse([foreign])
    let report = await manager([sensor], notes: notes).capture(order(7, sensor))
    #expect(report.records.map(\.captureID) == [own])
    #expect(Array(report.refused.keys) == [foreign])
    #expect(report.waiting.isEmpty && report.lost.isEmpty && report.troubles.isEmpty)
    #expect(sensor.asked.count { $0 == .download } == 1)
    #expect(notes.all.contains { if case .captured(item: 7, _, ids: [own]) = $0 { true } else { false } })
    #expect(notes.all.contains { if case .lost(item: 7, _, foreign, _) = $0 { true } else { false } })
  }

  @Test func `a capture that cannot be recorded is not requested`() async {
    let sensor = ScriptedSensor()
    journal.fail("begin", times: 1)
    let report = await manager([sensor]).capture(order(1, sensor))
    #expect(report.outcome.ending == .failed(.capture, reason: "cannot write it to the journal"))
    #expect(!sensor.asked.contains(.capture))
    #expect(sensor.asked.last == .unlock)
  }

  @Test func `ids that cannot be written at once are written later, and downloaded`() async {
    let sensor = ScriptedSensor()
    journal.fail("captured", times: 7)
    let report = await manager([sensor]).capture(order(1, sensor))
    #expect(report.records.count == 1)
    #expect(journal.lines.contains("captured 1"))
    #expect(report.troubles.count == 1)
  }

  @Test func `items at one address take turns, and each gets its own result`() async {
    let sensor = ScriptedSensor()
    let manager = manager([sensor])
    let reports = await withTaskGroup(of: (Int, CaptureReport).self) { group in
      for item in 1...12 { group.addTask { (item, await manager.capture(self.order(item, sensor))) } }
      return await group.reduce(into: [Int: CaptureReport]()) { $0[$1.0] = $1.1 }
    }
    #expect(sensor.mostRunning == 1)
    #expect(Set(reports.values.flatMap(\.records).map(\.captureID)).count == 12)
    #expect(reports.allSatisfy { item, report in report.records.map(\.item) == [item] })
    #expect(manager.operations.isEmpty)
  }

  @Test func `a hung capture is canceled on a second connection, and a capture that it held is stored`() async {
    let sensor = ScriptedSensor()
    sensor.script(.capture, .untilCancelled(.ids([SequencePlayer.capture(42)])))
    let report = await manager([sensor], longWaitsEnd: true).capture(order(3, sensor))
    #expect(report.outcome.ending == .captured([SequencePlayer.capture(42)]))
    #expect(report.records.map(\.captureID) == [SequencePlayer.capture(42)])
    #expect(sensor.asked.count { $0 == .capture } == 1)
    #expect(sensor.asked.contains(.cancel))
  }

  @Test func `a capture without a response is unknown and not repeated`() async {
    let sensor = ScriptedSensor()
    sensor.script(.capture, .never)
    let report = await manager([sensor], longWaitsEnd: true).capture(order(3, sensor))
    guard case .unknown = report.outcome.ending else {
      Issue.record("\(report.outcome)")
      return
    }
    #expect(sensor.asked.count { $0 == .capture } == 1)
    guard case .unknown = journal.outcomes[1] else {
      Issue.record("\(journal.outcomes)")
      return
    }
  }

  @Test func `a user's cancel reaches the sensor, and the item is empty again`() async {
    let sensor = ScriptedSensor()
    sensor.script(.capture, .untilCancelled(.status(.canceled)))
    let notes = Notes()
    let manager = manager([sensor], notes: notes)
    let capturing = Task { await manager.capture(order(5, sensor)) }
    while !sensor.asked.contains(.capture) { await Task.yield() }
    #expect(manager.operations.map(\.item) == [5])
    manager.cancel(item: 5)
    let report = await capturing.value
    #expect(report.outcome.ending == .refused(.capture, .canceled, message: "", badFields: []))
    #expect(sensor.asked.last == .unlock)
    #expect(journal.outcomes[1] == .refused(.canceled, message: ""))
    #expect(notes.all.contains { if case .ended(item: 5, _, _) = $0 { true } else { false } })
  }

  @Test func `data that is not ready is awaited, and lost data is reported`() async {
    let sensor = ScriptedSensor()
    sensor.script(.capture, .ids([SequencePlayer.capture(1)]))
    sensor.script(.download, .status(.preparingDownload), .status(.preparingDownload))
    var report = await manager([sensor]).capture(order(1, sensor))
    #expect(report.records.count == 1)
    #expect(sensor.asked.count { $0 == .download } == 3)
    sensor.script(.download, .status(.invalidID))
    report = await manager([sensor]).capture(order(1, sensor))
    #expect(report.lost.count == 1 && report.records.isEmpty)
    #expect(journal.openSinks == 0)
  }

  @Test func `a failed download is tried three times and then left for later`() async {
    let sensor = ScriptedSensor()
    let cut = ScriptedSensor.Reply.fault(.cut(reason: "gone"), .unknown)
    sensor.script(.download, cut, cut, cut)
    let report = await manager([sensor]).capture(order(1, sensor))
    #expect(report.waiting.count == 1 && report.lost.isEmpty)
    #expect(!journal.lines.contains("lost"))
    #expect(journal.openSinks == 0)
  }

  @Test func `data that cannot be stored is downloaded again`() async {
    let sensor = ScriptedSensor()
    journal.fail("keep", times: 1)
    let report = await manager([sensor]).capture(order(1, sensor))
    #expect(report.records.count == 1)
    #expect(sensor.asked.count { $0 == .download } == 2)
  }

  @Test func `data that did not fit is stored once there is space, and not downloaded again`() async {
    let sensor = ScriptedSensor()
    journal.fail("keep", times: 3, VaultError.file(path: "/store", number: ENOSPC))
    let report = await manager([sensor]).capture(order(1, sensor))
    #expect(report.records.count == 1 && report.waiting.isEmpty)
    #expect(sensor.asked.count { $0 == .download } == 1)
    #expect(journal.openSinks == 0)
  }

  @Test func `49: data for a read-only store is stored when possible, and otherwise reported as waiting`() async {
    let failure = StoreError.Failure(code: 8, message: "attempt to write a readonly database", path: "/store")
    for (times, isKept) in [(3, true), (100, false)] {
      let sensor = ScriptedSensor()
      journal.fail("keep", times: times, StoreError.readOnly(failure))
      let report = await manager([sensor]).capture(order(1, sensor))
      #expect(report.records.count == (isKept ? 1 : 0) && report.waiting.count == (isKept ? 0 : 1))
      #expect(report.lost.isEmpty)
      // Data already here is stored again; data that could not be stored either is not downloaded.
      #expect(sensor.asked.count { $0 == .download } == 1)
      let problem = CaptureProblem(report, item: 1, at: sensor.address.text)?.report
      #expect(problem?.code == (isKept ? nil : "wsabi.capture-waiting"))
    }
  }

  @Test func `a disk that stays full is reported, and nothing is downloaded again`() async {
    let sensor = ScriptedSensor()
    journal.fail("keep", times: 100, VaultError.file(path: "/store", number: ENOSPC))
    let report = await manager([sensor]).capture(order(1, sensor))
    #expect(report.waiting.count == 1 && report.lost.isEmpty)
    #expect(report.waiting.values.allSatisfy { $0.contains("No space left on device") })
    #expect(sensor.asked.count { $0 == .download } == 1)
    #expect(journal.openSinks == 0)
    let problem = CaptureProblem(report, item: 1, at: sensor.address.text)?.report
    #expect(problem?.code == "wsabi.capture-waiting" && problem?.message.contains("No space left") == true)
  }

  @Test func `several ids of one capture are all stored, in order`() async {
    let sensor = ScriptedSensor()
    let ids = (1...9).map(SequencePlayer.capture)
    sensor.script(.capture, .ids(ids))
    let report = await manager([sensor]).capture(order(1, sensor))
    #expect(report.records.map(\.captureID) == ids)
  }

  @Test func `a restart resumes downloads and reports captures without a response, but requests no capture`()
    async throws
  {
    let sensor = ScriptedSensor()
    let session = SequencePlayer.capture(900)
    let intent = CaptureIntent(item: 4, address: sensor.address, session: session, configuration: configuration)
    _ = try await journal.begin(intent)
    journal.leave([
      UnfinishedCapture(
        number: JournalNumber(1), intent: intent, outcome: .captured, waiting: [SequencePlayer.capture(8)]),
      UnfinishedCapture(number: JournalNumber(2), intent: intent, outcome: nil, waiting: []),
    ])
    let reports = try await manager([sensor]).resume()
    #expect(reports.map(\.records.count) == [1, 0])
    #expect(!sensor.asked.contains(.capture))
    #expect(journal.outcomes[2] == .unknown(reason: "the program ended before the response"))
  }

  @Test func `connecting reaches all links, and closing leaves no session`() async {
    let sensors = ["a", "b", "c"].map { ScriptedSensor($0) }
    let notes = Notes()
    let manager = manager(sensors, notes: notes)
    await manager.connect(sensors.map(\.address) + [sensors[0].address])
    #expect(sensors.allSatisfy { $0.asked == [.getServiceInfo, .register, .tryLock, .initialize, .unlock] })
    #expect(notes.all.count { if case .connected(_, isReady: true) = $0 { true } else { false } } == 3)
    await manager.close()
    #expect(sensors.allSatisfy { $0.asked.last == .unregister })
  }

  @Test func `a setting that the sensor does not accept is rejected before any request`() async {
    let parameter = SensorParameter(
      name: "submodality", type: "string", allowedValues: [.string("RightThumbFlat")])
    let sensor = ScriptedSensor(information: WireDictionary([.init("submodality", .parameter(parameter))]))
    let outcome = await manager([sensor]).configureAhead(order(1, sensor))
    guard case .refused(.configure, .badValue, _, let fields) = outcome.ending else {
      Issue.record("\(outcome)")
      return
    }
    #expect(fields == ["submodality"])
    #expect(sensor.asked == [.getServiceInfo])
  }

  @Test func `a steal is verified by the lock, and reported`() async throws {
    let sensor = ScriptedSensor()
    let notes = Notes()
    let manager = manager([sensor], notes: notes)
    sensor.script(.tryLock, .status(.lockHeldByAnother))
    #expect(try await manager.steal(sensor.address, cancels: false).status == .lockHeldByAnother)
    #expect(!notes.all.contains(.stolen(sensor.address)))
    #expect(try await manager.steal(sensor.address, cancels: true).status == .success)
    #expect(notes.all.contains(.stolen(sensor.address)))
    #expect(sensor.asked.last == .cancel)
  }
}
