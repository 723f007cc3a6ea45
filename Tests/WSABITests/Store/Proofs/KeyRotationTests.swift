import Foundation
import PluginAPI
import PluginStore
import PluginVault
import Synchronization
import Testing

@testable import WSABI

/// A change of the master key: only holders of the old one notice.
struct KeyRotationTests {
  private let folder: StoreFolder
  private struct Interruption: Error {}

  init() throws { folder = try StoreFolder() }

  private func words(_ text: String) -> VaultKeySource { .passphrase(Array(text.utf8)) }

  /// Returns a store with two users, two people, captures small and large, one cleared, one waited for.
  private func filled() async throws -> RecordStore {
    let store = try await folder.create()
    _ = try await store.addUser("bob", .operator, key: words("bob's words"))
    for (number, size) in [900, 300_000].enumerated() {
      let item = try await store.samplePerson("P\(number)")
      let record = try await store.sampleCapture(
        item.id, StoreSamples.uuid(number + 1), StoreSamples.data(size, seed: UInt64(number + 1)))
      try await store.setThumbnail(of: record.id, [1, 2, 3])
      _ = try await store.annotate(
        item.id, Annotation(conditions: [.bandaged], notes: "n\(number)"), at: StoreFolder.time)
    }
    try await store.sampleCapture(2, StoreSamples.uuid(7), [7])
    _ = try await store.clear(2, at: StoreFolder.time)
    try await store.sampleCapture(2, StoreSamples.uuid(8), StoreSamples.data(400))
    let number = try await store.begin(StoreSamples.intent(1))
    try await store.captured(number, ids: [StoreSamples.uuid(9)])
    try await store.end(number, .captured)
    return store
  }

  /// Returns all readable content of the sample, after checking that it is whole.
  private func all(_ store: RecordStore) async throws -> [String] {
    var lines: [String] = []
    for row in try await store.people(0..<10).rows {
      lines.append("\(row)")
      for item in row.items {
        for record in try await store.captures(of: item.id) {
          let thumbnail = try await store.thumbnail(of: record.id)
          lines.append("\(record) \(try await store.data(of: record).hashValue) \(thumbnail ?? [])")
        }
        lines.append("\(try await store.journal(of: item.id))")
      }
    }
    lines.append("\(try await store.unfinished()) \(try await store.recentSensors(for: .finger))")
    lines.append("\(try await store.people(0..<10, matching: "n1").rows.map(\.person.id))")
    #expect(try await store.check(readsData: true).isEmpty)
    #expect(try await store.verifyAudit().isWhole)
    return lines
  }

