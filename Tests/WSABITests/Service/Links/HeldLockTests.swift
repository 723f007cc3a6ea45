import PluginAPI
import PluginStore
import Synchronization
import Testing

@testable import WSABI

/// Locks that are recorded before they are requested, and those left by ended processes.
@Suite(.timeLimit(.minutes(5)))
struct HeldLockTests {
  private let station = ScriptedStation()
  private let sensor = ScriptedSensor()
  private static let dead = SequencePlayer.capture(77)

  private func capture(_ manager: LinkManager, _ item: Int = 1) async -> CaptureReport {
    await manager.capture(ScriptedStation.order(item, sensor))
  }

  @Test func `a lock is recorded before its request, and removed after its release`() async {
    let journal = station.journal
    let seen = Mutex<[SensorOperation: Int]>([:])
    let sensor = ScriptedSensor(onAsk: { request in seen.withLock { $0[request.operation] = journal.held.count } })
    let manager = station.manager(sensor)
    let report = await manager.capture(ScriptedStation.order(1, sensor))
    #expect(report.records.count == 1)
    let counts = seen.withLock { $0 }
    #expect(counts[.register] == 0 && counts[.tryLock] == 1 && counts[.capture] == 1 && counts[.unlock] == 1)
    #expect(journal.held.isEmpty)
  }

  @Test func `a lock that the sensor does not release is reported, until its session ends`() async {
    sensor.script(.unlock, .status(.failure))
    sensor.script(.unregister, .fault(.timedOut(seconds: 10), .unknown))
    let manager = station.manager(sensor)
    #expect(await capture(manager).records.count == 1)
    #expect(station.notes.all.count { $0 == .lockKept(sensor.address) } == 1)
    #expect(await !manager.disconnect(sensor.address))
    #expect(station.notes.all.count { $0 == .lockKept(sensor.address) } == 2)
    // A sequence without a lock of its own does not report it again.
    sensor.script(.register, .fault(.unreachable(reason: "off"), .notSent))
    await manager.connect([sensor.address])
    // The next session releases its own lock.
    #expect(await capture(manager, 2).records.count == 1)
    #expect(await manager.disconnect(sensor.address))
    #expect(station.notes.all.count { $0 == .lockKept(sensor.address) } == 2)
  }

  @Test func `a lock that another task acquires after a disconnect is not one that the sensor kept`() async {
    let manager = station.manager(sensor)
    #expect(await capture(manager).records.count == 1)
    let link = manager.link(sensor.address)
    station.journal.onSettle { _ = try? await link.hold() }
    #expect(await manager.disconnect(sensor.address))
    #expect(station.journal.held.count == 1)
  }

  @Test func `a lock that the sensor kept is reported even if another task uses the sensor at once`() async {
    sensor.script(.unlock, .status(.failure))
    sensor.script(.unregister, .fault(.timedOut(seconds: 10), .unknown))
    let manager = station.manager(sensor)
    #expect(await capture(manager).records.count == 1)
    let link = manager.link(sensor.address)
    station.journal.onSettle { _ = await link.reach(.connect, SequenceRun()) }
    #expect(await !manager.disconnect(sensor.address))
  }

  @Test func `an uncertain lock of a replaced session is released if it blocks the next one`() async throws {
    sensor.script(.tryLock, .fault(.cut(reason: "gone"), .unknown))
    sensor.script(.unlock, .status(.failure))
    let manager = station.manager(sensor)
    _ = await capture(manager)
    let doubted = try #require(station.journal.held.first)
    sensor.script(.tryLock, .fault(.status(404), .answered), .status(.lockHeldByAnother))
    #expect(await capture(manager, 2).records.count == 1)
    #expect(station.journal.givenBack.map(\.lock) == [doubted])
    #expect(station.journal.held.isEmpty)
  }

  @Test func `the next session's lock replaces that of a session which the sensor forgot`() async {
    sensor.script(.setConfiguration, .fault(.status(404), .answered))
    #expect(await capture(station.manager(sensor)).records.count == 1)
    #expect(sensor.asked.count { $0 == .tryLock } == 2)
    #expect(station.journal.held.isEmpty)
  }

