import Foundation
import PluginAPI
import PluginStore
import Synchronization
import Testing

struct SQLiteStoreTests {
  let folder = StoreFolder()

  @Test func `an unused store does not create a file`() async {
    let store = folder.stations()
    await store.close()
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `only the user can access the file and its folder`() async throws {
    let store = folder.stations("deep/er/stations.sqlite")
    try await store.write { try $0.execute("INSERT INTO station VALUES (1, 'Brest', 'BREST')") }
    var status = stat()
    stat(folder.file("deep/er"), &status)
    #expect(status.st_mode & 0o777 == 0o700)
    for suffix in ["", "-wal"] {
      stat(store.path + suffix, &status)
      #expect(status.st_mode & 0o777 == 0o600)
    }
    #expect(try await store.check().isEmpty)
    chmod(store.path, 0o644)
    #expect(try await store.check().map(\.code) == ["store.readable-by-others"])
  }

  @Test func `a frozen store is read without creating files beside it`() async throws {
    // Characters with a special meaning in a URI are part of the path here.
    let store = folder.stations("odd %41?#/stations.sqlite")
    try await store.write { try $0.execute("INSERT INTO station VALUES (1, 'Brest', 'BREST')") }
    await store.close()
    var options = SQLiteStore.Options()
    options.isFrozen = true
    let frozen = SQLiteStore(
      name: "stations", path: store.path, migrations: StoreFolder.migrations, options: options)
    #expect(try await frozen.read { try $0.value("SELECT name FROM station").text } == "Brest")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("odd %41?#"))
    #expect(names == ["stations.sqlite"])
    await frozen.close()
    let missing = SQLiteStore(
      name: "stations", path: folder.file("none.sqlite"), migrations: StoreFolder.migrations, options: options)
    await #expect(throws: StoreError.self) { try await missing.read { try $0.value("SELECT 1") } }
    #expect(!FileManager.default.fileExists(atPath: missing.path))
  }

  @Test func `reading a stored value restores each kind`() async throws {
    let store = SQLiteStore(
      name: "kinds", path: folder.file("kinds.sqlite"),
      migrations: [Migration(1, "all", sql: "CREATE TABLE kind (id INTEGER PRIMARY KEY, value)")])
    let values: [(any SQLConvertible)?] = [
      nil, 0, -7, Int.max, Int.min, 1.5, -0.0, "", "β\u{0}sheet 🌊", [UInt8](), [UInt8]([0, 255, 1]), true,
    ]
    try await store.write { connection in
      for value in values { try connection.execute("INSERT INTO kind (value) VALUES (?)", [value]) }
    }
    let found = try await store.read { try $0.list("SELECT value FROM kind ORDER BY id") { $0[0] } }
    #expect(found == values.map { $0?.sqlValue ?? .null })
  }

  @Test func `a write that throws is rolled back`() async throws {
    struct Stop: Error {}
    let store = folder.stations()
    await #expect(throws: Stop.self) {
      try await store.write { connection in
        try connection.execute("INSERT INTO station VALUES (1, 'Brest', 'B')")
        throw Stop()
      }
    }
    #expect(try await store.read { try $0.value("SELECT count(*) FROM station") } == .integer(0))
  }

  @Test func `a failed savepoint is rolled back alone`() async throws {
    let store = folder.stations()
    try await store.write { connection in
      try connection.execute("INSERT INTO station VALUES (1, 'Brest', 'B')")
      try? connection.savepoint {
        try connection.execute("INSERT INTO station VALUES (2, 'Dover', 'D')")
        try connection.execute("INSERT INTO station VALUES (3, 'Brest', 'D')")
      }
    }
    #expect(try await store.read { try $0.list("SELECT name FROM station") { $0.text(0) } } == ["Brest"])
  }

