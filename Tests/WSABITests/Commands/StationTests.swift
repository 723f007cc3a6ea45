import PluginAPI
import PluginTesting
import Synchronization
import Testing

@testable import WSABI

/// What screens and commands of one process share.
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

  private func count(_ operation: SensorOperation) -> Int { user.simulator.calls.count { $0.operation == operation } }

  @Test func `a capture that is stopped before its turn has come ends at once, and nothing is captured`() async throws {
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

  @Test func `a capture waits while somebody looks for what was left over`() async throws {
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

  @Test func `a stop while a capture is looked at keeps it from being repeated`() async throws {
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

  @Test func `sessions are kept for a list of people, and given back where there is none`() async throws {
    let context = user.plugin.context
    station.beginList()
    await station.capture([item], context).value
    #expect(count(.register) == 1 && count(.unregister) == 0)
    #expect(station.endList())
    await station.capture([item], context).value
    #expect(count(.register) == 1 && count(.unregister) == 1)
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