  @Test func `a lock that cannot be recorded is not requested`() async {
    station.journal.fail("lock", times: 1)
    let report = await capture(station.manager(sensor))
    guard case .failed(.lock, _, _) = report.outcome.ending else {
      Issue.record("\(report.outcome)")
      return
    }
    #expect(!sensor.asked.contains(.tryLock))
  }

  @Test func `a lock that cannot be recorded on a full disk fails with the disk's advice`() async {
    let full = StoreError.diskFull(.init(code: 13, message: "full", path: "/store"))
    station.journal.fail("lock", times: 3, full)
    let link = station.manager(sensor).link(sensor.address)
    let requests: [@Sendable () async throws -> SensorAnswer] = [
      { try await link.hold() }, { try await link.steal(cancels: false) }, { try await link.ask(.tryLock) },
    ]
    for request in requests {
      let fault = await #expect(throws: SensorFault.self) { _ = try await request() }
      #expect(fault?.report.message.hasSuffix("failed: \(full.report.message)") == true)
      #expect(fault?.report.advice == full.report.advice && full.report.advice != nil)
    }
    #expect(!sensor.asked.contains(.tryLock) && !sensor.asked.contains(.stealLock))
  }

  @Test(arguments: [OperationStatus.success, .lockNotHeld, .lockHeldByAnother, .invalidID])
  func `a response showing that the lock is not ours removes its record`(_ status: OperationStatus) async {
    sensor.script(.unlock, .status(status))
    #expect(await capture(station.manager(sensor)).records.count == 1)
    #expect(station.journal.held.isEmpty)
  }

  @Test(arguments: [OperationStatus.failure, .sensorBusy, .sensorFailure])
  func `any other refusal keeps the record until the session ends`(_ status: OperationStatus) async {
    sensor.script(.unlock, .status(status))
    let manager = station.manager(sensor)
    #expect(await capture(manager).records.count == 1)
    #expect(station.journal.held.count == 1)
    await manager.disconnect(sensor.address)
    #expect(station.journal.held.isEmpty)
  }

  @Test func `a lock released without a response stays recorded`() async throws {
    sensor.script(.unlock, .fault(.timedOut(seconds: 10), .unknown))
    sensor.script(.unregister, .fault(.timedOut(seconds: 10), .unknown))
    let manager = station.manager(sensor)
    #expect(await capture(manager).records.count == 1)
    #expect(station.journal.held.map(\.session) == [SequencePlayer.capture(901)])
    await manager.disconnect(sensor.address)
    // Its session is dropped: any process may release it now.
    #expect(station.journal.held.isEmpty)
    #expect(try await station.journal.leftLocks(at: nil).map(\.lock.session) == [SequencePlayer.capture(901)])
  }

  @Test(arguments: [OperationStatus.success, .lockNotHeld, .lockHeldByAnother])
  func `a late denial decides nothing if the lock request had no response`(_ status: OperationStatus) async {
    // The service may still grant the lock after its present response.
    sensor.script(.tryLock, .fault(.cut(reason: "gone"), .unknown))
    sensor.script(.unlock, .status(status))
    let manager = station.manager(sensor)
    _ = await capture(manager)
    #expect(sensor.asked.contains(.unlock))
    #expect(station.journal.held.count == 1)
    await manager.disconnect(sensor.address)
    #expect(station.journal.held.isEmpty)
  }

  @Test func `the lock of a dead process is released at the first use of its sensor`() async {
    station.journal.leave(HeldLock(address: sensor.address, session: Self.dead))
    #expect(await capture(station.manager(sensor)).records.count == 1)
    let place = sensor.asked.firstIndex(of: .unlock) ?? 0
    #expect(Array(sensor.asked[place..<place + 3]) == [.unlock, .unregister, .tryLock])
    #expect(sensor.requests[place..<place + 2].allSatisfy { $0.session == Self.dead })
    // A service that does not check the owner of a lock would end another client's capture.
    #expect(!sensor.asked.contains(.cancel))
    #expect(station.journal.givenBack.map(\.lock.session) == [Self.dead])
    #expect(station.notes.all.contains(.leftLock(sensor.address, isGivenBack: true)))
  }