  @Test func `a write in a read access is refused without repeating the data`() async throws {
    let store = folder.stations()
    let error = await #expect(throws: StoreError.self) {
      try await store.read { try $0.execute("DELETE FROM station WHERE name = ?", ["a person's name"]) }
    }
    #expect(error?.report.code == "store.writes-while-reading")
    #expect(error.map { !"\($0)\($0.report.details)".contains("a person's name") } == true)
  }

  @Test func `a violated constraint is named without the data`() async throws {
    let store = folder.stations()
    let error = await #expect(throws: StoreError.self) {
      try await store.write { connection in
        for _ in 0..<2 { try connection.execute("INSERT INTO station (name, code) VALUES (?, '')", ["secret"]) }
      }
    }
    #expect(error?.report.code == "store.constraint")
    #expect(error?.description.contains("UNIQUE constraint failed: station.name") == true)
    #expect(error?.description.contains("secret") == false)
    await #expect(throws: StoreError.self) {
      try await store.write { try $0.execute("INSERT INTO height VALUES (99, 0, 1)") }
    }
  }

  @Test func `committed changes are announced by table, also those of triggers and of whole tables`() async throws {
    let seen = Mutex<[Set<String>]>([])
    let store = folder.stations { tables in seen.withLock { $0.append(tables) } }
    try await store.write { connection in
      try connection.execute("INSERT INTO station VALUES (1, 'Brest', 'B')")
      try connection.execute("INSERT INTO height VALUES (1, 0, 1)")
    }
    _ = try await store.read { try $0.value("SELECT count(*) FROM station") }
    try await store.write { try $0.execute("DELETE FROM station WHERE id = 77") }
    _ = try? await store.write { connection in
      try connection.execute("UPDATE station SET code = 'X'")
      try connection.execute("nonsense")
    }
    try await store.write { try $0.execute("DELETE FROM height") }
    #expect(seen.withLock { $0 } == [["height", "station"], ["height"]])
  }

  @Test func `many tasks read and write concurrently`() async throws {
    let store = folder.stations()
    let other = folder.stations()
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<40 {
        let store = number % 2 == 0 ? store : other
        group.addTask {
          try await store.write { try $0.execute("INSERT INTO station (name, code) VALUES (?, '')", ["s\(number)"]) }
          return try await store.read { connection in
            let first = try connection.value("SELECT count(*) FROM station")
            let second = try connection.value("SELECT count(*) FROM station")
            return first == second ? 1 : 0
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(counts == 40)
    #expect(try await other.read { try $0.value("SELECT count(*) FROM station") } == .integer(40))
  }

  @Test func `a locked database is reported as retryable after the timeout`() async throws {
    let (store, other) = (folder.stations(), folder.stations(lockTimeout: 0.05))
    try await other.write { _ in }
    let error = try await store.write { connection in
      try connection.execute("INSERT INTO station VALUES (1, 'Brest', 'B')")
      do {
        try other.blockingSession { try $0.write { try $0.execute("DELETE FROM station") } }
        return nil as StoreError?
      } catch let error as StoreError {
        return error
      }
    }
    #expect(error?.report.code == "store.locked")
    #expect(error?.report.isRetryable == true)
  }

  @Test func `cancellation interrupts a long statement`() async throws {
    let store = folder.stations()
    try await store.write { _ in }
    let (started, go) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await store.read { connection in
        go.yield()
        return try connection.value(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
      }
    }
    for await _ in started { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.read { try $0.value("SELECT 7") } == .integer(7))
  }

  @Test(.timeLimit(.minutes(5)))
  func `an access canceled in the queue ends at once and does not run`() async throws {
    let store = folder.stations()
    let (started, go) = AsyncStream<Void>.makeStream()
    let endless = Task {
      try await store.read { connection in
        go.yield()
        return try connection.value(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
      }
    }
    for await _ in started { break }
    let queued = Task { try await store.write { try $0.execute("INSERT INTO station VALUES (1, 'Brest', 'B')") } }
    queued.cancel()
    await #expect(throws: CancellationError.self) { try await queued.value }
    endless.cancel()
    await #expect(throws: CancellationError.self) { try await endless.value }
    #expect(try await store.read { try $0.value("SELECT count(*) FROM station") } == .integer(0))
  }

  @Test func `a full device is reported and the store stays usable`() async throws {
    let store = folder.stations()
    try await store.write { try $0.execute("INSERT INTO station VALUES (1, 'Brest', 'B')") }
    _ = try await store.read { try $0.value("PRAGMA max_page_count = 20") }
    let error = await #expect(throws: StoreError.self) {
      try await store.write { connection in
        for number in 0..<100 {
          let name = "\(number)" + String(repeating: "x", count: 2000)
          try connection.execute("INSERT INTO station (name, code) VALUES (?, '')", [name])
        }
      }
    }
    #expect(error?.report.code == "store.disk-full")
    #expect(try await store.read { try $0.value("SELECT count(*) FROM station") } == .integer(1))
  }

  @Test func `a full device is reported also from within a savepoint`() async throws {
    let store = folder.stations()
    try await store.write { try $0.execute("INSERT INTO station VALUES (1, 'Brest', 'B')") }
    _ = try await store.read { try $0.value("PRAGMA max_page_count = 20") }
    let error = await #expect(throws: StoreError.self) {
      try await store.write { connection in
        try connection.savepoint {
          let name = String(repeating: "x", count: 200_000)
          try connection.execute("INSERT INTO station (name, code) VALUES (?, '')", [name])
        }
      }
    }
    #expect(error?.report.code == "store.disk-full")
    try await store.write { try $0.execute("INSERT INTO station VALUES (2, 'Nantes', 'N')") }
    #expect(try await store.read { try $0.value("SELECT count(*) FROM station") } == .integer(2))
  }

  @Test func `deleted data is overwritten if the option is set, and compacting shrinks the file`()
    async throws
  {
    var options = SQLiteStore.Options(keptLogInBytes: 0)
    options.overwritesDeleted = true
    let path = folder.file("overwritten.sqlite")
    let store = SQLiteStore(name: "stations", path: path, migrations: StoreFolder.migrations, options: options)
    try await store.write { connection in
      for number in 0..<100 {
        let name = "\(number) kingfisher " + String(repeating: "x", count: 3000)
        try connection.execute("INSERT INTO station (name, code) VALUES (?, '')", [name])
      }
    }
    try await store.checkpoint()
    func holds(_ name: String) throws -> Bool {
      guard let content = FileManager.default.contents(atPath: name) else { return false }
      return content.range(of: Data("kingfisher".utf8)) != nil
    }
    #expect(try holds(path))
    try await store.write { try $0.execute("DELETE FROM station") }
    try await store.checkpoint()
    #expect(try !holds(path))
    #expect(try !holds(path + "-wal"))
    let size = try await store.read { try $0.value("PRAGMA page_count").integer ?? 0 }
    try await store.compact()
    #expect(try await store.read { try $0.value("PRAGMA page_count").integer ?? 0 } < size / 2)
    await store.close()
  }

  @Test func `a store in a read-only folder reports it`() async throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    // The helper switches to the user nobody first, because root may write anywhere.
    let (status, output) = try StoreFolder.helper([
      "try", folder.file("ledger.sqlite"), getuid() == 0 ? "65534" : "\(getuid())",
    ])
    #expect(status == 1)
    #expect(output == "store.read-only\n")
  }

  @Test func `a path through a file cannot be opened as a store`() async throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try Data([1]).write(to: URL(fileURLWithPath: folder.file("file")))
    let error = await #expect(throws: StoreError.self) { try await folder.stations("file/s.sqlite").write { _ in } }
    #expect(error?.report.code == "store.cannot-open")
  }

  @Test func `a closed store refuses accesses with an error`() async throws {
    let store = folder.stations()
    try await store.write { _ in }
    await store.close()
    await store.close()
    await #expect(throws: StoreError.closed(path: store.path)) { try await store.read { _ in } }
    #expect(throws: StoreError.closed(path: store.path)) { try store.blockingSession { _ in } }
    #expect(!FileManager.default.fileExists(atPath: store.path + "-wal"))
  }

  @Test func `a session runs its accesses in order, and its disconnected file can be moved`() async throws {
    let store = folder.stations()
    let count = try await OwnThread.value { _ in
      try store.blockingSession { session in
        try session.write { try $0.execute("INSERT INTO station VALUES (1, 'Brest', 'B')") }
        let count = try session.read { try $0.value("SELECT count(*) FROM station").integer }
        try session.checkpoint()
        session.disconnect()
        #expect(!FileManager.default.fileExists(atPath: store.path + "-wal"))
        try FileManager.default.moveItem(atPath: store.path, toPath: store.path + ".moved")
        return count
      }
    }
    #expect(count == 1)
    #expect(try await store.read { try $0.value("SELECT count(*) FROM station") } == .integer(0))
    let moved = folder.stations("stations.sqlite.moved")
    #expect(try await moved.read { try $0.value("SELECT count(*) FROM station") } == .integer(1))
  }

  @Test func `a nested access to the same store is a precondition failure with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = StoreFolder().stations()
      try await store.write { _ in try store.blockingSession { _ in } }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("is used from within its own access"))
  }
}
