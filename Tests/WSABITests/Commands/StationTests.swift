import PluginAPI
import PluginTesting
import PluginVault
import Synchronization
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The state shared by screens and commands of one process.
@Suite(.timeLimit(.minutes(2)))
struct StationTests {
  private let user: StationUser
  private let station = Station()
  private let item: BiometricItem

  init() async throws {
    user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    let records = station.records(user.plugin.context)
    try await records.unlock(.keyFile(path: user.keyFile))
    item = try await records.item(1)
  }

  private func count(_ operation: SensorOperation) -> Int {
    user.simulator.calls.count { $0.operation == operation.simulated }
  }

  @Test func `a capture stopped before its turn ends at once, and nothing is captured`() async throws {
    let context = user.plugin.context
    let sensors = ScreenSensors(context, station)
    try await station.withoutCaptures(context) {
      let capturing = station.capture([item], context)
      sensors.cancelItem(1)
      await capturing.value
    }
    #expect(count(.capture) == 0 && user.simulator.ledger.isEmpty)
    // The next is not concerned.
    await station.capture([item], context).value
    #expect(count(.capture) == 1)
    await user.stop()
  }

  @Test func `a capture waits during a search for leftovers`() async throws {
    let context = user.plugin.context
    var capturing: Task<Void, Never>?
    try await station.withoutCaptures(context) {
      capturing = station.capture([item], context)
      for _ in 0..<100 { await Task.yield() }
      #expect(user.simulator.calls.isEmpty)
    }
    await capturing?.value
    #expect(try await station.records(context).item(1).capture != nil)
    await user.stop()
  }

  @Test func `a stop during the review of a capture prevents its repetition`() async throws {
    let context = user.plugin.context
    let (records, links) = (station.records(context), station.links(context))
    let run = CaptureRun(
      links: links, records: records, retries: 3, minimumQuality: 90,
      review: { record, _ in
        links.cancel(item: 1)
        return ReviewedCapture(record: try await records.setQuality(of: record.id, .init(score: 10, scorer: "test")))
      })
    let results = try await run.capture([item])
    #expect(results.map(\.attempts) == [1] && results.first?.report.records.count == 1)
    #expect(user.simulator.ledger.count == 1)
    await station.leaveSensors()
    await user.stop()
  }

  @Test func `sessions are kept for a list of people, and released without one`() async throws {
    let context = user.plugin.context
    station.beginList()
    await station.capture([item], context).value
    #expect(count(.register) == 1 && count(.unregister) == 0)
    #expect(station.endList())
    await station.capture([item], context).value
    #expect(count(.register) == 1 && count(.unregister) == 1)
    await user.stop()
  }

  /// Returns the log entries about canceled operations of other clients.
  private func interruptions() async throws -> [Value] {
    try await user.value("log")["entries"].list?.filter { $0["action"] == "sensorUsed" } ?? []
  }

  @Test func `interrupting a sensor is recorded in the audit log, also with an unknown outcome`() async throws {
    let (context, address) = (user.plugin.context, try item.device.sensorAddress())
    #expect(try await station.interrupt(address, context) == .success)
    try user.simulator.script("drop-after@cancel")
    await #expect(throws: SensorFault.self) { _ = try await station.interrupt(address, context) }
    user.simulator.heal()
    // Nothing is canceled while another client has the lock.
    let session = try #require(try await user.value("sensor lock \(user.address(1))")["session"].text)
    #expect(try await station.interrupt(address, context) == .lockHeldByAnother)
    let told = try await interruptions()
    #expect(told.map { $0["outcome"].text } == ["cancel: success", "cancel: unknown: no answer"])
    #expect(told.allSatisfy { $0["address"].text == address.text && $0["user"] == "anna" })
    try await user.run("sensor unregister \(user.address(1)) --session \(session)")
    await station.leaveSensors()
    await user.stop()
  }

  @Test func `commands that cancel work of others are recorded in the audit log`() async throws {
    try await user.run("sensor cancel \(user.address(1))")
    let session = try #require(try await user.value("sensor lock \(user.address(1))")["session"].text)
    // The session's own operation is not an intervention.
    try await user.run("sensor cancel \(user.address(1)) --session \(session)")
    #expect(try await interruptions().map { $0["outcome"].text } == ["cancel: success"])
    let number = try await user.store().begin(
      CaptureIntent(
        item: 1, address: try item.device.sensorAddress(), session: try #require(SensorUUID(session)),
        configuration: WireDictionary()))
    #expect(try await user.value("operations cancel \(number.value)")["canceled"] == true)
    let last = try #require(try await interruptions().last)
    #expect(last["item"] == 1 && last["outcome"] == "cancel: success")
    await user.stop()
  }

  @Test func `a list that follows another keeps the sessions`() async throws {
    station.beginList()
    station.beginList()
    #expect(!station.endList() && station.hasLists)
    #expect(station.endList() && !station.hasLists)
    await user.stop()
  }
}