  @Test func `a lock that a process left later is released if it blocks a capture`() async {
    let journal = station.journal
    let seen = Mutex<[Int]>([])
    let sensor = ScriptedSensor(onAsk: { request in
      if request.operation == .tryLock { seen.withLock { $0.append(journal.held.count) } }
    })
    let manager = station.manager(sensor)
    #expect(await manager.capture(ScriptedStation.order(1, sensor)).records.count == 1)
    station.journal.leave(HeldLock(address: sensor.address, session: Self.dead))
    sensor.script(.tryLock, .status(.lockHeldByAnother))
    #expect(await manager.capture(ScriptedStation.order(2, sensor)).records.count == 1)
    #expect(station.journal.givenBack.count == 1)
    // It is recorded each time, also after the response that removed it.
    #expect(seen.withLock { $0 } == [1, 1, 1])
    // There was no wait for it.
    #expect(!station.notes.all.contains { if case .waiting = $0 { true } else { false } })
  }

  @Test func `a lock that the sensor keeps is reported once, and only its first release waits`() async {
    station.journal.leave(HeldLock(address: sensor.address, session: Self.dead))
    let attempts = SensorSequence.Patience().attempts
    for _ in 0..<20 * attempts {
      sensor.script(.unlock, .status(.sensorBusy))
      sensor.script(.unregister, .status(.sensorBusy))
      sensor.script(.tryLock, .status(.lockHeldByAnother))
    }
    let report = await capture(station.manager(sensor))
    #expect(report.records.isEmpty && station.journal.givenBack.isEmpty)
    #expect(station.notes.all.count { $0 == .leftLock(sensor.address, isGivenBack: false) } == 1)
    // The first release has one unlock before its cancel and all attempts after it, each later one has two; the link may
    // end with an unlock of its own.
    let locks = sensor.asked.count { $0 == .tryLock }
    #expect(locks == attempts + 1)
    let unlocks = sensor.asked.count { $0 == .unlock }
    #expect((1 + attempts + 2 * locks...2 + attempts + 2 * locks).contains(unlocks), "\(unlocks)")
  }

