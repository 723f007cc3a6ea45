import PluginAPI
import PluginStore
import PluginTesting
import PluginVault
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Sensors that a killed station left locked, as its user meets them.
@Suite(.timeLimit(.minutes(5)))
struct LeftLockTests {
  /// Returns another process's store over the same folder, which holds a lock of a sensor.
  private func holder(
    _ user: StationUser, _ sensor: Int
  ) async throws -> (store: RecordStore, probe: SensorProbe, session: String) {
    let context = user.plugin.context
    let store = try await RecordStore.open(
      at: user.store().folder, key: .keyFile(path: user.keyFile),
      .init(clock: { context.now() }, stretching: StoreFolder.fast))
    let probe = SensorProbe(user.address(sensor))
    let session = await probe.ready()
    let lock = HeldLock(
      address: try SensorAddress(parsing: user.address(sensor)), session: try #require(SensorUUID(session)))
    try await store.willLock(lock)
    return (store, probe, session)
  }

  private func isHeld(_ probe: SensorProbe) async -> Bool {
    let session = await probe.register()
    let status = await probe.ask("POST", "/lock/\(session)").text("status")
    _ = await probe.ask("DELETE", "/lock/\(session)")
    _ = await probe.ask("DELETE", "/register/\(session)")
    return status == "lockHeldByAnother"
  }

  @Test(arguments: [false, true])
  func `the next capture releases the lock that a killed run left, and reports it`(_ isAtWork: Bool) async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    let (store, probe, session) = try await holder(user, 1)
    #expect(await isHeld(probe))
    var work: Task<Void, Never>?
    if isAtWork {
      try user.simulator.script("hold@capture#1")
      work = Task { _ = await probe.ask("POST", "/capture/\(session)") }
      await user.simulator.waitUntilBusy(1, with: .capture)
    }
    await store.close()
    let result = try await user.run("capture 1")
    #expect(result.value["captured"] == 1)
    #expect(result.diagnostics.contains { $0.code == "wsabi.lock-given-back" })
    let log = try await user.value("log")["entries"].list ?? []
    #expect(log.count { $0["action"] == "lockGivenBack" } == 1)
    await work?.value
    #expect(await !isHeld(probe))
    await user.stop()
  }

  @Test func `'operations resume' releases locks of dead processes, and none of running ones`() async throws {
    let user = try await StationUser.enrolling(sensors: 2)
    try await user.addPerson()
    let (dead, first, _) = try await holder(user, 1)
    let (alive, second, _) = try await holder(user, 2)
    await dead.close()
    let result = try await user.run("operations resume")
    #expect(result.diagnostics.count { $0.code == "wsabi.lock-given-back" } == 1)
    #expect(await !isHeld(first))
    #expect(await isHeld(second))
    await alive.close()
    try await user.run("operations resume")
    #expect(await !isHeld(second))
    await user.stop()
  }

  @Test func `'sensor unlock' without a session releases locks of dead processes, and none of running ones`()
    async throws
  {
    let user = try await StationUser.enrolling(sensors: 2)
    let (dead, first, session) = try await holder(user, 1)
    let (alive, second, _) = try await holder(user, 2)
    await dead.close()
    #expect(await user.report("sensor unlock \(user.address(2))")?.code == "wsabi.session-needed")
    let answer = try await user.value("sensor unlock \(user.address(1))")
    #expect(answer["operation"] == "unlock" && answer["status"] == "success" && answer["session"].isNull)
    #expect(await !isHeld(first))
    #expect(await isHeld(second))
    // Its session is gone too, and it is no longer recorded.
    #expect(await first.ask("POST", "/lock/\(session)").text("status") == "invalidId")
    #expect(await user.report("sensor unlock \(user.address(1))")?.code == "wsabi.session-needed")
    let log = try await user.value("log")["entries"].list ?? []
    #expect(log.count { $0["action"] == "lockGivenBack" } == 1)
    await alive.close()
    await user.stop()
  }

  @Test func `a lock that could not be released stays recorded for the next attempt`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    let (dead, probe, _) = try await holder(user, 1)
    await dead.close()
    try user.simulator.script("http@unlock=500;http@unregister=500")
    #expect(await user.report("sensor unlock \(user.address(1))") != nil)
    user.simulator.heal()
    #expect(await isHeld(probe))
    #expect(try await user.value("sensor unlock \(user.address(1))")["status"] == "success")
    #expect(await !isHeld(probe))
    await user.stop()
  }

  @Test func `an unreachable sensor is reported by 'operations resume', and not by captures at other sensors`()
    async throws
  {
    let user = try await StationUser.enrolling(sensors: 2)
    try await user.addPerson()
    let (dead, probe, _) = try await holder(user, 2)
    await dead.close()
    try user.simulator.script("http@unlock:2=500;http@cancel:2=500;http@unregister:2=500")
    let other = try await user.run("capture 1")
    #expect(other.value["captured"] == 1)
    #expect(!other.diagnostics.contains { $0.code == "wsabi.lock-left" })
    let resumed = try await user.run("operations resume")
    #expect(resumed.diagnostics.count { $0.code == "wsabi.lock-left" } == 1)
    #expect(await isHeld(probe))
    await user.stop()
  }

  @Test(arguments: [false, true])
  func `a capture whose lock the sensor keeps reports it once, and the advised unlock releases it`(
    _ isSameProcess: Bool
  ) async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.simulator.script("http@unlock=500;http@unregister=500")
    let result = try await user.run("capture 1")
    #expect(result.value["captured"] == 1)
    let address = user.address(1)
    let warnings = result.diagnostics.filter { $0.code == "wsabi.lock-left" }
    #expect(warnings.map(\.message) == ["cannot release the lock of the sensor at '\(address)'"])
    #expect(warnings.first?.severity == .warning)
    #expect(warnings.first?.advice == "release it with 'workbench wsabi sensor unlock \(address)'")
    if !isSameProcess { await (try user.store()).close() }
    user.simulator.heal()
    let probe = SensorProbe(address)
    #expect(await isHeld(probe))
    let process = isSameProcess ? user.plugin : try await user.restarted()
    _ = try await process.run(line: "sensor unlock \(address) --key-file \(user.keyFile)")
    #expect(await !isHeld(probe))
    await user.stop()
  }

  @Test func `a lock that ends with its session is not reported`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.simulator.script("status@unlock=failure")
    let result = try await user.run("capture 1")
    #expect(result.value["captured"] == 1)
    #expect(!result.diagnostics.contains { $0.code == "wsabi.lock-left" })
    await user.stop()
  }

  @Test func `a successful run leaves no locks to release`() async throws {
    let user = try await StationUser.enrolling(sensors: 2)
    try await user.addPerson()
    try await user.run("capture --person 1 --all")
    let held = try await user.store().sqlite.read { try $0.value("SELECT count(*) FROM held").integer }
    #expect(held == 0)
    await user.stop()
  }
}
