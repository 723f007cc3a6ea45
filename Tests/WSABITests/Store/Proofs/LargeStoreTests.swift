import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import WSABI

/// A store of many people: what a screen asks for is there at once.
///
/// WORKBENCH_STORE_PEOPLE says how many people of twenty items there are, 40 else; with 20 000 the times count.
@Suite(.serialized, .timeLimit(.minutes(120)))
struct LargeStoreTests {
  private static let people = CampaignNumber.of("WORKBENCH_STORE_PEOPLE", else: 40)
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  /// The shortest of some times, in milliseconds.
  private func milliseconds(_ body: () async throws -> Void) async throws -> Double {
    var shortest = Duration.seconds(1000)
    for _ in 0..<3 {
      let time = try await ContinuousClock().measure { try await body() }
      shortest = min(shortest, time)
    }
    return Double(shortest.components.attoseconds) * 1e-15 + Double(shortest.components.seconds) * 1000
  }

  private func fill(_ store: RecordStore) async throws {
    for start in stride(from: 1, through: Self.people, by: 500) {
      try await withThrowingTaskGroup { group in
        for number in start..<min(start + 500, Self.people + 1) {
          group.addTask {
            let items = (0..<20).map { _ in
              ImportedPerson.Item(
                item: BiometricItem(StoreSamples.draft(0), id: 0, index: 0, at: StoreFolder.time), captures: [])
            }
            let biography = StoreSamples.full("P\(number)x")
            let person = Person(
              id: 0, biography: biography, created: StoreFolder.time, modified: StoreFolder.time)
            _ = try await store.importPerson(ImportedPerson(person: person, items: items), from: "test")
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `the list, a search, a copy and a deletion are quick among many people`() async throws {
    let store = try await folder.create()
    try await fill(store)
    await store.close()
    var times: [String: Double] = [:]
    let again = try await folder.open()
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
    #expect(try await again.people(0..<1).total == Self.people)
    let words = times.sorted { $0.key < $1.key }.map { "\($0.key) \(Int(($0.value * 10).rounded()) / 10) ms" }
    print("\(Self.people) people of 20 items: \(words.joined(separator: ", "))")
    if Self.people >= 20_000 {
      for (name, time) in times { #expect(time <= (name == "search" ? 50 : 100), "\(name)") }
    }
    let rotation = try await milliseconds { try await again.changeMasterKey() }
    print("another master key: \(Int(rotation)) ms")
    await again.close()
  }
}
