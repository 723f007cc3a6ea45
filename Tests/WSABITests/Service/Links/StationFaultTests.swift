import PluginNet
import Synchronization
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Faults that only a whole capture shows, made by simulated sensors.
@Suite(.timeLimit(.minutes(5)))
struct StationFaultTests {
  private let simulator: SensorSimulator
  private let address: SensorAddress
  private let journal = MemoryJournal()
  private let notes = ScriptedStation.Notes()
  private let manager: LinkManager

  init() throws {
    simulator = try Self.simulator()
    address = try SensorAddress(parsing: simulator.addresses[0])
    let (notes, access) = (notes, SensorAccess(isOffline: false))
    manager = LinkManager(
      { access.connection($0) }, journal, FaultRun.clock, FaultRun.patientTimes, onNote: { notes.add($0) })
  }

  /// Returns sensors with long timeouts: a busy machine is not a fault.
  private static func simulator() throws -> SensorSimulator {
    var configuration = SimulatorConfiguration()
    configuration.sensors = 1
    configuration.modalities = [.finger]
    configuration.captureSizeInBytes = 20_000
    return try SensorSimulator(configuration)
  }

  private func order(
    _ item: Int, _ submodality: String = "LeftThumbFlat", at address: SensorAddress? = nil
  ) -> CaptureOrder {
    CaptureOrder(
      item: item, address: address ?? self.address,
      configuration: WireDictionary([.init("submodality", .string(submodality))]))
  }

  private func end() async {
    await manager.close()
    await simulator.stop()
  }

  @Test func `13: a 404 for a session begins a new one`() async throws {
    #expect(await manager.capture(order(1)).records.count == 1)
    try simulator.script("http@tryLock#2=404")
    #expect(await manager.capture(order(2)).records.map(\.item) == [2])
    #expect(simulator.calls.count { $0.operation == .register } == 2)
    await end()
  }

  @Test func `31: a picture bomb is stored as received, and not decoded`() async throws {
    try simulator.script("bomb-picture@download")
    let report = await manager.capture(order(1))
    let record = try #require(report.records.first)
    let bytes = try #require(journal.bytes(record))
    #expect(bytes.count == record.sizeInBytes && bytes.count < 4 << 20)
    let header = try #require(PictureHeader(bytes))
    #expect(header.pixelCount > CapturePicture.mostPixels)
    #expect(throws: PictureError.self) { try CapturePicture.picture(bytes) }
    #expect(CapturePicture.thumbnail(bytes) == nil)
    await end()
  }

  @Test func `34: a sensor that ignores its configuration is detected before the capture`() async throws {
    try simulator.script("ignore-configuration@setConfiguration")
    let report = await manager.capture(order(1, "LeftRingRolled"))
    #expect(report.outcome.warnings == ["the sensor did not accept the setting 'submodality'"])
    #expect(report.records.count == 1)
    let asked = simulator.calls.map(\.operation)
    let read = try #require(asked.firstIndex(of: .getConfiguration))
    let capture = try #require(asked.firstIndex(of: .capture))
    #expect(read < capture)
    simulator.heal()
    #expect(await manager.capture(order(1, "LeftRingRolled")).outcome.warnings.isEmpty)
    #expect(simulator.ledger.last?.submodality == "LeftRingRolled")
    await end()
  }

  @Test func `36: a sensor that restarts in the middle still captures`() async throws {
    for operation in [SensorOperation.initialize, .setConfiguration, .getConfiguration, .capture] {
      let (simulator, journal) = (try Self.simulator(), MemoryJournal())
      try simulator.script("restart@\(operation.rawValue)#1")
      let manager = FaultRun.manager(journal, FaultRun.patientTimes)
      let there = try SensorAddress(parsing: simulator.addresses[0])
      let report = await manager.capture(
        CaptureOrder(item: 1, address: there, configuration: order(1, "RightRingFlat").configuration))
      #expect(report.records.count == 1, "\(operation)")
      #expect(simulator.ledger.map(\.submodality) == ["RightRingFlat"], "\(operation)")
      #expect(simulator.calls.count { $0.operation == .register } == 2, "\(operation)")
      await manager.close()
      await simulator.stop()
    }
    await end()
  }

  @Test func `37: a capture waits for a lock stolen before it, and captures nothing without it`()
    async throws
  {
    #expect(await manager.capture(order(1)).records.count == 1)
    try simulator.script("stolen@capture#2")
    let report = await manager.capture(order(2))
    #expect(report.outcome.ending == .refused(.lock, .lockHeldByAnother, message: message(report), badFields: []))
    let waits = notes.all.count { if case .waiting(item: 2, _, .lockHeldByAnother, _) = $0 { true } else { false } }
    #expect(waits == FaultRun.times.patience.attempts)
    // The service's message about the holder is reported each time.
    #expect(notes.all.count { $0 == .held(order(2).address, message: message(report)) } == waits + 1)
    // The earlier capture is untouched, and nobody stole the lock back.
    #expect(journal.kept.map(\.item) == [1] && simulator.ledger.count == 1)
    #expect(!simulator.calls.contains { $0.operation == .stealLock })
    await end()
  }

  private func message(_ report: CaptureReport) -> String {
    if case .refused(_, _, let message, _) = report.outcome.ending { return message }
    return ""
  }

