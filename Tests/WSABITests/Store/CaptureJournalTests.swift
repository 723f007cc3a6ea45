import PluginAPI
import Testing

@testable import WSABI

struct CaptureJournalTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  @Test func `a capture is in the journal from its request to its end`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let intent = StoreSamples.intent(item.id)
    #expect(try await store.unfinished().isEmpty)
    let number = try await store.begin(intent)
    func open() async throws -> [UnfinishedCapture] { try await store.unfinished() }
    #expect(try await open() == [UnfinishedCapture(number: number, intent: intent, outcome: nil, waiting: [])])
    let ids = [StoreSamples.uuid(1), StoreSamples.uuid(2)]
    try await store.captured(number, ids: ids)
    #expect(try await open().map(\.waiting) == [ids])
    try await store.end(number, .captured)
    #expect(
      try await open() == [UnfinishedCapture(number: number, intent: intent, outcome: .captured, waiting: ids)])
    try await keep(store, number, ids[1], [1, 2, 3])
    #expect(try await open().map(\.waiting) == [[ids[0]]])
    try await store.lost(number, ids[0], because: "the service dropped it")
    #expect(try await open().isEmpty)
    await store.close()
  }

  @discardableResult
  private func keep(
    _ store: RecordStore, _ number: JournalNumber, _ id: SensorUUID, _ data: [UInt8]
  ) async throws -> CaptureRecord {
    let sink = try await store.sink(number, id)
    try data.withUnsafeBytes { try sink.write($0) }
    return try await store.keep(number, sink, StoreSamples.download(id))
  }

  @Test func `open captures are still open after the store is reopened`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let asked = try await store.begin(StoreSamples.intent(item.id))
    let answered = try await store.begin(StoreSamples.intent(item.id))
    try await store.captured(answered, ids: [StoreSamples.uuid(5)])
    await store.close()
    let again = try await folder.open()
    let open = try await again.unfinished()
    #expect(open.map(\.outcome) == [nil, .captured])
    #expect(open.map(\.number) == [asked, answered])
    #expect(open.map(\.waiting) == [[], [StoreSamples.uuid(5)]])
    #expect(open.map(\.intent.address) == [StoreSamples.address, StoreSamples.address])
    let record = try await keep(again, answered, StoreSamples.uuid(5), [9])
    #expect(try await again.data(of: record) == [9])
    await again.close()
  }

  @Test(arguments: [
    CaptureOutcome.captured, .refused(.sensorTimeout, message: "no finger"),
    .refused(.unknown("strange"), message: ""), .unknown(reason: "the answer was lost"), .notAsked(reason: "no route"),
  ])
  func `an outcome is stored unchanged`(_ outcome: CaptureOutcome) async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    try await store.captured(number, ids: [StoreSamples.uuid(1)])
    try await store.end(number, outcome)
    #expect(try await store.unfinished().map(\.outcome) == [outcome])
    await store.close()
  }

  @Test func `case 27: an id of another item is rejected and reported; the other ids are written`() async throws {
    let store = try await folder.create()
    let first = try await store.samplePerson()
    let second = try await store.samplePerson("Bob")
    try await store.sampleCapture(first.id, StoreSamples.uuid(1), [1])
    let number = try await store.begin(StoreSamples.intent(second.id))
    // Ignoring the case of its letters.
    let taken = try #require(SensorUUID(StoreSamples.uuid(1).text.lowercased()))
    #expect(try await store.captured(number, ids: [taken, StoreSamples.uuid(2)]) == [StoreSamples.uuid(2)])
    #expect(try await store.unfinished().map(\.waiting) == [[StoreSamples.uuid(2)]])
    await #expect(throws: VaultError.noJournalEntry(number.value)) { try await store.sink(number, taken) }
    let refused = try await store.auditEntries(1..<99).filter { $0.event.action == .captureRefused }
    #expect(refused.map(\.event.captureID) == [taken])
    #expect(refused.map(\.event.item) == [second.id])
    #expect(try await store.item(first.id).capture?.captureID == StoreSamples.uuid(1))
    await store.close()
  }

  @Test func `a repeated id counts once, and a lost id can be captured again`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let id = StoreSamples.uuid(1)
    let number = try await store.begin(StoreSamples.intent(item.id))
    try await store.captured(number, ids: [id, id])
    try await store.captured(number, ids: [id])
    #expect(try await store.unfinished().map(\.waiting) == [[id]])
    try await store.lost(number, id, because: "gone")
    try await store.end(number, .captured)
    let second = try await store.begin(StoreSamples.intent(item.id))
    try await store.captured(second, ids: [id])
    #expect(try await store.unfinished().map(\.waiting) == [[id]])
    try await keep(store, second, id, [4])
    // Its data is stored, so nothing is awaited.
    let third = try await store.begin(StoreSamples.intent(item.id))
    #expect(try await store.captured(third, ids: [id]) == [])
    try await store.end(third, .captured)
    try await store.end(second, .captured)
    #expect(try await store.unfinished().isEmpty)
    #expect(try await store.captures(of: item.id).count == 1)
    await store.close()
  }

  @Test func `data for an id that is not awaited is not stored`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let (id, other) = (StoreSamples.uuid(1), StoreSamples.uuid(2))
    let number = try await store.begin(StoreSamples.intent(item.id))
    let next = try await store.begin(StoreSamples.intent(item.id))
    try await store.captured(number, ids: [id])
    let sink = try await store.sink(number, id)
    for (wrong, entry) in [(other, number), (id, next), (id, JournalNumber(99))] {
      await #expect(throws: VaultError.noJournalEntry(entry.value)) {
        try await store.keep(entry, sink, StoreSamples.download(wrong))
      }
    }
    _ = try await store.keep(number, sink, StoreSamples.download(id))
    await #expect(throws: ErrorReport.self) { try await store.keep(number, sink, StoreSamples.download(id)) }
    await #expect(throws: VaultError.noJournalEntry(number.value)) {
      try await store.lost(number, id, because: "late")
    }
    #expect(try await store.captures(of: item.id).count == 1)
    await store.close()
  }

  @Test func `an item shows the first id of the newest response, in any order of arrival`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    try await store.sampleCapture(item.id, StoreSamples.uuid(9), [9])
    let number = try await store.begin(StoreSamples.intent(item.id))
    let ids = (1...3).map(StoreSamples.uuid)
    try await store.captured(number, ids: ids)
    for (index, id) in ids.enumerated().reversed() { try await keep(store, number, id, [UInt8(index)]) }
    #expect(try await store.item(item.id).capture?.captureID == ids[0])
    #expect(try await store.captures(of: item.id).map(\.captureID) == ids + [StoreSamples.uuid(9)])
    try await store.deleteCapture(try await store.captures(of: item.id)[0].id)
    #expect(try await store.item(item.id).capture?.captureID == ids[1])
    await store.close()
  }

  @Test func `a report about a capture that another process deleted is refused`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    let other = try await folder.open()
    try await other.end(number, .unknown(reason: "given up by a user"))
    try await other.deleteItem(item.id)
    await #expect(throws: VaultError.noJournalEntry(number.value)) {
      try await store.captured(number, ids: [StoreSamples.uuid(1)])
    }
    await other.close()
    await store.close()
  }

  @Test func `the journal of an item lists every request and id with its outcome, newest first`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let ids = (1...3).map(StoreSamples.uuid)
    let first = try await store.begin(StoreSamples.intent(item.id))
    try await store.captured(first, ids: ids)
    try await keep(store, first, ids[1], [1])
    try await store.lost(first, ids[2], because: "dropped")
    let second = try await store.begin(StoreSamples.intent(item.id))
    try await store.end(second, .unknown(reason: "cut"))
    let intent = StoreSamples.intent(item.id)
    func told() async throws -> [JournalEntry] { try await store.journal(of: item.id) }
    #expect(
      try await told() == [
        JournalEntry(number: second, intent: intent, outcome: .unknown(reason: "cut"), ids: []),
        JournalEntry(
          number: first, intent: intent, outcome: .captured,
          ids: [
            .init(id: ids[0], state: .waiting), .init(id: ids[1], state: .kept),
            .init(id: ids[2], state: .lost("dropped")),
          ]),
      ])
    // With its ids a capture has its end.
    #expect(store.capturesUnderWay == 0)
    try await store.deleteCapture(1)
    #expect(try await told().last?.ids.map(\.id) == [ids[0], ids[2]])
    // Ids reported later come last.
    try await store.captured(first, ids: [StoreSamples.uuid(4), ids[0]])
    #expect(try await told().last?.ids.map(\.id) == [ids[0], ids[2], StoreSamples.uuid(4)])
    await store.close()
  }

  @Test func `the ids of a canceled task are still stored`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.captured(number, ids: [StoreSamples.uuid(1)])
    }
    try await task.value
    #expect(try await store.unfinished().map(\.waiting) == [[StoreSamples.uuid(1)]])
    await store.close()
  }
}
