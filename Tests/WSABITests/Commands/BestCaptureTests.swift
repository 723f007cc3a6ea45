import PluginAPI
import PluginStore
import PluginTesting
import Synchronization
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The best of several attempts is kept, and a failed deletion of the others is reported.
@Suite(.timeLimit(.minutes(5)))
struct BestCaptureTests {
  /// Captures the first item repeatedly, as no quality is good enough.
  ///
  /// - Parameter scores: Of the pictures, in the order in which they come.
  private func attempts(_ user: StationUser, scores: [Int?], retries: Int) async throws -> CaptureRun.Result {
    let store = try user.store()
    let left = Mutex(scores)
    let sensors = SensorAccess(isOffline: false)
    let links = LinkManager({ sensors.connection($0) }, store, FaultRun.clock, onNote: { _ in })
    let run = CaptureRun(
      links: links, records: store, retries: retries, minimumQuality: 99,
      review: { record, _ in
        let score: Int? = left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let score else { return ReviewedCapture(record: record) }
        let quality = CaptureRecord.Quality(score: score, scorer: "test")
        return ReviewedCapture(record: try await store.setQuality(of: record.id, quality))
      })
    let results = try await run.capture([try await store.item(1)])
    await links.close()
    return try #require(results.first)
  }

  private func scores(_ records: [CaptureRecord]) -> [Int?] { records.map { $0.quality?.score } }

  /// The scores of the pictures of three attempts, and those of the best one.
  private static let pairs: [([Int?], [Int])] = [
    ([90, 5, 80, 80, 98, 79], [80, 80]), ([60, 60, 90, 60, 60, 61], [90, 60]), ([nil, 98, 10, 10, 9, 98], [10, 10]),
  ]

  @Test(arguments: pairs) func `attempts are compared by their worst picture, then by all pictures`(
    _ all: [Int?], _ best: [Int]
  ) async throws {
    let user = try await StationUser.enrolling(sensors: 1) { $0.capturesPerCall = 2 }
    try await user.addPerson()
    let result = try await attempts(user, scores: all, retries: 2)
    #expect(result.attempts == 3 && scores(result.report.records) == best)
    #expect(try await scores(user.store().captures(of: 1)) == best)
    #expect(result.report.troubles.isEmpty)
    let words = CaptureCheck.warnings(result, minimumQuality: 99).map(\.message)
    #expect(words.contains { $0.hasPrefix("the quality of the worst picture is \(best.min() ?? 0) of 100") })
    await user.stop()
  }

  @Test(arguments: [([80, 10], true), ([10, 80], false)])
  func `a worse attempt that cannot be deleted is reported, and so is an item that shows it`(
    _ all: [Int], _ isShown: Bool
  ) async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try await user.store().sqlite.write {
      try $0.execute("CREATE TRIGGER stays BEFORE DELETE ON capture BEGIN SELECT RAISE(ABORT, 'it stays'); END")
    }
    let result = try await attempts(user, scores: all, retries: 1)
    #expect(scores(result.report.records) == [80])
    #expect(try await scores(user.store().captures(of: 1)) == all.reversed())
    let words = CaptureCheck.warnings(result, minimumQuality: nil).map(\.message)
    #expect(words.count { $0.contains("cannot delete a worse attempt: ") } == 1)
    #expect(words.contains { $0.contains("the item shows it") } == isShown)
    await user.stop()
  }

  @Test func `a later attempt kept for its waiting data is reported as shown by the item`() async throws {
    let user = try await StationUser.enrolling(sensors: 1) { $0.capturesPerCall = 2 }
    try await user.addPerson()
    try user.simulator.script("status@download#4-=failure")
    let result = try await attempts(user, scores: [50, 50, 90], retries: 1)
    #expect(scores(result.report.records) == [50, 50] && result.report.waiting.count == 1)
    #expect(try await user.store().captures(of: 1).count == 3)
    #expect(result.report.troubles.contains { $0.contains("the item shows it") })
    await user.stop()
  }

  @Test func `a worse capture is deleted only if the better one is stored`() async throws {
    let folder = try StoreFolder()
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let worse = try await store.sampleCapture(item.id, StoreSamples.uuid(1), [1])
    let better = try await store.sampleCapture(item.id, StoreSamples.uuid(2), [2])
    await #expect(throws: VaultError.noCapture(99)) {
      try await store.deleteCapture(worse.id, keeping: [better.id, 99])
    }
    #expect(try await store.captures(of: item.id).count == 2)
    try await store.deleteCapture(worse.id, keeping: [better.id])
    #expect(try await store.captures(of: item.id).map(\.id) == [better.id])
    await store.close()
  }
}
