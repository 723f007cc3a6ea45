import PluginAPI
import PluginTesting
import PluginVault
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The close of the store, at the end of a program, releases the sensors.
@Suite(.timeLimit(.minutes(2)))
struct StationEndTests {
  private let user: StationUser
  private let station: Station
  private let item: BiometricItem

  init() async throws {
    user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    var times = LinkTimes()
    times.endingInMilliseconds = 300
    station = Station(times: times)
    let records = station.records(user.plugin.context)
    try await records.unlock(.keyFile(path: user.keyFile))
    item = try await records.item(1)
  }

  private func count(_ operation: SensorOperation) -> Int {
    user.simulator.calls.count { $0.operation == operation.simulated }
  }

  @Test func `closing the store ends the sessions kept for screens`() async throws {
    let context = user.plugin.context
    station.beginList()
    await station.capture([item], context).value
    #expect(count(.register) == 1 && count(.unregister) == 0)
    await station.records(context).close()
    #expect(count(.unregister) == 1)
    await user.stop()
  }

  @Test func `a list that is shown again before the release began keeps its sessions`() async throws {
    let context = user.plugin.context
    let sensors = ScreenSensors(context, station)
    sensors.beginList()
    await station.capture([item], context).value
    #expect(sensors.endList())
    sensors.beginList()
    await sensors.leave()
    #expect(count(.unregister) == 0)
    #expect(sensors.endList())
    await sensors.leave()
    #expect(count(.unregister) == 1)
    await user.stop()
  }

  @Test func `a lock whose service does not respond at the end is released by the next run`() async throws {
    let context = user.plugin.context
    let link = station.links(context).link(try item.device.sensorAddress())
    await link.addViewer()
    #expect(try await link.hold().status == .success)
    let session = try #require(await link.state.session)
    try user.simulator.script("hang@unlock;hang@unregister")
    await station.records(context).close()
    // Neither the service nor the store shows that it was released.
    #expect(user.simulator.sensor(1).snapshot.lockHolder == session.key)
    user.simulator.heal()
    let result = try await user.run("operations resume")
    #expect(result.diagnostics.map(\.code) == ["wsabi.lock-given-back"])
    #expect(user.simulator.sensor(1).snapshot.lockHolder == nil)
    let log = try await user.value("log")["entries"].list ?? []
    #expect(log.count { $0["action"] == "lockGivenBack" } == 1)
    await user.stop()
  }

  @Test func `closing the store waits for the background work of a closed screen`() async throws {
    let context = user.plugin.context
    let person = try await station.records(context).addPerson(Biography(), at: context.now())
    let records = station.records(context)
    station.runInBackground { _ = try? await records.withdrawPerson(person.id) }
    await records.close()
    #expect(try await user.value("person list").list?.count == 1)
    await user.stop()
  }
}
