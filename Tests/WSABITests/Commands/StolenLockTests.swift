import PluginAPI
import PluginStore
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The way from another client's lock to a capture: stealing hands the lock to the next capture of the station.
@Suite(.timeLimit(.minutes(5)))
struct StolenLockTests {
  /// Returns a station with a person, and another client that has the locks of all sensors.
  private func besieged(sensors: Int = 1) async throws -> (user: StationUser, others: [String]) {
    let user = try await StationUser.enrolling(sensors: sensors) { $0.stealPreventionInMilliseconds = 0 }
    try await user.addPerson()
    var others: [String] = []
    for number in 1...sensors { others.append(await SensorProbe(user.address(number)).ready().lowercased()) }
    return (user, others)
  }

  private func holder(_ user: StationUser, _ number: Int = 1) -> String? {
    user.simulator.sensor(number).snapshot.lockHolder
  }

  /// Returns the program as its next run.
  private func next(_ user: StationUser) async throws -> TestPlugin {
    try await user.restarted(FaultRun.patientTimes)
  }

  @Test(arguments: [false, true])
  func `after the advised steal, a capture succeeds in the same process and in the next`(_ isSame: Bool) async throws {
    let (user, others) = try await besieged()
    let first = try await next(user)
    let problem = await #expect(throws: ErrorReport.self) {
      try await first.run(line: "capture 1 --key-file \(user.keyFile)")
    }
    #expect(problem?.report.advice?.contains("sensor steal") == true)
    let steal = try await first.run(line: "sensor steal \(user.address(1)) --yes --key-file \(user.keyFile)")
    #expect(steal.diagnostics.contains { $0.code == "wsabi.lock-stolen" })
    let session = try #require(steal.value["session"].text?.lowercased())
    #expect(holder(user) == session && session != others[0])
    let second = isSame ? first : try await next(user)
    user.simulator.forgetCalls()
    let result = try await second.run(line: "capture 1 --key-file \(user.keyFile)")
    #expect(result.value["captured"] == 1)
    // The lock was never free in between: its session captured.
    let calls = user.simulator.calls
    #expect(calls.first { $0.operation == .capture }?.session?.lowercased() == session)
    let capture = calls.firstIndex { $0.operation == .capture } ?? 0
    #expect(!calls.prefix(capture).contains { $0.operation == .unlock || $0.operation == .unregister })
    #expect(holder(user) == nil)
    let rows = try await user.store().sqlite.read { try $0.value("SELECT count(*) FROM held").integer }
    #expect(rows == 0)
    await user.stop()
  }

  @Test(arguments: ["operations resume", "sensor unlock"])
  func `an unused stolen lock is released on request`(_ line: String) async throws {
    let (user, _) = try await besieged()
    try await user.run("sensor steal \(user.address(1)) --yes")
    #expect(holder(user) != nil)
    let line = line == "sensor unlock" ? "\(line) \(user.address(1))" : line
    _ = try await next(user).run(line: "\(line) --key-file \(user.keyFile)")
    #expect(holder(user) == nil)
    await user.stop()
  }

  @Test func `captures at other sensors keep a stolen lock`() async throws {
    let (user, others) = try await besieged(sensors: 2)
    try await user.run("sensor steal \(user.address(2)) --yes")
    let stolen = holder(user, 2)
    _ = await SensorProbe(user.address(1)).ask("DELETE", "/lock/\(others[0])")
    #expect(try await user.value("capture 1")["captured"] == 1)
    #expect(holder(user, 2) == stolen)
    #expect(try await user.value("capture 2")["captured"] == 1)
    #expect(holder(user, 2) == nil)
    await user.stop()
  }

  @Test func `a steal that the sensor refuses leaves no record`() async throws {
    let (user, others) = try await besieged()
    try user.simulator.script("steal-refused@stealLock")
    #expect(await user.report("sensor steal \(user.address(1)) --yes") != nil)
    let rows = try await user.store().sqlite.read { try $0.value("SELECT count(*) FROM held").integer }
    #expect(rows == 0 && holder(user) == others[0])
    await user.stop()
  }

  @Test func `a stolen lock whose session the service forgot does not prevent a capture`() async throws {
    let (user, _) = try await besieged()
    try await user.run("sensor steal \(user.address(1)) --yes")
    user.simulator.sensor(1).restart()
    #expect(try await user.value("capture 1")["captured"] == 1)
    #expect(holder(user) == nil)
    await user.stop()
  }
}
