import PluginAPI
import PluginStore
import Testing

@testable import WSABI

/// The use of a sensor, and changes by other processes.
struct SensorUseTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func filled() async throws -> RecordStore {
    let store = try await folder.create()
    for name in ["Ada", "Grace", "Emmy"] {
      let person = try await store.addPerson(StoreSamples.biography(name), at: StoreFolder.time)
      for port in name == "Emmy" ? [8001] : [8000, 8000, 8001] {
        let device = StoreSamples.device("desk", port: port)
        _ = try await store.addItem(StoreSamples.draft(person.id, device: device), at: StoreFolder.time)
      }
    }
    return store
  }

  private func users(_ store: RecordStore, _ port: Int, limit: Int = 50) async throws -> [Int] {
    try await store.people(using: StoreSamples.device("desk", port: port), limit: limit).map(\.id)
  }

  @Test func `people who use a sensor are found once each, also after items change`() async throws {
    let store = try await filled()
    #expect(try await users(store, 8000) == [1, 2])
    #expect(try await users(store, 8001) == [1, 2, 3])
    #expect(try await users(store, 8001, limit: 2) == [1, 2])
    #expect(try await users(store, 9999).isEmpty)
    var draft = DraftItem(try await store.item(7))
    draft.device = StoreSamples.device("desk", port: 8000)
    _ = try await store.edit(item: 7, draft, at: StoreFolder.time)
    #expect(try await users(store, 8000) == [1, 2, 3])
    #expect(try await users(store, 8001) == [1, 2])
    try await store.deletePerson(1)
    #expect(try await users(store, 8000) == [2, 3])
    #expect(try await store.check(readsData: true).isEmpty)
    await store.close()
  }

  @Test func `items of an older store are found, and a damaged one does not hide others`()
    async throws
  {
    await (try await filled()).close()
    try await folder.tamper { connection in
      try connection.execute("UPDATE item SET sensor = NULL")
      try connection.execute("UPDATE item SET body = x'00' WHERE id = 1")
    }
    let store = try await folder.open()
    #expect(try await users(store, 8000) == [1, 2])
    let open = try await store.sqlite.read { try $0.value("SELECT count(*) FROM item WHERE sensor IS NULL").integer }
    #expect(open == 0)
    await store.close()
  }

  @Test func `the sensor index reveals nothing without the key`() async throws {
    let store = try await filled()
    let tags = try await store.sqlite.read { try $0.list("SELECT DISTINCT sensor FROM item") { $0.bytes(0) } }
    let recent = try await store.sqlite.read { try $0.list("SELECT tag FROM sensor") { $0.bytes(0) } }
    #expect(tags.count == 2 && tags.allSatisfy { $0.count == Vault.codeSize } && Set(tags).isDisjoint(with: recent))
    await store.close()
    let other = try StoreFolder()
    let second = try await other.create()
    _ = try await second.samplePerson("Ada")
    let others = try await second.sqlite.read { try $0.list("SELECT sensor FROM item") { $0.bytes(0) } }
    #expect(Set(others).isDisjoint(with: tags))
    await second.close()
  }

  @Test func `changes by other processes are detected, own changes are not`() async throws {
    let store = try await filled()
    #expect(try await !store.isChangedByOthers())
    _ = try await store.addPerson(Biography(), at: StoreFolder.time)
    #expect(try await !store.isChangedByOthers())
    let other = try await folder.open()
    _ = try await other.addPerson(Biography(), at: StoreFolder.time)
    await other.close()
    #expect(try await store.isChangedByOthers())
    #expect(try await !store.isChangedByOthers())
    await store.lock()
    await #expect(throws: VaultError.locked) { try await store.isChangedByOthers() }
    await store.close()
  }
}
