import Foundation
import PluginAPI
import PluginStore
import TestSupport
import Testing

@testable import WSABI

/// A store of many people: the content of a screen is available at once.
///
/// WORKBENCH_STORE_PEOPLE sets the number of people with twenty items each, by default 40; with 20 000 the times are
/// checked.
@Suite(.serialized, .timeLimit(.minutes(120)))
struct LargeStoreTests {
  private static let people = CampaignNumber.of("WORKBENCH_STORE_PEOPLE", else: 40)
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  /// Returns the shortest of some times, in milliseconds.
  private func milliseconds(_ body: () async throws -> Void) async throws -> Double {
    var shortest = Duration.seconds(1000)
    for _ in 0..<3 {
      let time = try await ContinuousClock().measure { try await body() }
      shortest = min(shortest, time)
    }
    return Double(shortest.components.attoseconds) * 1e-15 + Double(shortest.components.seconds) * 1000
  }

  /// The number of items per person with a capture.
  private static let captures = 3

  /// Returns a distinct capture for each item; the first one of deleted people is as large as real pictures, in a file.
  private static func capture(
    _ person: Int, _ place: Int, _ store: RecordStore
  ) async throws -> ImportedPerson.Capture {
    let data = StoreSamples.data(person < 5 && place == 0 ? 700_000 : 600, seed: UInt64(person * 20 + place))
    let digest = SHA256Digest.of(data)
    let sink = try await store.importSink()
    try data.withUnsafeBytes { try sink.write($0) }
    let record = CaptureRecord(
      id: 0, item: 0, captureID: try #require(SHA256Digest.id(digest)), address: StoreSamples.address.text,
      sizeInBytes: data.count, sha256: digest, claimedType: "image/bmp", sniffedType: nil,
      metadata: WireDictionary([.init("submodality", .string("RightThumbFlat"))]), received: StoreFolder.time,
      quality: .init(score: 60, scorer: "test"))
    return ImportedPerson.Capture(record: record, sink: sink, thumbnail: Array(data.prefix(200)))
  }

  /// Returns the number of captures, and the number of those with a file.
  private func kept(_ store: RecordStore) async throws -> [Int] {
    let count = try await store.sqlite.read { try $0.value("SELECT count(*) FROM capture").integer ?? 0 }
    return [count, try folder.files().count { $0.name.isCapture }]
  }

  private func fill(_ store: RecordStore) async throws {
    // Deleted people have the numbers by which they are deleted.
    for number in 1...4 { try await Self.add(number, store) }
    for start in stride(from: 5, through: Self.people, by: 500) {
      try await withThrowingTaskGroup { group in
        for number in start..<min(start + 500, Self.people + 1) { group.addTask { try await Self.add(number, store) } }
        try await group.waitForAll()
      }
    }
  }

  private static func add(_ number: Int, _ store: RecordStore) async throws {
    var items: [ImportedPerson.Item] = []
    for place in 0..<20 {
      let item = BiometricItem(StoreSamples.draft(0), id: 0, index: 0, at: StoreFolder.time)
      let captures = place < Self.captures ? [try await capture(number, place, store)] : []
      items.append(ImportedPerson.Item(item: item, captures: captures))
    }
    let biography = StoreSamples.full("P\(number)x")
    let person = Person(id: 0, biography: biography, created: StoreFolder.time, modified: StoreFolder.time)
    _ = try await store.importPerson(ImportedPerson(person: person, items: items), from: "test")
  }

  @Test func `list, search, copy and deletion are quick with many people`() async throws {
    let store = try await folder.create()
    try await fill(store)
    await store.close()
    var times: [String: Double] = [:]
    let again = try await folder.open()
    #expect(try await kept(again) == [Self.people * Self.captures, 4])
    let first = min(30, Self.people)
    times["first list"] = try await milliseconds {
      let rows = try await again.people(0..<30).rows
      #expect(rows.count == first)
    }
    times["end of the list"] = try await milliseconds {
      let rows = try await again.people(Self.people - 20..<Self.people).rows
      #expect(rows.count == 20)
    }
    try await again.prepareSearch()
    times["search"] = try await milliseconds {
      let rows = try await again.people(0..<30, matching: "P\(Self.people)xlast").rows
      #expect(rows.count == 1)
    }
    times["copy"] = try await milliseconds { _ = try await again.duplicatePerson(1, at: StoreFolder.time) }
    var next = 2
    times["deletion"] = try await milliseconds {
      try await again.deletePerson(next)
      next += 1
    }
    // Copies have no captures; three people were deleted with theirs, keys and files.
    #expect(try await again.people(0..<1).total == Self.people)
    #expect(try await kept(again) == [(Self.people - 3) * Self.captures, 1])
    let words = times.sorted { $0.key < $1.key }.map { "\($0.key) \(Int(($0.value * 10).rounded()) / 10) ms" }
    print("\(Self.people) people of 20 items, \(Self.captures) with captures: \(words.joined(separator: ", "))")
    if Self.people >= 20_000 {
      for (name, time) in times { #expect(time <= (name == "search" ? 50 : 100), "\(name)") }
    }
    let rotation = try await milliseconds { try await again.changeMasterKey() }
    print("another master key: \(Int(rotation)) ms")
    await again.close()
  }
}
