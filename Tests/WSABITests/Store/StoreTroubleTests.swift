import Foundation
import PluginAPI
import PluginStore
import Synchronization
import Testing

@testable import WSABI

/// Case 49: a disk that is full, a database that is in use, a folder that cannot be written.
struct StoreTroubleTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  /// Lets the database grow no further, as a full disk does.
  private func fill(_ store: RecordStore) async throws {
    try await store.sqlite.read { connection in
      let count = try connection.value("PRAGMA page_count").integer ?? 0
      try connection.execute("PRAGMA max_page_count = \(count)")
    }
  }

  private func free(_ store: RecordStore) async throws {
    try await store.sqlite.read { try $0.execute("PRAGMA max_page_count = 1000000") }
  }

  @Test(arguments: [200_000, 700_000])
  func `data that did not fit on a full disk is stored once there is space`(
    _ size: Int
  ) async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    let id = StoreSamples.uuid(1)
    try await store.captured(number, ids: [id])
    let data = StoreSamples.data(size)
    let sink = try await store.sink(number, id)
    try data.withUnsafeBytes { try sink.write($0) }
    try await fill(store)
    // A small row may fit into an existing page.
    for size in [3000, 300, 1] {
      let error = await #expect(throws: StoreError.self) {
        for _ in 0..<200 {
          try await store.append(AuditEvent(.sensorUsed, address: String(repeating: "x", count: size)))
        }
      }
      #expect(error?.report.code == "store.disk-full")
    }
    let error = await #expect(throws: StoreError.self) {
      // Twice, so that it is not the first that was to fail.
      for _ in 0..<2 { _ = try await store.keep(number, sink, StoreSamples.download(id)) }
    }
    #expect(error?.report.code == "store.disk-full")
    #expect(try await store.unfinished().map(\.waiting) == [[id]])
    // Records are not read if the audit log cannot record it.
    let unread = await #expect(throws: StoreError.self) { try await store.person(item.person) }
    #expect(unread?.report.code == "store.disk-full")
    try await free(store)
    #expect(try await store.captures(of: item.id).isEmpty)
    let record = try await store.keep(number, sink, StoreSamples.download(id))
    #expect(try await store.data(of: record) == data)
    #expect(try await store.check(readsData: true).isEmpty)
    #expect(try await store.verifyAudit().isWhole)
    await store.close()
  }

  @Test func `49: a read-only store reports that nothing is stored, and stores all once writable`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    let id = StoreSamples.uuid(1)
    // As SQLite responds on a file system that was remounted read-only; file modes do not restrict an administrator.
    try await store.sqlite.read { try $0.execute("PRAGMA query_only = 1") }
    let ids = await #expect(throws: StoreError.self) { try await store.captured(number, ids: [id]) }
    #expect(ids?.report.code == "store.read-only")
    try await store.sqlite.read { try $0.execute("PRAGMA query_only = 0") }
    try await store.captured(number, ids: [id])
    let data = StoreSamples.data(20_000)
    let sink = try await store.sink(number, id)
    try data.withUnsafeBytes { try sink.write($0) }
    try await store.sqlite.read { try $0.execute("PRAGMA query_only = 1") }
    for _ in 0..<2 {
      let kept = await #expect(throws: StoreError.self) {
        _ = try await store.keep(number, sink, StoreSamples.download(id))
      }
      #expect(kept?.report.code == "store.read-only")
    }
    #expect(try await store.unfinished().map(\.waiting) == [[id]])
    try await store.sqlite.read { try $0.execute("PRAGMA query_only = 0") }
    #expect(try await store.captures(of: item.id).isEmpty)
    let record = try await store.keep(number, sink, StoreSamples.download(id))
    #expect(try await store.data(of: record) == data)
    #expect(try await store.verifyAudit().isWhole)
    await store.close()
  }

  @Test func `space for one response of a sensor is reserved on a full disk`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    let reserve = folder.path + "/captures/reserve"
    #expect(try folder.files().first { $0.name == "captures/reserve" }?.content.count == CaptureFolder.reserveInBytes)
    try await fill(store)
    await #expect(throws: StoreError.self) {
      for _ in 0..<200 {
        try await store.append(AuditEvent(.sensorUsed, address: String(repeating: "x", count: 300)))
      }
    }
    #expect(FileManager.default.fileExists(atPath: reserve))
    // Unlike on a real disk, the database of this test does not grow into the space; it is given up nevertheless.
    let ids = (0..<100).map(StoreSamples.uuid)
    let error = await #expect(throws: StoreError.self) { try await store.captured(number, ids: ids) }
    #expect(error?.report.code == "store.disk-full")
    #expect(!FileManager.default.fileExists(atPath: reserve))
    try await free(store)
    try await store.captured(number, ids: ids)
    #expect(try await store.unfinished().map(\.waiting.count) == [100])
    await store.lock()
    try await store.unlock(StoreFolder.passphrase)
    #expect(FileManager.default.fileExists(atPath: reserve))
    await store.close()
  }

  @Test func `a file that cannot be created is reported, and the download can restart`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    let id = StoreSamples.uuid(1)
    try await store.captured(number, ids: [id])
    let incoming = folder.path + "/captures/incoming"
    try FileManager.default.removeItem(atPath: incoming)
    try Data().write(to: URL(fileURLWithPath: incoming))
    let data = StoreSamples.data(700_000)
    let sink = try await store.sink(number, id)
    let error = #expect(throws: ErrorReport.self) { try data.withUnsafeBytes { try sink.write($0) } }
    #expect(error?.report.code == "wsabi.capture-file")
    // It stays so permanently.
    #expect(throws: ErrorReport.self) { try [1].withUnsafeBytes { try sink.write($0) } }
    await #expect(throws: ErrorReport.self) { try await store.keep(number, sink, StoreSamples.download(id)) }
    try FileManager.default.removeItem(atPath: incoming)
    let again = try await store.sink(number, id)
    try data.withUnsafeBytes { try again.write($0) }
    let record = try await store.keep(number, again, StoreSamples.download(id))
    #expect(try await store.data(of: record) == data)
    await store.close()
  }

  @Test func `the end of a large file is written once a full disk has space again`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    let id = StoreSamples.uuid(1)
    try await store.captured(number, ids: [id])
    // Room for two pieces and a part of the third, and then none.
    let room = Mutex(2 * CaptureWriter.pieceSize + 1000)
    let sink = CaptureSink(store.files) { descriptor, bytes, count in
      let count = room.withLock { room in
        defer { room -= min(count, room) }
        return min(count, room)
      }
      if count > 0 { return write(descriptor, bytes, count) }
      errno = ENOSPC
      return -1
    }
    let data = StoreSamples.data(700_000)
    try data.withUnsafeBytes { try sink.write($0) }
    for _ in 0..<3 {
      let error = await #expect(throws: ErrorReport.self) {
        _ = try await store.keep(number, sink, StoreSamples.download(id))
      }
      #expect(error?.report.code == "wsabi.disk-full")
    }
    #expect(try await store.unfinished().map(\.waiting) == [[id]])
    room.withLock { $0 = 500 }
    await #expect(throws: ErrorReport.self) { try await store.keep(number, sink, StoreSamples.download(id)) }
    room.withLock { $0 = 1 << 20 }
    let record = try await store.keep(number, sink, StoreSamples.download(id))
    #expect(try await store.data(of: record) == data)
    #expect(try await store.check(readsData: true).isEmpty)
    await store.close()
  }

  @Test func `a removed file is not stored, whatever was written to it`() async throws {
    let store = try await folder.create()
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    let id = StoreSamples.uuid(1)
    try await store.captured(number, ids: [id])
    let sink = try await store.sink(number, id)
    try StoreSamples.data(700_000).withUnsafeBytes { try sink.write($0) }
    let name = try #require(store.files.leftovers().first)
    // Its writer holds it, so it does not count as a leftover.
    #expect(store.files.taken(name) == nil)
    unlink(store.files.draft(name))
    let error = await #expect(throws: ErrorReport.self) {
      _ = try await store.keep(number, sink, StoreSamples.download(id))
    }
    #expect(error?.report.code == "wsabi.capture-file")
    #expect(try await store.unfinished().map(\.waiting) == [[id]])
    #expect(try await store.captures(of: item.id).isEmpty)
    await store.close()
  }

  @Test func `a database in use is reported, and the change is made when it is free`() async throws {
    var options = folder.options
    options.lockTimeoutInSeconds = 0.05
    let store = try await RecordStore.create(at: folder.path, key: StoreFolder.passphrase, options)
    let item = try await store.samplePerson()
    let number = try await store.begin(StoreSamples.intent(item.id))
    let other = SQLiteStore(name: "other", path: folder.database, migrations: RecordMigrations.all)
    let error = try await other.write { connection in
      try connection.execute("UPDATE item SET place = place")
      return codeOfError { try await store.captured(number, ids: [StoreSamples.uuid(1)]) }
    }
    #expect(error == "store.locked")
    #expect(try await store.unfinished().map(\.waiting) == [[]])
    try await store.captured(number, ids: [StoreSamples.uuid(1)])
    #expect(try await store.unfinished().map(\.waiting) == [[StoreSamples.uuid(1)]])
    await other.close()
    await store.close()
  }

  @Test func `processes that share a store see each other's changes`() async throws {
    let first = try await folder.create()
    let second = try await folder.open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        let store = number % 2 == 0 ? first : second
        group.addTask { _ = try await store.samplePerson("P\(number)") }
      }
      try await group.waitForAll()
    }
    for store in [first, second] {
      #expect(try await store.people(0..<100).rows.count == 40)
      #expect(try await store.people(0..<100, matching: "p3").total == 11)
      #expect(try await store.check().isEmpty)
      #expect(try await store.verifyAudit().isWhole)
      await store.close()
    }
  }
}

/// Returns the code of the error of something awaited, from a thread that waits for it.
private func codeOfError(_ body: @escaping @Sendable () async throws -> Void) -> String {
  let done = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var code = ""
  Task.detached {
    do { try await body() } catch { code = (error as? any ReportableError)?.report.code ?? "\(error)" }
    done.signal()
  }
  done.wait()
  return code
}