  @Test func `a lock that the sensor kept at first is released while a capture waits for it`() async {
    station.journal.leave(HeldLock(address: sensor.address, session: Self.dead))
    for _ in 0..<SensorSequence.Patience().attempts + 3 { sensor.script(.unlock, .status(.sensorBusy)) }
    for _ in 0..<2 { sensor.script(.unregister, .status(.sensorBusy)) }
    for _ in 0..<2 { sensor.script(.tryLock, .status(.lockHeldByAnother)) }
    #expect(await capture(station.manager(sensor)).records.count == 1)
    let notes = station.notes.all.filter { if case .leftLock = $0 { true } else { false } }
    #expect(
      notes == [.leftLock(sensor.address, isGivenBack: false), .leftLock(sensor.address, isGivenBack: true)])
  }

  @Test func `a lock whose release is uncertain is tried again next time`() async {
    station.journal.leave(HeldLock(address: sensor.address, session: Self.dead))
    let fault = ScriptedSensor.Reply.fault(.timedOut(seconds: 2), .unknown)
    sensor.script(.cancel, fault)
    sensor.script(.unlock, fault, fault)
    sensor.script(.unregister, fault)
    let manager = station.manager(sensor)
    await manager.giveBackLeft()
    #expect(station.journal.givenBack.isEmpty)
    #expect(station.notes.all == [.leftLock(sensor.address, isGivenBack: false)])
    // Other processes may try it now.
    #expect(station.journal.leftAgain == [true, false])
    await manager.giveBackLeft()
    #expect(station.journal.givenBack.count == 1)
  }

  @Test func `a successful cancel is not a release if the service refuses to unlock`() async {
    station.journal.leave(HeldLock(address: sensor.address, session: Self.dead))
    for _ in 0...SensorSequence.Patience().attempts { sensor.script(.unlock, .status(.sensorBusy)) }
    sensor.script(.unregister, .status(.sensorBusy))
    let manager = station.manager(sensor)
    await manager.giveBackLeft()
    #expect(sensor.asked.contains(.cancel) && sensor.asked.last == .unregister)
    #expect(station.journal.givenBack.isEmpty && station.journal.leftAgain.first == true)
    #expect(station.notes.all == [.leftLock(sensor.address, isGivenBack: false)])
    // It is tried again, and reported once the service confirms it.
    await manager.giveBackLeft()
    #expect(station.journal.givenBack.count == 1)
    #expect(station.notes.all.last == .leftLock(sensor.address, isGivenBack: true))
  }

  @Test func `a session that is not found over HTTP has no lock`() async {
    station.journal.leave(HeldLock(address: sensor.address, session: Self.dead))
    sensor.script(.unlock, .fault(.status(404), .answered))
    await station.manager(sensor).giveBackLeft()
    #expect(station.journal.givenBack.count == 1 && sensor.asked == [.unlock])
  }

  @Test func `a sensor busy with a canceled operation is retried`() async {
    station.journal.leave(HeldLock(address: sensor.address, session: Self.dead))
    sensor.script(.unlock, .status(.sensorBusy), .status(.sensorBusy))
    await station.manager(sensor).giveBackLeft()
    #expect(sensor.asked == [.unlock, .cancel, .unlock, .unlock, .unregister])
    #expect(station.journal.givenBack.count == 1)
  }

  @Test func `a response about a dead process's session leaves our own lock unchanged`() async throws {
    let manager = station.manager(sensor)
    let link = manager.link(sensor.address)
    await link.addViewer()
    #expect(try await link.hold().status == .success)
    station.journal.leave(HeldLock(address: sensor.address, session: Self.dead))
    sensor.script(.unlock, .status(.lockHeldByAnother))
    await manager.giveBackLeft()
    #expect(station.journal.givenBack.count == 1)
    let state = await link.state
    #expect(state.holdsLock && station.journal.held.map(\.session) == [state.session])
    // It is released after the last viewer.
    await link.removeViewer()
    #expect(station.journal.held.isEmpty)
  }

  @Test func `captures at other sensors do not wait for an unresponsive one`() async {
    let away = ScriptedSensor("away")
    away.script(.unlock, .held(.status(.success)))
    station.journal.leave(HeldLock(address: away.address, session: Self.dead))
    let manager = station.manager(sensor, away)
    let giving = Task { await manager.giveBackLeft() }
    #expect(await capture(manager).records.count == 1)
    #expect(station.journal.givenBack.isEmpty)
    away.release()
    await giving.value
    #expect(station.journal.givenBack.count == 1)
  }

  @Test func `releasing leftovers does not wait for the turn at a busy sensor`() async {
    station.journal.leave(HeldLock(address: sensor.address, session: Self.dead))
    let manager = station.manager(sensor)
    let turns = await turns(of: manager.link(sensor.address))
    await turns.take()
    await manager.giveBackLeft()
    #expect(sensor.asked.isEmpty && station.notes.all.isEmpty && station.journal.leftAgain == [false])
    turns.pass()
    await manager.giveBackLeft()
    #expect(station.journal.givenBack.count == 1)
  }

  private func turns(of link: isolated SensorLink) -> Turns { link.turns }

  @Test func `a canceled run sends no more requests, and reports nothing incomplete`() async {
    station.journal.leave(HeldLock(address: sensor.address, session: Self.dead))
    sensor.script(.unlock, .status(.sensorBusy))
    let run = SequenceRun()
    run.cancel()
    let told = Mutex(0)
    let link = station.manager(sensor).link(sensor.address)
    #expect(await !link.releaseLeftLocks(stolen: true, { _ in told.withLock { $0 += 1 } }, unless: run))
    #expect(sensor.asked == [.unlock] && told.withLock { $0 } == 0)
    #expect(station.journal.givenBack.isEmpty && station.journal.leftAgain == [false])
  }
}
