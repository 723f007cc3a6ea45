import Foundation
import PluginAPI
import PluginStore
import PluginVault
import Synchronization
import Testing

@testable import WSABI

/// Locks of sensors in the store: their holders, and their release.
struct StoredLockTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func lock(_ number: Int = 1, _ host: String = "held-desk") -> HeldLock {
    var address = SensorAddress(text: "http://\(host):8000/Service", host: host, port: 8000, isSecure: false)
    address.trust.pins = ["sha256//held-pin"]
    return HeldLock(address: address, session: StoreSamples.uuid(number))
  }

  private func rows(_ store: RecordStore) async throws -> Int? {
    try await store.sqlite.read { try $0.value("SELECT count(*) FROM held").integer }
  }

  private func numbers(_ store: RecordStore) async throws -> [Int] {
    try await store.sqlite.read { try $0.list("SELECT id FROM held ORDER BY id") { $0.integer(0) } }
  }

  @Test func `the lock of a dead process is found unchanged by one other process`() async throws {
    let first = try await folder.create()
    try await first.willLock(lock())
    let (second, third) = (try await folder.open(), try await folder.open())
    // A running process releases its own locks.
    for store in [first, second] { #expect(try await store.leftLocks(at: nil).isEmpty) }
    await first.close()
    let left = try await second.leftLocks(at: nil)
    #expect(left.map(\.lock) == [lock()] && left.map(\.asked) == [folder.clock.withLock { $0 }])
    #expect(try await third.leftLocks(at: nil).isEmpty)
    #expect(try await second.leftLocks(at: lock().address).count == 1)
    #expect(try await second.leftLocks(at: lock(1, "other").address).isEmpty)
    // A process that dies before the release leaves the lock to the next.
    await second.close()
    #expect(try await third.leftLocks(at: nil) == left)
    try await third.gaveBack(try #require(left.first))
    await third.close()
    let last = try await folder.open()
    #expect(try await last.leftLocks(at: nil).isEmpty)
    let told = try await last.auditEntries(1..<Int.max).map(\.event).filter { $0.action == .lockGivenBack }
    #expect(told.map(\.address) == [lock().address.text] && told.map(\.session) == [lock().session])
    await last.close()
  }

  @Test func `locks that could not be released become available again, all of a process together`() async throws {
    let first = try await folder.create()
    for number in 1...2 { try await first.willLock(lock(number)) }
    let (second, third) = (try await folder.open(), try await folder.open())
    await first.close()
    let left = try await second.leftLocks(at: nil)
    #expect(left.count == 2)
    await second.leave(left[0], wasTried: true)
    // Its other lock is still handled.
    #expect(try await third.leftLocks(at: nil).isEmpty)
    try await second.gaveBack(left[1])
    #expect(try await third.leftLocks(at: nil) == [left[0]])
    #expect(try await second.leftLocks(at: nil).isEmpty)
    await third.leave(left[0], wasTried: false)
    #expect(try await second.leftLocks(at: nil) == [left[0]])
    for store in [second, third] { await store.close() }
  }

  @Test func `a lock that no sensor released for a day is forgotten and logged`() async throws {
    let first = try await folder.create()
    try await first.willLock(lock())
    await first.close()
    let second = try await folder.open()
    let day = LeftLock.longestLifeInSeconds
    let asked = folder.clock.withLock { $0 }
    func left(afterSeconds seconds: Double) async throws -> LeftLock? {
      folder.clock.withLock { $0 = Instant(seconds: asked.seconds + Int64(seconds)) }
      return try await second.leftLocks(at: nil).first
    }
    let early = try #require(try await left(afterSeconds: day - 1))
    #expect(await !second.leave(early, wasTried: true))
    let untried = try #require(try await left(afterSeconds: day + 60))
    await second.leave(untried, wasTried: false)
    let late = try #require(try await left(afterSeconds: day + 61))
    #expect(await second.leave(late, wasTried: true))
    #expect(try await left(afterSeconds: day + 62) == nil)
    #expect(try await rows(second) == 0)
    let told = try await second.auditEntries(1..<Int.max).map(\.event).filter { $0.action == .lockForgotten }
    #expect(told.map(\.session) == [lock().session])
    await second.close()
  }

  @Test func `requesting a lock again after hours updates its record and its age`() async throws {
    let first = try await folder.create()
    try await first.willLock(lock())
    folder.wait(seconds: 1800)
    try await first.willLock(lock())
    folder.wait(seconds: 7200)
    try await first.willLock(lock())
    let asked = folder.clock.withLock { $0 }
    #expect(try await rows(first) == 1)
    await first.close()
    let second = try await folder.open()
    #expect(try await second.leftLocks(at: nil).map(\.asked) == [asked])
    await second.close()
  }

  @Test func `two tasks of a process may handle a row, and the last one releases it`() async throws {
    let first = try await folder.create()
    try await first.willLock(lock())
    let (second, third) = (try await folder.open(), try await folder.open())
    await first.close()
    let left = try #require(try await second.leftLocks(at: nil).first)
    #expect(try await second.leftLocks(at: lock().address) == [left])
    await second.leave(left, wasTried: false)
    #expect(try await third.leftLocks(at: nil).isEmpty)
    await second.leave(left, wasTried: true)
    #expect(try await third.leftLocks(at: nil) == [left])
    // A lock released by another process is reported once.
    try await third.gaveBack(left)
    try await second.gaveBack(left)
    let told = try await second.auditEntries(1..<Int.max).map(\.event).filter { $0.action == .lockGivenBack }
    #expect(told.count == 1)
    for store in [second, third] { await store.close() }
  }

  @Test func `a damaged row does not hide others`() async throws {
    let first = try await folder.create()
    for number in 1...2 { try await first.willLock(lock(number)) }
    await first.close()
    try await folder.tamper { try $0.execute("UPDATE held SET body = zeroblob(60) WHERE id = 1") }
    let second = try await folder.open()
    #expect(try await second.leftLocks(at: nil).map(\.lock) == [lock(2)])
    #expect(try await second.check(readsData: true).map(\.code) == ["wsabi.store-damaged"])
    await second.close()
  }

  @Test func `no file reveals the sensor or the session of a lock`() async throws {
    let store = try await folder.create()
    try await store.willLock(lock())
    #expect(try folder.files(with: "held-desk").isEmpty && folder.files(with: "held-pin").isEmpty)
    #expect(try folder.files(with: lock().session.text).isEmpty && folder.files(with: lock().session.key).isEmpty)
    #expect(try await store.check(readsData: true).isEmpty)
    await store.close()
    try await folder.tamper { try $0.execute("UPDATE held SET holder = holder + 1") }
    let again = try await folder.open()
    #expect(try await again.check(readsData: true).map(\.code) == ["wsabi.store-damaged"])
    await again.close()
  }

  @Test func `records of free locks are removed, and records of requested locks remain`() async throws {
    let store = try await folder.create()
    try await store.willLock(lock(1))
    try await store.willLock(lock(2))
    try await store.willLock(lock(2))
    #expect(try await rows(store) == 2)
    store.didUnlock(lock(1))
    await store.settleLocks()
    #expect(try await rows(store) == 1)
    // A lock that was not written down is already free.
    store.didUnlock(lock(1))
    await store.settleLocks()
    try await store.willLock(lock(1))
    #expect(try await rows(store) == 2)
    await store.close()
  }

  @Test func `a lock that is taken repeatedly is recorded once`() async throws {
    let store = try await folder.create()
    try await store.willLock(lock())
    let written = try await numbers(store)
    for _ in 1...3 {
      store.didUnlock(lock())
      #expect(try await numbers(store) == written)
      try await store.willLock(lock())
    }
    #expect(try await numbers(store) == written)
    store.didUnlock(lock())
    await store.settleLocks()
    #expect(try await rows(store) == 0)
    await store.close()
  }

  @Test func `the record of a lock that is not taken again is removed automatically`() async throws {
    let locks = HeldLocks(folder: folder.path, rest: .milliseconds(20))
    let (gone, tell) = AsyncStream.makeStream(of: Int.self)
    @Sendable func write() async {
      while let rows = locks.takeFree(write) { for row in rows.values { tell.yield(row.number) } }
    }
    for number in 1...3 { locks.add(lock(number), number, written: Instant(seconds: 0)) }
    for number in 1...2 { locks.free(lock(number), write) }
    #expect(locks.kept(lock(2))?.number == 2)
    var told = gone.makeAsyncIterator()
    #expect(await told.next() == 1)
    locks.free(lock(2), write)
    #expect(await told.next() == 2)
    #expect(locks.kept(lock(3))?.number == 3 && locks.kept(lock(1)) == nil)
  }

  @Test func `many concurrent locks share transactions`() async throws {
    let changes = Mutex(0)
    var options = folder.options
    options.onChange = { _ in changes.withLock { $0 += 1 } }
    let store = try await RecordStore.create(at: folder.path, key: StoreFolder.passphrase, user: "anna", options)
    await withTaskGroup(of: Void.self) { group in
      for number in 1...256 { group.addTask { try? await store.willLock(lock(number)) } }
    }
    #expect(try await rows(store) == 256)
    for number in 1...256 { store.didUnlock(lock(number)) }
    await store.settleLocks()
    #expect(try await rows(store) == 0)
    // Observers of records are not notified.
    #expect(changes.withLock { $0 } <= 1)
    await store.close()
  }

  @Test func `a lock outlives its item and its person`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    try await store.willLock(lock())
    try await store.deleteItem(item.id)
    try await store.deletePerson(item.person)
    #expect(try await rows(store) == 1)
    await store.close()
  }

  @Test func `a backup contains no locks`() async throws {
    let backup = folder.path + "-backup"
    defer { unlink(backup) }
    let store = try await folder.create()
    try await store.willLock(lock())
    try await store.backup(to: backup)
    #expect(try await rows(store) == 1)
    let copy = SQLiteStore(name: "copy", path: backup, migrations: RecordMigrations.all)
    #expect(try await copy.read { try $0.value("SELECT count(*) FROM held").integer } == 0)
    await copy.close()
    await store.close()
  }

  @Test func `a copy of a store releases no locks that may be held`() async throws {
    let first = try await folder.create()
    try await first.willLock(lock())
    await first.close()
    // The file stays as it was, so that the next one is certainly another.
    let claimed = folder.path + "/holding"
    #expect(rename(claimed, claimed + "-first") == 0)
    let copy = try await folder.open()
    #expect(try await copy.leftLocks(at: nil).isEmpty)
    await copy.close()
    #expect(rename(claimed + "-first", claimed) == 0)
    let again = try await folder.open()
    #expect(try await again.leftLocks(at: nil).map(\.lock) == [lock()])
    await again.close()
  }

  @Test func `locks recorded before a restore can be released after it`() async throws {
    let backup = folder.path + "-backup"
    defer { unlink(backup) }
    let store = try await folder.create()
    try await store.willLock(lock())
    try await store.backup(to: backup)
    _ = try await store.restore(from: backup, provenBy: StoreFolder.passphrase)
    try await store.unlock(StoreFolder.passphrase)
    #expect(try await rows(store) == 1)
    try await store.willLock(lock())
    #expect(try await rows(store) == 1)
    await store.close()
    let again = try await folder.open()
    #expect(try await again.leftLocks(at: nil).count == 1)
    await again.close()
  }

  @Test func `a user who may not use sensors gets no locks to release, and no refusal is logged`() async throws {
    let store = try await folder.create()
    _ = try await store.addUser("eve", .reviewer, key: .passphrase([1, 2, 3]))
    try await store.willLock(lock())
    await store.close()
    let eve = try await RecordStore.open(at: folder.path, key: .passphrase([1, 2, 3]), folder.options)
    #expect(try await eve.leftLocks(at: nil).isEmpty)
    await eve.close()
    let again = try await folder.open()
    #expect(try await again.leftLocks(at: nil).count == 1)
    let told = try await again.auditEntries(1..<Int.max).map(\.event.action)
    #expect(!told.contains(.permissionRefused))
    await again.close()
  }

  @Test func `a lock is found after the master key is changed`() async throws {
    let store = try await folder.create()
    try await store.willLock(lock())
    try await store.changeMasterKey()
    await store.close()
    let again = try await folder.open()
    #expect(try await again.leftLocks(at: nil).map(\.lock) == [lock()])
    await again.close()
  }

  @Test func `a locked store accepts lock calls and records nothing`() async throws {
    let store = try await folder.create()
    await store.lock()
    try await store.willLock(lock())
    #expect(try await store.leftLocks(at: nil).isEmpty)
    try await store.unlock(StoreFolder.passphrase)
    #expect(try await rows(store) == 0)
    await store.close()
  }
}