  @Test func `38: a capture canceled by a thief leaves the item empty, with the reason`() async throws {
    try simulator.script("thief@capture#1; hold@capture#1")
    let report = await manager.capture(order(3))
    guard case .refused(.capture, .canceled, _, _) = report.outcome.ending else {
      Issue.record("\(report.outcome)")
      return
    }
    #expect(report.records.isEmpty && journal.kept.isEmpty)
    let ends = notes.all.compactMap { note -> String? in
      if case .ended(item: 3, _, let outcome) = note { return outcome.ending.reason }
      return nil
    }
    #expect(ends.count == 1 && ends.first?.contains("canceled") == true)
    #expect(simulator.calls.count { $0.operation == .capture } == 1)
    await end()
  }

  @Test func `39: a falsely granted steal is detected`() async throws {
    let other = SensorProbe(address.text)
    let session = await other.register()
    _ = await other.ask("POST", "/lock/\(session)")
    try simulator.script("steal-false@stealLock")
    #expect(try await manager.steal(address, cancels: true).status == .lockHeldByAnother)
    #expect(!notes.all.contains(.stolen(address)))
    #expect(!simulator.calls.contains { $0.operation == .cancel })
    await end()
  }

  @Test func `45: two items at one sensor wait for each other, however its address is spelled`() async throws {
    let spelled = try SensorAddress(parsing: " HTTP\(address.text.dropFirst(4))// ")
    let bare = try SensorAddress(parsing: String(address.text.dropFirst("http://".count)))
    #expect(Set([spelled, bare, address]).count == 1)
    try simulator.script("hold@capture#1")
    async let held = manager.capture(order(1, "LeftThumbFlat", at: spelled))
    await simulator.waitUntilBusy(1, with: .capture)
    let before = simulator.calls.count
    async let waiting = manager.capture(order(2, "RightThumbFlat", at: bare))
    // It is in progress, and at the end of the queue.
    await until { manager.operations.count { $0.stage == .queued && $0.item == 2 } == 1 }
    #expect(simulator.calls.count == before)
    simulator.sensor(1).release()
    let reports = await [held, waiting]
    let calls = simulator.calls
    #expect(calls.count { $0.operation == .register } == 1)
    #expect(calls.filter { $0.operation == .capture }.map(\.outcome) == ["success", "success"])
    // The first released the lock before the second requested anything.
    let work = calls.map(\.operation).filter { [.tryLock, .capture, .unlock].contains($0) }
    #expect(work == [.tryLock, .capture, .unlock, .tryLock, .capture, .unlock])
    #expect(simulator.ledger.map(\.submodality) == ["LeftThumbFlat", "RightThumbFlat"])
    for (report, (item, entry)) in zip(reports, zip([1, 2], simulator.ledger)) {
      #expect(report.records.map(\.item) == [item])
      #expect(report.records.map(\.captureID.key) == [entry.id.lowercased()])
    }
    await end()
  }

  @Test func `45: two items at one sensor under two names share its session, each with its own result`() async throws {
    async let first = manager.capture(order(1, "LeftThumbFlat"))
    async let second = manager.capture(order(2, "RightThumbFlat"))
    let reports = await [first, second]
    #expect(simulator.calls.count { $0.operation == .register } == 1)
    for (item, submodality) in [(1, "LeftThumbFlat"), (2, "RightThumbFlat")] {
      let record = try #require(reports[item - 1].records.first)
      #expect(record.item == item)
      let entry = simulator.ledger.first { SensorUUID($0.id) == record.captureID }
      #expect(entry?.submodality == submodality)
    }
    await end()
  }

  @Test func `46: a second client with the same session causes no lost or misfiled captures`() async throws {
    // A capture of the sensor's own accord lasts until it is ended.
    let simulator = try Self.simulator()
    let address = try SensorAddress(parsing: simulator.addresses[0])
    let manager = FaultRun.manager(journal, FaultRun.patientTimes)
    func order(_ item: Int) -> CaptureOrder {
      CaptureOrder(item: item, address: address, configuration: ScriptedStation.configuration)
    }
    let first = await manager.capture(order(1))
    #expect(first.records.count == 1)
    let session = try #require(simulator.calls.compactMap(\.session).last)
    let other = SensorProbe(address.text)
    // It captures for itself while we want to.
    _ = await other.ask("POST", "/lock/\(session)")
    try simulator.script("hold@capture#2")
    let theirs = Task { await other.ask("POST", "/capture/\(session)").captureIDs }
    await simulator.waitUntilBusy(1, with: .capture)
    let disturbed = await manager.capture(order(2))
    guard case .refused(_, .sensorBusy, _, _) = disturbed.outcome.ending else {
      Issue.record("\(disturbed.outcome)")
      return
    }
    simulator.sensor(1).release()
    let foreign = await theirs.value.compactMap { SensorUUID($0) }
    #expect(foreign.count == 1)
    // It releases our session.
    _ = await other.ask("DELETE", "/register/\(session)")
    let last = await manager.capture(order(3))
    #expect(last.records.map(\.item) == [3])
    #expect(journal.kept.allSatisfy { !foreign.contains($0.captureID) })
    let truth = simulator.ledger.compactMap { SensorUUID($0.id) }
    #expect(Set(journal.kept.map(\.captureID) + foreign) == Set(truth))
    await manager.close()
    await simulator.stop()
    await end()
  }
}
