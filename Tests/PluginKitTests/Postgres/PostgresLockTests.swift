import PluginAPI
import PluginPostgres
import Synchronization
import TestSupport
import Testing

/// Stores beside clients that hold locks.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(10)))
struct PostgresLockTests {
  /// The option of an address for which a wait ends early.
  private static let briefly = "&options=-c%20lock_timeout%3D200"

  /// Expects the error of a lock that another client holds.
  private func expectLocked(_ body: () async throws -> Void) async {
    let error = await #expect(throws: PostgresError.self) { try await body() }
    #expect(error?.report.code == "store.locked" && error?.report.exitStatus == 7 && error?.report.isRetryable == true)
  }

  @Test func `a wait for a lock ends after 30 seconds unless the address sets another time`() async throws {
    let lab = try PostgresLab.shared()
    let (usual, brief) = (try lab.store(), try lab.store(options: Self.briefly))
    try await usual.migrate()
    #expect(try await usual.read { try $0.value("SHOW lock_timeout") } == .text("30s"))
    #expect(try await brief.read { try $0.value("SHOW lock_timeout") } == .text("200ms"))
    await usual.close()
    await brief.close()
  }

  @Test func `a lock held by another client ends an access with an error, and nothing is changed`() async throws {
    let lab = try PostgresLab.shared()
    let store = try lab.store(migrations: .itemsAndNotes, options: Self.briefly)
    try await store.migrate()
    let other = try lab.connection()
    defer { other.close() }
    try other.execute("BEGIN")
    try other.execute("LOCK TABLE \(PostgresLab.schema).item IN ACCESS EXCLUSIVE MODE")
    await expectLocked { _ = try await store.read(itemCount) }
    await expectLocked {
      try await store.write { connection in
        try connection.execute("INSERT INTO note VALUES ('lost')")
        try addItem(connection)
      }
    }
    try other.execute("ROLLBACK")
    #expect(try await store.read(itemCount) == 0)
    #expect(try await store.read { try $0.value("SELECT count(*) FROM note") } == .integer(1))
    try await store.write(addItem)
    #expect(try await store.read(itemCount) == 1)
    await store.close()
  }

  @Test func `a store is not created while another client creates one in the schema`() async throws {
    let lab = try PostgresLab.shared()
    let store = try lab.store(options: Self.briefly)
    let other = try lab.connection()
    defer { other.close() }
    try other.execute("BEGIN")
    // The lock of migrations in the schema.
    try other.execute(#"SELECT pg_advisory_xact_lock(hashtextextended('workbench_schema lab "1"', 0))"#)
    await expectLocked { try await store.migrate() }
    #expect(try other.value("SELECT to_regnamespace($1)", [.text(PostgresLab.schema)]) == .null)
    try other.execute("ROLLBACK")
    try await store.migrate()
    #expect(try await store.read(itemCount) == 0)
    await store.close()
  }

  @Test func `an upgrade waits for a client at work, whose change is kept`() async throws {
    let lab = try PostgresLab.shared()
    let (old, new) = (try lab.store(), try lab.store(migrations: .itemsAndNotes))
    try await old.migrate()
    let isWorking = Door()
    async let work: Void = old.write { connection in
      try addItem(connection)
      isWorking.open()
      #expect(polls { (try? lab.waitingClients()) == 1 })
    }
    await isWorking.wait()
    try await new.migrate()
    try await work
    #expect(try await new.read(itemCount) == 1)
    #expect(try await new.read { try $0.value("SELECT count(*) FROM note") } == .integer(1))
    let error = await #expect(throws: PostgresError.self) { try await old.write(addItem) }
    #expect(error?.report.code == "store.newer-schema")
    #expect(try await new.read(itemCount) == 1)
    await old.close()
    await new.close()
  }

  @Test func `an upgrade beside a client that stays at work changes nothing, and can be repeated`() async throws {
    let lab = try PostgresLab.shared()
    let old = try lab.store()
    let new = try lab.store(migrations: .itemsAndNotes, options: Self.briefly)
    try await old.migrate()
    let isWorking = Door()
    let isDone = Mutex(false)
    async let work: Void = old.write { connection in
      try addItem(connection)
      isWorking.open()
      #expect(polls { isDone.withLock { $0 } })
      try addItem(connection)
    }
    await isWorking.wait()
    await expectLocked { try await new.migrate() }
    await expectLocked { _ = try await new.read(itemCount) }
    isDone.withLock { $0 = true }
    try await work
    // The old version still works.
    #expect(try await old.read(itemCount) == 2)
    #expect(try await old.read { try $0.value("SELECT to_regclass('note')") } == .null)
    #expect(try await new.read(itemCount) == 2)
    #expect(try await new.read { try $0.value("SELECT count(*) FROM note") } == .integer(1))
    await old.close()
    await new.close()
  }
}
