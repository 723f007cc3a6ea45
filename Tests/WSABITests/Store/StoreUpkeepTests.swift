import Foundation
import PluginAPI
import PluginStore
import PluginVault
import Testing

@testable import WSABI

/// The store is checked, and compacted.
struct StoreUpkeepTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func filled() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    for (number, size) in [800, 400_000].enumerated() {
      let record = try await store.sampleCapture(
        item.id, StoreSamples.uuid(number + 1), StoreSamples.data(size, seed: UInt64(number + 1)))
      try await store.setThumbnail(of: record.id, StoreSamples.data(200))
    }
    let number = try await store.begin(StoreSamples.intent(item.id))
    try await store.captured(number, ids: [StoreSamples.uuid(9)])
    try await store.end(number, .captured)
    await store.close()
  }

  @Test(arguments: [
    ("UPDATE person SET body = zeroblob(length(body))", "person 1"),
    ("UPDATE item SET key = zeroblob(72)", "item 1"),
    ("UPDATE capture SET body = zeroblob(length(body)) WHERE id = 2", "capture 2"),
    ("UPDATE capture SET thumbnail = zeroblob(length(thumbnail)) WHERE id = 2", "capture 2"),
    ("DELETE FROM content", "the data of capture 1"),
    ("UPDATE journal SET body = zeroblob(length(body)) WHERE id = 3", "entry 3 of the journal"),
    ("UPDATE journal SET outcome = zeroblob(60) WHERE id = 1", "entry 1 of the journal"),
    ("UPDATE captured SET body = zeroblob(length(body)) WHERE state = 0", "a captured id of entry 3"),
    ("UPDATE sensor SET key = zeroblob(72)", "a recent sensor"),
    ("UPDATE audit SET body = zeroblob(length(body)) WHERE number = 4", "entry 4 of the audit log"),
    ("DELETE FROM audit WHERE number = 2", "entry 2 of the audit log"),
    ("DELETE FROM capture WHERE id = 1", "the table 'capture'"), ("DELETE FROM item", "the table 'item'"),
  ])
  func `a check names each damaged part`(_ sql: String, _ name: String) async throws {
    try await filled()
    try await folder.tamper { try $0.execute(sql) }
    let store = try await folder.open()
    let found = try await store.check()
    #expect(
      found.contains { $0.message.hasPrefix(name) && $0.code == "wsabi.store-damaged" }, "\(found.map(\.message))")
    await store.close()
  }

  @Test func `a check reads the data of captures on request`() async throws {
    try await filled()
    let file = try #require(try folder.files().first { $0.name.isCapture })
    var content = file.content
    content[content.count - 5] ^= 1
    try content.write(to: URL(fileURLWithPath: folder.path + "/" + file.name))
    let store = try await folder.open()
    #expect(try await store.check().isEmpty)
    #expect(try await store.check(readsData: true).map(\.message).contains { $0.hasPrefix("the data of capture 2") })
    try FileManager.default.removeItem(atPath: folder.path + "/" + file.name)
    #expect(try await store.check().map(\.message).contains { $0.hasPrefix("the data of capture 2") })
    await store.close()
  }

  @Test func `a purge shrinks the file and preserves all records`() async throws {
    let store = try await folder.create()
    for number in 1...60 {
      let item = try await store.samplePerson("P\(number)")
      try await store.sampleCapture(item.id, StoreSamples.uuid(number), StoreSamples.data(50_000, seed: UInt64(number)))
    }
    for person in 2...60 { try await store.deletePerson(person) }
    func size() throws -> Int {
      try folder.files().filter { !$0.name.hasPrefix("captures") }.reduce(0) { $0 + $1.content.count }
    }
    let before = try size()
    try await store.purge()
    #expect(try size() < before / 4)
    #expect(try await store.people(0..<99).rows.map(\.person.id) == [1])
    #expect(
      try await store.data(of: try #require(try await store.item(1).capture)) == StoreSamples.data(50_000, seed: 1))
    #expect(try await store.check(readsData: true).isEmpty)
    #expect(try await store.auditEntries(1..<10_000).contains { $0.event.action == .purged })
    await store.close()
  }

  @Test func `only a user who manages keys may purge`() async throws {
    let store = try await folder.create()
    _ = try await store.addUser("eve", .reviewer, key: .passphrase([1, 2, 3]))
    await store.close()
    let hers = try await folder.open(key: .passphrase([1, 2, 3]))
    await #expect(throws: VaultRefusal.permission(.reviewer, .manageKeys)) { try await hers.purge() }
    await hers.close()
  }
}
