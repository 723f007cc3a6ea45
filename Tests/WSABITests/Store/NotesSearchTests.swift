import PluginAPI
import Testing

@testable import WSABI

/// Notes about an item are found in the same way as notes about the person.
struct NotesSearchTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func found(_ store: RecordStore, _ words: String) async throws -> [Int] {
    try await store.people(0..<100, matching: words).rows.map(\.person.id)
  }

  private func note(_ store: RecordStore, _ item: Int, _ notes: String) async throws {
    _ = try await store.annotate(item, Annotation(conditions: [.present], notes: notes), at: StoreFolder.time)
  }

  @Test func `a search covers the notes of items together with the biography`() async throws {
    let store = try await folder.create()
    let first = try await store.samplePerson("Ada")
    let second = try await store.samplePerson("Bob")
    #expect(try await found(store, "schnitt").isEmpty)
    try await note(store, first.id, "Kleiner Schnitt")
    try await note(store, second.id, "trocken")
    #expect(try await found(store, "SCHNITT") == [first.person])
    #expect(try await found(store, "ada schnitt") == [first.person])
    #expect(try await found(store, "bob schnitt").isEmpty)
    // Also after the store is opened again, and after the person was edited.
    _ = try await store.edit(person: first.person, StoreSamples.biography("Grace"), at: StoreFolder.time)
    await store.close()
    let again = try await folder.open()
    #expect(try await found(again, "grace schnitt") == [first.person])
    try await note(again, first.id, "")
    #expect(try await found(again, "schnitt").isEmpty)
    try await again.deleteItem(second.id)
    #expect(try await found(again, "trocken").isEmpty)
    #expect(try await again.check().isEmpty)
    await again.close()
  }
}
