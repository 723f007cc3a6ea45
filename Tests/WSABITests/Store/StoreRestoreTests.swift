import Foundation
import PluginAPI
import PluginStore
import PluginVault
import Testing

@testable import WSABI

/// Backups restored over a store: the permission, and the entries in the audit log.
struct StoreRestoreTests {
  private let folder: StoreFolder
  private static let operatorKey = VaultKeySource.passphrase(Array("operator of the station".utf8))

  init() throws { folder = try StoreFolder() }

  private var backup: String { folder.path + ".backup" }

  /// Returns a store with a backup that has one person and a user, and later changes: the user was removed, a person
  /// added and exported.
  private func rolledForward() async throws -> (store: RecordStore, before: AuditHead, after: AuditHead) {
    let store = try await folder.create()
    _ = try await store.samplePerson("Ada")
    let user = try await store.addUser("ben", .operator, key: Self.operatorKey)
    try await store.backup(to: backup)
    let before = try await store.auditHead()
    try await store.removeUser(user.id)
    let item = try await store.samplePerson("Bob")
    try await store.append(AuditEvent(.exported, person: item.person, outcome: "done"))
    return (store, before, try await store.auditHead())
  }

  private func people(_ store: RecordStore) async throws -> Int { try await store.people(0..<10).rows.count }

  @Test func `a restore requires the key of the store's administrator`() async throws {
    defer { unlink(backup) }
    let (store, _, after) = try await rolledForward()
    _ = try await store.addUser("eve", .operator, key: .passphrase(Array("operator since".utf8)))
    let count = try await store.auditCount()
    for isLocked in [false, true] {
      if isLocked { await store.lock() }
      await #expect(throws: VaultError.restoreNeedsKey(path: backup)) { try await store.restore(from: backup) }
    }
    await #expect(throws: VaultError.wrongKey) {
      _ = try await store.restore(from: backup, provenBy: .passphrase(Array("no key of anybody".utf8)))
    }
    // The key of a removed user opens only the backup.
    await #expect(throws: VaultError.wrongKey) {
      _ = try await store.restore(from: backup, provenBy: Self.operatorKey)
    }
    await #expect(throws: VaultRefusal.permission(.operator, .manageKeys)) {
      _ = try await store.restore(from: backup, provenBy: .passphrase(Array("operator since".utf8)))
    }
    try await store.unlock(StoreFolder.passphrase)
    #expect(try await people(store) == 2)
    #expect(try await store.contains(after))
    let log = try await store.auditEntries(count..<Int.max).map(\.event)
    #expect(log.contains { $0.action == .permissionRefused && $0.outcome == "manageKeys" })
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.contains("restored") })
    await store.close()
  }

  @Test func `a restore brings the records back, and the log continues`() async throws {
    defer { unlink(backup) }
    let (store, before, after) = try await rolledForward()
    let restoration = try await store.restore(from: backup, provenBy: StoreFolder.passphrase)
    #expect(restoration.continuesLog && restoration.returned.map(\.name) == ["ben"])
    #expect(store.isLocked)
    try await store.unlock(StoreFolder.passphrase)
    #expect(try await people(store) == 1)
    #expect(try await store.verifyAudit().isWhole)
    for head in [before, after] { #expect(try await store.contains(head)) }
    let log = try await store.auditEntries(after.number + 1..<Int.max).map(\.event)
    #expect(log.first == AuditEvent(.restored, outcome: "as of entry \(before.number)"))
    #expect(restoration.entries == after.number + 1)
    #expect(try await store.check(readsData: true).isEmpty)
    // A number that the log uses for another person is not issued again.
    let next = try await store.samplePerson("Carl")
    #expect(next.person == 3)
    await store.close()
  }

  @Test func `the log continues after a restore even if the master key was changed since the backup`() async throws {
    defer { unlink(backup) }
    let (store, _, after) = try await rolledForward()
    try await store.changeMasterKey()
    let restoration = try await store.restore(from: backup, provenBy: StoreFolder.passphrase)
    #expect(restoration.continuesLog && restoration.entries == after.number + 2)
    try await store.unlock(StoreFolder.passphrase)
    #expect(try await store.verifyAudit().isWhole)
    let log = try await store.auditEntries(1..<Int.max).map(\.event.action)
    #expect(log.contains(.userRemoved) && log.contains(.masterKeyChanged) && log.contains(.restored))
    await store.close()
  }

  @Test func `a restore does not hide earlier tampering with the log`() async throws {
    defer { unlink(backup) }
    let store = try await rolledForward().store
    await store.close()
    try await folder.tamper { try $0.execute("DELETE FROM audit WHERE number = 3") }
    let again = try await folder.open()
    #expect(try await again.restore(from: backup, provenBy: StoreFolder.passphrase).continuesLog)
    try await again.unlock(StoreFolder.passphrase)
    #expect(try await again.verifyAudit().firstBad?.number == 3)
    await again.close()
  }

  @Test func `the backup's administrator can restore it if the store is unreadable or missing`() async throws {
    defer { unlink(backup) }
    let store = try await rolledForward().store
    await store.close()
    for isThere in [true, false] {
      for suffix in ["", "-wal", "-shm"] { unlink(folder.database + suffix) }
      if isThere { try Data(repeating: 0x5A, count: 20_000).write(to: URL(fileURLWithPath: folder.database)) }
      let next = RecordStore(folder: folder.path, folder.options)
      if isThere {
        await #expect(throws: VaultError.restoreNeedsKey(path: backup)) { try await next.restore(from: backup) }
      }
      await #expect(throws: VaultRefusal.permission(.operator, .manageKeys)) {
        _ = try await next.restore(from: backup, provenBy: Self.operatorKey)
      }
      let restoration = try await next.restore(from: backup, provenBy: StoreFolder.passphrase)
      #expect(!restoration.continuesLog && restoration.returned.isEmpty)
      try await next.unlock(StoreFolder.passphrase)
      let log = try await next.auditEntries(restoration.entries..<restoration.entries + 1).map(\.event)
      #expect(log.map(\.action) == [.restored])
      #expect(log.map(\.outcome) == [isThere ? "log before: unreadable" : "no log before"])
      #expect(try await people(next) == 1)
      #expect(try await next.verifyAudit().isWhole)
      await next.close()
    }
  }

  @Test func `a backup that the administrator's key does not open changes nothing`() async throws {
    defer { unlink(backup) }
    let other = try StoreFolder()
    let foreign = try await other.create(key: .passphrase([1, 2, 3]))
    try await foreign.backup(to: backup)
    await foreign.close()
    let store = try await folder.create()
    _ = try await store.samplePerson()
    await #expect(throws: VaultError.backupOfOtherKey(path: backup)) {
      _ = try await store.restore(from: backup, provenBy: StoreFolder.passphrase)
    }
    #expect(try await people(store) == 1 && !store.isLocked)
    await store.close()
  }
}
