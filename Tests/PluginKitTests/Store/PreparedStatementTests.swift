import PluginStore
import Synchronization
import Testing

@Suite struct PreparedStatementTests {
  let folder = StoreFolder()

  private func store(_ onChange: @escaping @Sendable (Set<String>) -> Void = { _ in }) -> SQLiteStore {
    SQLiteStore(
      name: "things", path: folder.file("things.sqlite"),
      migrations: [
        Migration(1, "things", sql: "CREATE TABLE thing (number INTEGER, real REAL, text TEXT, bytes BLOB)")
      ], options: SQLiteStore.Options(cacheInKibibytes: 512, keptLogInBytes: 1 << 20), onChange: onChange)
  }

  @Test func `reading bound values restores each kind`() async throws {
    let store = store()
    try await store.write { connection in
      let insert = try connection.statement("INSERT INTO thing (number, real, text, bytes) VALUES (?, ?, ?, ?)")
      try insert.bind(-5, at: 1)
      try insert.bind(0.25, at: 2)
      try insert.bind("a\u{0}ü", at: 3)
      try insert.bind([0, 255, 0], at: 4)
      try insert.run()
      // Bound values remain; null must be bound explicitly.
      try insert.bindNull(at: 2)
      try insert.bind("", at: 3)
      try insert.bind([], at: 4)
      try insert.run()
    }
    try await store.read { connection in
      let select = try connection.statement("SELECT number, real, text, bytes FROM thing ORDER BY rowid")
      #expect(try select.step())
      #expect(
        select.integer(0) == -5 && !select.isNull(1) && select.text(2) == "a\u{0}ü" && select.bytes(3) == [0, 255, 0])
      #expect(try select.step())
      #expect(select.integer(0) == -5 && select.isNull(1) && !select.isNull(2) && select.text(2).isEmpty)
      #expect(!select.isNull(3) && select.bytes(3).isEmpty)
      #expect(try !select.step())
      select.reset()
      #expect(try select.step() && select.withText(2) { $0.count } == 4)
    }
  }

  @Test func `committed writes are announced, and rolled-back writes are not`() async throws {
    let announced = Announcements()
    let store = store { announced.add($0) }
    try await store.write { connection in
      let insert = try connection.statement("INSERT INTO thing (number) VALUES (?)")
      for number in 0..<3 {
        try insert.bind(number, at: 1)
        try insert.run()
      }
    }
    await #expect(throws: Stop.self) {
      try await store.write { connection in
        let delete = try connection.statement("DELETE FROM thing")
        try delete.run()
        throw Stop()
      }
    }
    #expect(announced.all == [["thing"]])
    #expect(try await store.read { try $0.value("SELECT count(*) FROM thing").integer } == 3)
  }

  @Test func `a read access refuses a statement that writes`() async throws {
    let store = store()
    await #expect(throws: StoreError.self) {
      try await store.read { try $0.statement("DELETE FROM thing").run() }
    }
  }

  @Test func `a statement can be reused in later accesses and nested in itself`() async throws {
    let store = store()
    for round in 0..<3 {
      try await store.write { connection in
        let insert = try connection.statement("INSERT INTO thing (number) VALUES (?)")
        let other = try connection.statement("INSERT INTO thing (number) VALUES (?)")
        try insert.bind(round, at: 1)
        try other.bind(round + 100, at: 1)
        try insert.run()
        try other.run()
      }
    }
    let numbers = try await store.read { try $0.list("SELECT number FROM thing ORDER BY number") { $0.integer(0) } }
    #expect(numbers == [0, 1, 2, 100, 101, 102])
  }

  @Test func `the log stays small after a checkpoint`() async throws {
    let store = store()
    try await store.write { try $0.execute("INSERT INTO thing (text) VALUES (hex(randomblob(2000000)))") }
    try await store.checkpoint()
    try await store.write { try $0.execute("INSERT INTO thing (number) VALUES (1)") }
    #expect(try folder.size("things.sqlite-wal") <= 1 << 20)
    #expect(try folder.size("things.sqlite") > 4_000_000)
    await store.close()
  }

  private struct Stop: Error {}
}

/// The announcements of a store.
private final class Announcements: Sendable {
  private let tables = Mutex<[Set<String>]>([])

  var all: [Set<String>] { tables.withLock { $0 } }

  func add(_ names: Set<String>) { tables.withLock { $0.append(names) } }
}
