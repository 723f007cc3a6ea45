import PluginAPI
import Synchronization
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Captures are reviewed after those in progress.
@Suite(.timeLimit(.minutes(5)))
struct CaptureReviewTests {
  private let folder: StoreFolder
  private let gate = ReviewGate(places: 1)
  private let door = Door()

  init() throws { folder = try StoreFolder() }

  /// Returns a store with a captured finger, and the gate closed.
  private func captured(
    _ options: RecordStore.Options? = nil
  ) async throws -> (store: RecordStore, record: CaptureRecord, holder: Task<Void, any Error>) {
    let store = RecordStore(folder: folder.path, options ?? folder.options)
    try await store.create(StoreFolder.passphrase, user: "anna")
    let item = try await store.samplePerson()
    let record = try await store.sampleCapture(
      item.id, StoreSamples.uuid(1),
      SyntheticPrints.image("RightThumbFlat", person: 1, impression: 0).bitmap)
    let (gate, door) = (gate, door)
    let holder = Task { try await gate.pass(.init(folder: "", capture: 0)) { await door.wait() } }
    while !gate.isAwaited(.init(folder: "", capture: 0)) { await Task.yield() }
    return (store, record, holder)
  }

  private func reads(_ store: RecordStore) async throws -> [String] {
    try await store.auditEntries(1..<10_000).filter { $0.event.action == .captureRead }.map(\.event.outcome)
  }

  @Test func `a capture is read when its turn comes, and gets quality and thumbnail in one change`()
    async throws
  {
    let changes = Mutex(0)
    var options = folder.options
    options.onChange = { _ in changes.withLock { $0 += 1 } }
    let (store, record, holder) = try await captured(options)
    let review = CaptureReview(records: store, gate: gate)
    let reviewing = Task { try await review.review(record, of: Submodality(wire: "RightThumbFlat")) }
    while gate.waitingCount == 0 { await Task.yield() }
    #expect(try await reads(store).isEmpty && review.isAwaited(record))
    let before = changes.withLock { $0 }
    door.open()
    let reviewed = try await reviewing.value.record
    #expect(reviewed.quality != nil && !review.isAwaited(record))
    #expect(changes.withLock { $0 } == before + 1)
    #expect(try await store.item(record.item).capture == reviewed)
    #expect(try await store.thumbnail(of: record.id) != nil)
    try await holder.value
    await store.close()
  }

  @Test func `a review without any result is also published`() async throws {
    let changes = Mutex(0)
    var options = folder.options
    options.onChange = { _ in changes.withLock { $0 += 1 } }
    let store = RecordStore(folder: folder.path, options)
    try await store.create(StoreFolder.passphrase, user: "anna")
    let item = try await store.samplePerson()
    let record = try await store.sampleCapture(item.id, StoreSamples.uuid(1), StoreSamples.data(100))
    let before = changes.withLock { $0 }
    #expect(try await store.keepReview(of: record, thumbnail: nil, quality: nil) == record)
    #expect(changes.withLock { $0 } == before + 1)
    await store.close()
  }

  @Test func `concurrent requests for a thumbnail make it once`() async throws {
    let (store, record, holder) = try await captured()
    let review = CaptureReview(records: store, gate: gate)
    let asking = (0..<5).map { _ in Task { try await review.thumbnail(record) } }
    while gate.waitingCount < 5 { await Task.yield() }
    door.open()
    var made: Set<[UInt8]> = []
    for task in asking { made.insert(try #require(try await task.value)) }
    #expect(made.count == 1)
    // The data once, then the result.
    #expect(try await reads(store) == ["", "thumbnail"])
    try await holder.value
    await store.close()
  }

  @Test func `a capture that a killed process did not score is scored later, once`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let data = SyntheticPrints.image("RightThumbFlat", person: 1, impression: 0).bitmap
    let record = try await store.sampleCapture(item.id, StoreSamples.uuid(1), data)
    let other = try await store.sampleCapture(item.id, StoreSamples.uuid(2), StoreSamples.data(100))
    let review = CaptureReview(records: store)
    #expect(try await store.unreviewedCaptures(limit: 9).map(\.record.id) == [record.id, other.id])
    #expect(try await review.reviewLeft(limit: .max) == 1)
    #expect(try await store.captures(of: item.id).first { $0.id == record.id }?.quality != nil)
    // A capture that cannot be scored is not reviewed repeatedly.
    #expect(try await store.unreviewedCaptures(limit: 9).isEmpty)
    #expect(try await review.reviewLeft(limit: .max) == 0)
    await store.close()
  }

  @Test func `a capture that the program did not score stays unreviewed until a score is stored`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let record = try await store.sampleCapture(item.id, StoreSamples.uuid(1), StoreSamples.data(100))
    _ = try await store.keepReview(of: record, thumbnail: [1], quality: nil, isComplete: false)
    #expect(try await store.unreviewedCaptures(limit: 9).map(\.record.id) == [record.id])
    _ = try await store.setQuality(of: record.id, .init(score: 50, scorer: "program scorer"))
    #expect(try await store.unreviewedCaptures(limit: 9).isEmpty)
    await store.close()
  }

  @Test func `comparing and scoring fingers adds no entries of reading to the log`() async throws {
    let store = try await folder.create()
    let person = try await store.addPerson(StoreSamples.biography("Ada"), at: StoreFolder.time)
    for (number, word) in ["RightThumbFlat", "LeftThumbFlat"].enumerated() {
      let item = try await store.addItem(StoreSamples.draft(person.id, word), at: StoreFolder.time)
      let data = StoreSamples.data(100 + number)
      let record = try await store.sampleCapture(item.id, StoreSamples.uuid(number + 1), data)
      _ = try await CaptureReview(records: store).review(record, of: item.submodality)
    }
    let compared = try await CaptureReview(records: store).order(try await store.items(of: person.id))
    // They were checked, and are not pictures.
    #expect(compared.unseen.count == 2)
    #expect(try await reads(store).isEmpty)
    await store.close()
  }

  @Test func `thumbnails are read together, and missing ones are distinguished from deleted captures`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    var records: [CaptureRecord] = []
    for number in 1...3 {
      records.append(try await store.sampleCapture(item.id, StoreSamples.uuid(number), StoreSamples.data(10)))
    }
    try await store.setThumbnail(of: records[0].id, [1])
    try await store.setThumbnail(of: records[2].id, [3])
    let ids = records.map(\.id)
    let found = try await store.thumbnails(of: ids + [99])
    #expect(found.kept == [ids[0]: [1], ids[2]: [3]] && found.absent == [ids[1]])
    await store.close()
  }
}
