import Foundation
import PluginAPI
import PluginStore
import Testing

@testable import WSABI

struct StoreBackupTests {
  private let folder: StoreFolder
  private let other: StoreFolder

  init() throws { (folder, other) = (try StoreFolder(), try StoreFolder()) }

  private var backup: String { folder.path + ".backup" }

  @Test func `a backup is one complete file, made without a key and opened with the store's key`()
    async throws
  {
    defer { unlink(backup) }
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let (small, large) = (StoreSamples.data(1000), StoreSamples.data(2_500_000))
    try await store.sampleCapture(item.id, StoreSamples.uuid(1), small)
    try await store.sampleCapture(item.id, StoreSamples.uuid(2), large)
    await store.lock()
    try await store.backup(to: backup)
    let left = try FileManager.default.contentsOfDirectory(atPath: (backup as NSString).deletingLastPathComponent)
    #expect(!left.contains { $0.contains("partial") })
    // No write-ahead log: it can be read from a medium that cannot be written (SQLite, "Database File Format", 1.3.3).
    #expect(try Array(Data(contentsOf: URL(fileURLWithPath: backup))[18..<20]) == [1, 1])
    await #expect(throws: StoreError.fileExists(path: backup)) { try await store.backup(to: backup) }
    await store.close()
    let copy = try await other.create()
    let lost = try await copy.samplePerson("Bob")
    try await copy.sampleCapture(lost.id, StoreSamples.uuid(9), StoreSamples.data(400_000))
    #expect(try await copy.restore(from: backup, provenBy: StoreFolder.passphrase).continuesLog)
    #expect(copy.isLocked)
    try await copy.unlock(StoreFolder.passphrase)
    #expect(try await copy.item(item.id).capture?.sizeInBytes == large.count)
    let captures = try await copy.captures(of: item.id)
    #expect(try await copy.data(of: captures[0]) == large)
    #expect(try await copy.data(of: captures[1]) == small)
    #expect(try await copy.check(readsData: true).isEmpty)
    #expect(try await copy.verifyAudit().isWhole)
    #expect(try other.files().filter { $0.name.isCapture }.count == 1)
    #expect(try await copy.sqlite.read { try $0.value("SELECT count(*) FROM piece").integer } == 0)
    await copy.close()
  }

  @Test func `files contained in a restored backup are created when the store is next opened`() async throws {
    defer { unlink(backup) }
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let data = StoreSamples.data(300_000)
    let record = try await store.sampleCapture(item.id, StoreSamples.uuid(1), data)
    try await store.backup(to: backup)
    await store.close()
    // As if the process had ended once the database was in place.
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: backup, toPath: folder.database)
    let again = try await folder.open()
    #expect(try await again.data(of: record) == data)
    #expect(try await again.check(readsData: true).isEmpty)
    await again.close()
  }

  @Test func `a file that two processes unpack is created once`() async throws {
    defer { unlink(backup) }
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let data = StoreSamples.data(300_000)
    let record = try await store.sampleCapture(item.id, StoreSamples.uuid(1), data)
    try await store.backup(to: backup)
    _ = try await store.restore(from: backup, provenBy: StoreFolder.passphrase)
    try await store.unlock(StoreFolder.passphrase)
    // The list of a process that read before the other was done.
    try await store.unpack([try #require(store.files.all().first)])
    #expect(try await store.data(of: record) == data)
    await store.close()
  }

  @Test func `a file that is not a backup changes nothing`() async throws {
    defer { unlink(backup) }
    let store = try await folder.create()
    let item = try await store.samplePerson()
    try Data("no backup of anything, and longer than a header is".utf8).write(to: URL(fileURLWithPath: backup))
    await #expect(throws: StoreError.self) {
      _ = try await store.restore(from: backup, provenBy: StoreFolder.passphrase)
    }
    #expect(try await store.item(item.id) == item)
    #expect(!store.isLocked)
    await store.close()
  }

  @Test func `a locked store is checked as far as possible without a key`() async throws {
    let store = try await folder.create()
    _ = try await store.samplePerson()
    await store.lock()
    #expect(try await store.check().isEmpty)
    #expect(store.schemaVersion == 10)
    await store.close()
  }
}
