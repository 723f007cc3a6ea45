import Foundation
import PluginAPI
import PluginStore
import Synchronization
import Testing

@testable import OpenBIS
@testable import OpenBISSimulator

@Suite struct EntityStoreFileTests {
  let folder = CacheFolder()

  private func fill(_ count: Int = 2000) async throws {
    let store = folder.store()
    try await store.take((0..<count).map { EntityRow("n\($0)", "Header \($0)", children: ["n\($0 + 1)"]) })
    await store.close()
  }

  /// Overwrites a part of the cache's file.
  private func damage(from start: Int, count: Int) throws {
    let file = try #require(FileHandle(forUpdatingAtPath: folder.file))
    defer { try? file.close() }
    try file.seek(toOffset: UInt64(start))
    try file.write(contentsOf: Data(repeating: 0xA5, count: count))
  }

  private func exists(_ end: String) -> Bool { FileManager.default.fileExists(atPath: folder.file + end) }

  @Test func `case 51: a file that is not a database is set aside and rebuilt`() async throws {
    try Data("this is not a database, it is a text of some length".utf8).write(to: URL(filePath: folder.file))
    let store = folder.store()
    await #expect(throws: EntityStoreError.cacheRebuilt(path: folder.file, damaged: folder.file + ".damaged-1")) {
      try await store.entity("A")
    }
    #expect(store.warnings.map(\.code) == ["openbis.cache-rebuilt"])
    #expect(exists(".damaged-1"))
    try await store.take([EntityRow("A", "a")])
    #expect(try await store.entity("A") != nil)
    await store.close()
  }

  @Test func `case 51: damage found while writing or reading resets the cache once`() async throws {
    try await fill()
    // All pages after the first one, which describes the tables.
    let size = try FileManager.default.attributesOfItem(atPath: folder.file)[.size] as? Int ?? 0
    try damage(from: 4096, count: size - 4096)
    let store = folder.store()
    await #expect(throws: ErrorReport.self) { try await store.take([EntityRow("n5", "other")]) }
    #expect(exists(".damaged-1") && !exists(".damaged-2"))
    #expect(try await store.entity("n5") == nil)
    #expect(try await store.take([EntityRow("n5", "other")]).added == 1)
    #expect(try await store.check().map(\.code) == ["openbis.cache-rebuilt"])
    await store.close()
    try Data("no database again, and a second time".utf8).write(to: URL(filePath: folder.file))
    let again = folder.store()
    await #expect(throws: ErrorReport.self) { try await again.entity("n5") }
    #expect(exists(".damaged-2"))
    await again.close()
  }

  @Test func `case 51: damage found by several readers at once resets the cache once`() async throws {
    try Data("this is not a database, it is a text of some length".utf8).write(to: URL(filePath: folder.file))
    let store = folder.store()
    let codes = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          do {
            _ = try await store.entity("A")
            return nil
          } catch {
            return (error as? ErrorReport)?.code ?? "\(error)"
          }
        }
      }
      return await group.reduce(into: Set<String>()) { if let code = $1 { $0.insert(code) } }
    }
    #expect(codes == ["openbis.cache-rebuilt"])
    #expect(store.warnings.count == 1)
    #expect(exists(".damaged-1") && !exists(".damaged-2"))
    try await store.take([EntityRow("A", "a")])
    #expect(try await store.entity("A") != nil)
    await store.close()
  }

  @Test func `case 51: a file of a newer schema is refused and left alone`() async throws {
    try await fill(3)
    let newer = SQLiteStore(
      name: "entities", path: folder.file,
      migrations: EntityMigrations.all + [
        Migration(EntityMigrations.all.count + 1, "later", sql: "CREATE TABLE later (x)")
      ])
    try await newer.write { try $0.execute("INSERT INTO later VALUES (1)") }
    await newer.close()
    let store = folder.store()
    let supported = EntityMigrations.all.count
    await #expect(throws: StoreError.newerSchema(path: folder.file, found: supported + 1, supported: supported)) {
      try await store.entity("n1")
    }
    await #expect(throws: StoreError.newerSchema(path: folder.file, found: supported + 1, supported: supported)) {
      try await store.take([EntityRow("A", "a")])
    }
    #expect(!exists(".damaged-1"))
    await store.close()
  }

  @Test func `case 51: a lock of another process is an error after a timeout`() async throws {
    try await fill(3)
    let other = folder.store()
    let store = folder.store(EntityStore.Options(lockTimeoutInSeconds: 0.05))
    let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let writing = Task {
      try await other.write { connection in
        try connection.execute("UPDATE entity SET summary = 'locked'")
        held.signal()
        release.wait()
      }
    }
    await withCheckedContinuation { continuation in
      OwnThread.run {
        held.wait()
        continuation.resume()
      }
    }
    await #expect {
      try await store.take([EntityRow("A", "a")])
    } throws: { error in
      if case StoreError.locked = error { true } else { false }
    }
    #expect(try await store.entity("n1")?.summary == "")
    release.signal()
    try await writing.value
    #expect(try await store.take([EntityRow("A", "a")]).added == 1)
    #expect(try await store.entity("n1")?.summary == "locked")
    await store.close()
    await other.close()
  }

  @Test func `case 51: a full disk discards the whole response`() async throws {
    try await fill(100)
    let store = folder.store()
    #expect(try await store.entity("n1") != nil)
    // No more pages than there are: SQLite reports that like a full disk.
    try await store.write { connection in
      let pages = try connection.value("PRAGMA page_count").integer ?? 0
      _ = try connection.value("PRAGMA max_page_count = \(pages)")
    }
    let rows = (0..<5000).map { EntityRow("new\($0)", "Header \($0)") }
    await #expect {
      try await store.take(rows, state: [9])
    } throws: { error in
      if case StoreError.diskFull = error { true } else { false }
    }
    #expect(try await store.counts() == EntityCounts(entities: 100, notLoaded: 1))
    #expect(try await store.state() == nil)
    try await store.write { _ = try $0.value("PRAGMA max_page_count = 1000000") }
    #expect(try await store.take(rows).added == 5000)
    await store.close()
  }

  @Test func `case 52: committed data is present when the cache is reopened`() async throws {
    let store = folder.store()
    try await store.take([EntityRow("A", "a", children: ["B"])], state: [1, 2, 3])
    // The current file with its log is what a killed process leaves.
    let copy = CacheFolder()
    for end in ["", "-wal"] where exists(end) {
      try FileManager.default.copyItem(atPath: folder.file + end, toPath: copy.file + end)
    }
    let opened = copy.store()
    #expect(try await opened.state() == [1, 2, 3])
    #expect(try await opened.childNames("A") == ["B"])
    #expect(try opened.check(in: copy) == [])
    await opened.close()
    await store.close()
  }

  @Test func `a cache can be read while a long response is stored`() async throws {
    try await fill(10)
    let store = folder.store()
    let rows = HeldRows([EntityRow("n1", "changed"), EntityRow("new", "new")])
    let writing = Task { try await store.apply(rows, .roots(of: nil), generation: 2, at: Instant(seconds: 0)) }
    await rows.untilTaken()
    #expect(try await store.entity("n1")?.summaryHeader == "Header 1")
    #expect(try await store.counts().entities == 10)
    rows.release()
    #expect(try await writing.value.count == 2)
    #expect(try await store.entity("n1")?.summaryHeader == "changed")
    await store.close()
  }

  @Test func `changes are announced once they can be read, and indexing is not announced`() async throws {
    let count = Mutex(0)
    let store = folder.store { count.withLock { $0 += 1 } }
    try await store.take([EntityRow("A", "a")])
    #expect(count.withLock { $0 } == 1)
    while try await store.indexSome() {}
    try await store.saveState([1])
    #expect(count.withLock { $0 } == 1)
    try await store.keepImage([1], for: nil)
    #expect(count.withLock { $0 } == 2)
  }

  @Test func `the file is private to its user, and its log stays limited`() async throws {
    let store = folder.store()
    for generation in 1...3 {
      try await store.take(
        (0..<20_000).map { EntityRow("n\($0)", "Header \($0 * generation)") }, generation: generation)
    }
    try await store.take([EntityRow("x", "x")])
    let log = try FileManager.default.attributesOfItem(atPath: folder.file + "-wal")[.size] as? Int ?? 0
    #expect(log <= 17 << 20)
    let mode = try FileManager.default.attributesOfItem(atPath: folder.file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    await store.close()
  }
}

/// Rows whose end is held back until they are released.
private final class HeldRows: RowSource {
  private let rows: Mutex<[EntityRow]?>
  private let taken = DispatchSemaphore(value: 0)
  private let released = DispatchSemaphore(value: 0)

  init(_ rows: [EntityRow]) { self.rows = Mutex(rows) }

  func next() throws -> [EntityRow]? {
    if let rows = rows.withLock({ rows in
      defer { rows = nil }
      return rows
    }) {
      return rows
    }
    // The earlier rows are in the tables now.
    taken.signal()
    released.wait()
    return nil
  }

  func untilTaken() async {
    await withCheckedContinuation { continuation in
      OwnThread.run {
        self.taken.wait()
        continuation.resume()
      }
    }
  }

  func release() { released.signal() }
}