  /// Returns all texts wrapped by the master key, or stored with it.
  private func wrappings(_ store: RecordStore) async throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    for sql in [
      "SELECT key FROM person", "SELECT key FROM item", "SELECT key FROM capture", "SELECT key FROM journal",
      "SELECT key FROM captured WHERE length(key) > 0", "SELECT key FROM sensor", "SELECT body FROM user",
      "SELECT master FROM slot", "SELECT body FROM audit", "SELECT anchor FROM vault",
    ] {
      let rows = try await store.sqlite.read { try $0.list(sql) { $0.bytes(0) } }
      #expect(!rows.isEmpty, "\(sql)")
      found += rows
    }
    return found
  }

  @Test func `a key change keeps all data for every user and leaves nothing of the old key`() async throws {
    let store = try await filled()
    let before = try await all(store)
    let count = try await store.auditCount()
    let old = try store.opened()
    let wrapped = try await wrappings(store)
    try await store.changeMasterKey()
    #expect(try await all(store) == before)
    #expect(try await store.auditEntries(count + 1..<count + 2).map(\.event.action) == [.masterKeyChanged])
    let files = try folder.files()
    for bytes in wrapped { #expect(!files.contains { $0.content.range(of: Data(bytes.prefix(32))) != nil }) }
    // The old key opens nothing: neither the header nor any record.
    let sealed = try await store.sqlite.read { try $0.value("SELECT anchor FROM vault").bytes ?? [] }
    #expect(old.keys.anchor.unseal(sealed, bound: old.store) == nil)
    let key = try await store.sqlite.read { try $0.value("SELECT key FROM person WHERE id = 1").bytes ?? [] }
    #expect(throws: ErrorReport.self) { try old.keys.dataKey(key, of: PersonRow.place(1, version: 2)) }
    await store.close()
    for key in [StoreFolder.passphrase, words("bob's words")] {
      let again = try await folder.open(key: key)
      #expect(try await again.people(0..<10).total == 2)
      await again.close()
    }
    // Ids of deleted data are still known, although only their tags are left.
    let again = try await folder.open()
    let number = try await again.begin(StoreSamples.intent(1))
    #expect(try await again.captured(number, ids: [StoreSamples.uuid(7)]).isEmpty)
    try await again.end(number, .captured)
    try await again.changeMasterKey()
    #expect(try await again.check(readsData: true).isEmpty)
    await again.close()
    await (try folder.open()).close()
  }

  @Test func `an interrupted key change leaves the store unchanged`() async throws {
    let store = try await filled()
    let before = try await all(store)
    let rows = Mutex(0)
    await #expect(throws: Interruption.self) {
      try await store.changeMasterKey { row in
        rows.withLock { $0 = row }
        if row == 40 { throw Interruption() }
      }
    }
    #expect(rows.withLock { $0 } == 40)
    for moment in [1, 2, 5, 9, 14, 20, 30] {
      await #expect(throws: Interruption.self) {
        try await store.changeMasterKey { if $0 == moment { throw Interruption() } }
      }
      #expect(try await all(store) == before)
    }
    await store.close()
    let again = try await folder.open(key: words("bob's words"))
    #expect(try await again.people(0..<10).total == 2)
    await again.close()
  }

  @Test(.timeLimit(.minutes(5))) func `a store that is locked during a key change stays locked`() async throws {
    let store = try await filled()
    try await store.changeMasterKey { row in
      guard row == 3 else { return }
      Task.detached { await store.lock() }
      while !store.isLocked { sched_yield() }
    }
    #expect(store.isLocked)
    await #expect(throws: VaultError.locked) { try await store.people(0..<9) }
    try await store.unlock(StoreFolder.passphrase)
    let last = try await store.auditEntries(1..<1000).suffix(3).map(\.event.action)
    #expect(last == [.masterKeyChanged, .locked, .unlocked])
    #expect(try await store.check(readsData: true).isEmpty)
    await store.close()
  }

  /// Copies the files of the store as a process killed now would leave them.
  private func copy(to place: String) throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: place, withIntermediateDirectories: true)
    for name in try manager.contentsOfDirectory(atPath: folder.path) where !name.hasSuffix("-shm") {
      try manager.copyItem(atPath: folder.path + "/" + name, toPath: place + "/" + name)
    }
  }

  @Test func `a process killed during a key change leaves an intact store`() async throws {
    let store = try await filled()
    // The small cache puts most changes into the log before the commit.
    try await store.sqlite.read { try $0.execute("PRAGMA cache_size = 2") }
    let before = try await all(store)
    let root = String(folder.path.dropLast("/store".count))
    let copies = Mutex(0)
    let (here, folder) = (self, folder)
    try await store.changeMasterKey { row in
      guard row % 4 == 1 else { return }
      try here.copy(to: root + "/killed\(row)")
      copies.withLock { $0 += 1 }
    }
    await store.close()
    #expect(copies.withLock { $0 } > 8)
    for name in try FileManager.default.contentsOfDirectory(atPath: root) where name.hasPrefix("killed") {
      let left = try await RecordStore.open(at: root + "/" + name, key: StoreFolder.passphrase, folder.options)
      #expect(try await all(left) == before, "\(name)")
      #expect(try await left.sqlite.read { try $0.value("SELECT epoch FROM vault").integer } == 0)
      await left.close()
    }
  }

  @Test func `another process must unlock the store again after a key change, and writes nothing before`() async throws
  {
    let store = try await filled()
    let other = try await folder.open(key: words("bob's words"))
    let item = try await other.item(1)
    try await store.changeMasterKey()
    await #expect(throws: VaultError.locked) { try await other.addPerson(Biography(), at: StoreFolder.time) }
    #expect(other.isLocked)
    try await other.unlock(words("bob's words"))
    #expect(try await other.item(1) == item)
    try await store.changeMasterKey()
    await #expect(throws: VaultError.locked) { try await other.recentSensors(for: .finger) }
    #expect(other.isLocked)
    #expect(try await store.check().isEmpty)
    await other.close()
    await store.close()
  }

  @Test func `only an administrator can change the master key, and only of an undamaged store`() async throws {
    let store = try await filled()
    await store.close()
    let bobs = try await folder.open(key: words("bob's words"))
    await #expect(throws: VaultRefusal.permission(.operator, .manageKeys)) { try await bobs.changeMasterKey() }
    await bobs.close()
    for sql in [
      "UPDATE audit SET body = zeroblob(length(body)) WHERE number = 3", "DELETE FROM item WHERE id = 2",
      "DELETE FROM audit WHERE number = 4", "UPDATE person SET key = zeroblob(72) WHERE id = 1",
    ] {
      let whole = try Data(contentsOf: URL(fileURLWithPath: folder.database))
      try await folder.tamper { try $0.execute(sql) }
      let store = try await folder.open()
      let error = await #expect(throws: ErrorReport.self, "\(sql)") { try await store.changeMasterKey() }
      #expect(error?.report.code == "wsabi.store-damaged")
      await store.close()
      try whole.write(to: URL(fileURLWithPath: folder.database))
    }
    await (try folder.open()).close()
  }

  @Test func `a user of an older store must open it before the master key is changed`()
    async throws
  {
    let store = try await folder.create()
    let vault = try store.opened()
    // The slot of the first form: the key of the store itself under the user's own.
    let stretching = StoreFolder.fast
    try await store.sqlite.write { connection in
      let header = try #require(try Header(connection))
      let own = try VaultKey.stretched(Array("old words".utf8), salt: header.salt, stretching)
      try connection.execute("INSERT INTO user (id, version, body) VALUES (2, 1, ?)", [Self.oldRow(vault.keys)])
      var content = vault.keys.master.withBytes { Array(UnsafeBufferPointer(start: $0, count: 32)) }
      content += [2, 0, 0, 0, 0, 0, 0, 0]
      try connection.execute(
        "INSERT INTO slot (id, user, kind, body) VALUES (2, 2, 1, ?)",
        [own.seal(content, bound: header.bound(slot: 2, kind: 1))])
      var anchor = try Header.anchor(connection, vault)
      anchor.toggle(UserRow.place(2, version: 1), vault.keys)
      try Header.setAnchor(anchor, connection, vault)
    }
    await #expect(throws: VaultError.keyOfOlderStore(user: 2)) { try await store.changeMasterKey() }
    let theirs = try await folder.open(key: words("old words"))
    #expect(theirs.user == StoreUser(id: 2, name: "olga", role: .reviewer))
    #expect(try await theirs.check().isEmpty)
    await theirs.close()
    try await store.changeMasterKey()
    await store.close()
    await (try folder.open(key: words("old words"))).close()
    await (try folder.open()).close()
  }

  private static func oldRow(_ keys: VaultKeys) -> [UInt8] {
    var writer = ByteWriter(form: 1)
    writer.put("olga")
    writer.put(Role.reviewer.rawValue)
    return keys.users.seal(writer.bytes, bound: UserRow.place(2, version: 1).part(.body))
  }
}
