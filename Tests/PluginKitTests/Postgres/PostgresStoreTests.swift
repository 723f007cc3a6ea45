import Foundation
import PluginAPI
import PluginPostgres
import Synchronization
import TestSupport
import Testing

private struct Stop: Error {}

/// Events that a test waits for.
private struct Events {
  private let stream: AsyncStream<Void>
  let add: @Sendable () -> Void

  init() {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    self.stream = stream
    add = { continuation.yield() }
  }

  /// Waits for the next event; events that came before count.
  func next() async { for await _ in stream { return } }
}

/// Stores in a database of a real server.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.absence)), .timeLimit(.minutes(10)))
struct PostgresStoreTests {
  /// Returns the code of the error of a piece of work.
  private func code(_ body: () async throws -> Void) async -> String? {
    let error = await #expect(throws: PostgresError.self) { try await body() }
    return error?.report.code
  }

  @Test func `a write is visible to other clients, or rolled back if it throws`() async throws {
    let lab = try PostgresLab.shared()
    let (store, other) = (try lab.store(), try lab.store())
    #expect(try await store.migrate() == [])
    try await store.write(addItem)
    await #expect(throws: Stop.self) {
      try await store.write { connection in
        try addItem(connection)
        throw Stop()
      }
    }
    // The server would take the commit and roll back.
    #expect(
      await code {
        try await store.write { connection in
          try addItem(connection)
          _ = try? connection.execute("SELECT 1/0")
        }
      } == "store.failed")
    #expect(try await other.read(itemCount) == 1)
    #expect(store.schemaVersion == 1)
    await store.close()
    await other.close()
  }

  @Test func `a read sees one snapshot and cannot write`() async throws {
    let lab = try PostgresLab.shared()
    let store = try lab.store()
    try await store.migrate()
    let counts = try await store.read { connection in
      let before = try itemCount(connection)
      try lab.superuser { try $0.execute("INSERT INTO \(PostgresLab.schema).item (name) VALUES ('x')") }
      return [before, try itemCount(connection)]
    }
    #expect(counts == [0, 0])
    #expect(try await store.read(itemCount) == 1)
    #expect(await code { try await store.read(addItem) } == "store.read-only")
    await store.close()
  }

  @Test func `access to a database without the store is an error`() async throws {
    let lab = try PostgresLab.shared()
    let (store, other) = (try lab.store(), try lab.store(name: "others", migrations: .itemsAndNotes))
    for _ in 1...2 {
      #expect(await code { _ = try await store.read(itemCount) } == "store.not-shared")
      #expect(await code { try await store.write(addItem) } == "store.not-shared")
    }
    try await store.migrate()
    let error = await #expect(throws: PostgresError.self) { _ = try await other.read(itemCount) }
    #expect(error?.report.exitStatus == 3 && error?.description.contains("workbench store share") == true)
    // The connection of the refused accesses serves the next.
    #expect(try await store.read(itemCount) == 0)
    await store.close()
    await other.close()
  }

  @Test func `clients that create a store at once run each migration once`() async throws {
    let lab = try PostgresLab.shared()
    let stores = try (1...4).map { _ in try lab.store(migrations: .itemsAndNotes) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores { group.addTask { try await store.migrate() } }
      try await group.waitForAll()
    }
    #expect(try await stores[0].read { try $0.value("SELECT count(*) FROM note") } == .integer(1))
    for store in stores { await store.close() }
  }

  @Test func `only an owner upgrades a store, and a newer one is refused`() async throws {
    let lab = try PostgresLab.shared()
    let old = try lab.store()
    try await old.migrate()
    try await old.write(addItem)
    try lab.addUser("ann", role: "workbench_writer")
    try lab.addUser("olga", role: "workbench_owner")
    let (writer, owner) = (
      try lab.store("ann", migrations: .itemsAndNotes), try lab.store("olga", migrations: .itemsAndNotes)
    )
    let accesses: [() async throws -> Void] = [
      { _ = try await writer.read(itemCount) }, { try await writer.write(addItem) }, { try await writer.migrate() },
    ]
    for access in accesses {
      let error = await #expect(throws: PostgresError.self) { try await access() }
      #expect(error?.report.code == "store.older-schema" && error?.report.exitStatus == 7)
      #expect(error?.description.contains("'workbench_owner'") == true)
    }
    #expect(try await owner.read(itemCount) == 1)
    #expect(try await writer.read(itemCount) == 1)
    #expect(try await writer.migrate() == [])
    #expect(await code { try await old.write(addItem) } == "store.newer-schema")
    #expect(await code { try await old.migrate() } == "store.newer-schema")
    for store in [old, writer, owner] { await store.close() }
  }

  @Test func `a migration that fails changes nothing`() async throws {
    let lab = try PostgresLab.shared()
    let store = try lab.store()
    try await store.migrate()
    let broken = try lab.store(
      migrations: [PostgresMigration].items + [
        PostgresMigration(2, "broken", sql: "CREATE TABLE half (i int); INSERT INTO nothing VALUES (1)")
      ])
    let error = await #expect(throws: PostgresError.self) { try await broken.migrate() }
    #expect(error?.report.code == "store.migration-failed" && error?.description.contains("'broken'") == true)
    #expect(try await store.read { try $0.value("SELECT to_regclass('half')") } == .null)
    #expect(try await store.read(itemCount) == 0)
    await store.close()
    await broken.close()
  }

  @Test func `readers do not write, and writers delete only what they added`() async throws {
    let lab = try PostgresLab.shared()
    let owner = try lab.store()
    try await owner.migrate()
    for (user, role) in [("rae", "workbench_reader"), ("ann", "workbench_writer"), ("bob", "workbench_writer")] {
      try lab.addUser(user, role: role)
    }
    let (reader, ann, bob) = (try lab.store("rae"), try lab.store("ann"), try lab.store("bob"))
    try await ann.write(addItem)
    #expect(try await reader.read(itemCount) == 1)
    #expect(await code { try await reader.write(addItem) } == "store.no-permission")
    #expect(await code { _ = try await reader.write { try $0.execute("DELETE FROM item") } } == "store.no-permission")
    #expect(try await bob.write { try $0.execute("UPDATE item SET name = 'y'") } == 1)
    #expect(try await bob.write { try $0.execute("DELETE FROM item") } == 0)
    let take = "UPDATE item SET added_by = current_user"
    #expect(await code { _ = try await bob.write { try $0.execute(take) } } == "store.no-permission")
    let forge = "INSERT INTO item (name, added_by) VALUES ('x', 'rae')"
    #expect(await code { _ = try await bob.write { try $0.execute(forge) } } == "store.no-permission")
    let version = "UPDATE workbench_schema SET version = 9"
    #expect(await code { _ = try await bob.write { try $0.execute(version) } } == "store.no-permission")
    #expect(try await ann.write { try $0.execute("DELETE FROM item") } == 1)
    for store in [owner, reader, ann, bob] { await store.close() }
  }

  @Test func `a store without roles is accessible only to its owner until the roles exist`() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let lab = try PostgresLab(server, owner: "mia")
    let owner = try lab.store("mia")
    #expect(try await owner.migrate().map(\.code) == ["store.no-roles"])
    try await owner.write(addItem)
    try lab.superuser { connection in
      for role in ["reader", "writer", "owner"] { try connection.execute("CREATE ROLE workbench_\(role)") }
    }
    try lab.addUser("rae", role: "workbench_reader")
    try lab.addUser("olga", role: "workbench_owner")
    let reader = try lab.store("rae")
    #expect(await code { _ = try await reader.read(itemCount) } == "store.no-permission")
    #expect(try await owner.migrate() == [])
    #expect(try await reader.read(itemCount) == 1)
    // The schema belongs to its first owner.
    let upgrade = try lab.store("olga", migrations: .itemsAndNotes)
    let error = await #expect(throws: PostgresError.self) { try await upgrade.migrate() }
    #expect(error?.description.contains("'\(lab.name("mia"))'") == true)
    for store in [owner, reader, upgrade] { await store.close() }
  }

  @Test func `a change is announced to its own client and to other clients that listen`() async throws {
    let lab = try PostgresLab.shared()
    let (own, others) = (Events(), Events())
    let (writer, listener) = (try lab.store(onChange: own.add), try lab.store(onChange: others.add))
    try await writer.migrate()
    listener.listen()
    listener.listen()
    await others.next()
    try await writer.write(addItem)
    await own.next()
    await others.next()
    #expect(try await listener.read(itemCount) == 1)
    // One that listens receives its own changes from the server.
    try await listener.write(addItem)
    await others.next()
    await writer.close()
    await listener.close()
  }

  @Test func `a listener reconnects after it loses its connection, and announces a change`() async throws {
    let lab = try PostgresLab.shared()
    let events = Events()
    let (writer, listener) = (try lab.store(), try lab.store(onChange: events.add))
    try await writer.migrate()
    listener.listen()
    await events.next()
    let ended = try lab.superuser { connection in
      try connection.rows(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN %'
        """)
    }
    #expect(ended.map { $0.boolean(0) } == [true])
    await events.next()
    try await writer.write(addItem)
    await events.next()
    await writer.close()
    await listener.close()
    try await until { try lab.connections("LISTEN %") == 0 }
  }

  @Test func `a change made after a crash of the server, before the listener reconnects, is announced and read`()
    async throws
  {
    let server = try PostgresServer()
    defer { server.stop() }
    let lab = try PostgresLab(server)
    let events = Events()
    let writer = try lab.store()
    try await writer.migrate()
    try lab.addUser("rae", role: "workbench_reader")
    let listener = try lab.store("rae", onChange: events.add)
    listener.listen()
    await events.next()
    try await writer.write(addItem)
    await events.next()
    #expect(try await listener.read(itemCount) == 1)
    // The listener cannot reconnect before the change was made.
    try lab.superuser { _ = try $0.execute("ALTER ROLE \(lab.name("rae")) NOLOGIN") }
    try server.crash()
    try server.start()
    try await writer.write(addItem)
    #expect(try lab.connections("LISTEN %") == 0)
    try lab.superuser { _ = try $0.execute("ALTER ROLE \(lab.name("rae")) LOGIN") }
    await events.next()
    #expect(try await listener.read(itemCount) == 2)
    // By now only a notification announces a change.
    try await writer.write(addItem)
    await events.next()
    #expect(try await listener.read(itemCount) == 3)
    await writer.close()
    await listener.close()
  }

  @Test func `a store reconnects to a restarted server`() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let lab = try PostgresLab(server)
    let (store, other) = (try lab.store(), try lab.store())
    try await store.migrate()
    try await store.write(addItem)
    #expect(try await other.read(itemCount) == 1)
    server.stop()
    #expect(await code { try await other.write(addItem) } == "store.unreachable")
    try server.start()
    try await store.write(addItem)
    try await other.write(addItem)
    #expect(try await store.read(itemCount) == 3)
    await store.close()
    await other.close()
  }

  @Test func `a read whose connection is lost is retried, and a write is not`() async throws {
    let lab = try PostgresLab.shared()
    let store = try lab.store()
    try await store.migrate()
    let runs = Mutex(0)
    @Sendable func lose(_ connection: PostgresConnection, in run: Int) throws {
      let current = runs.withLock { runs in
        runs += 1
        return runs
      }
      if current == run { try connection.execute("SELECT pg_terminate_backend(pg_backend_pid())") }
    }
    let found = try await store.read { connection in
      try lose(connection, in: 1)
      return try itemCount(connection)
    }
    #expect(found == 0 && runs.withLock { $0 } == 2)
    #expect(
      await code {
        try await store.write { connection in
          try addItem(connection)
          try lose(connection, in: 3)
        }
      } == "store.unreachable")
    #expect(runs.withLock { $0 } == 3)
    try await store.write(addItem)
    #expect(try await store.read(itemCount) == 1)
    await store.close()
  }

  @Test func `cancellation ends a running statement and a queued access`() async throws {
    let lab = try PostgresLab.shared()
    let store = try lab.store()
    try await store.migrate()
    let sleeping = Task { try await store.write { try $0.execute("SELECT pg_sleep(600)") } }
    try await until { try lab.connections("SELECT pg_sleep%") == 1 }
    let queued = Task { try await store.read(itemCount) }
    queued.cancel()
    await #expect(throws: CancellationError.self) { try await queued.value }
    sleeping.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    #expect(try await store.read(itemCount) == 0)
    await store.close()
  }

  @Test func `closing a store ends its accesses and connections`() async throws {
    let lab = try PostgresLab.shared()
    let store = try lab.store()
    try await store.migrate()
    store.listen()
    let sleeping = Task { try await store.read { try $0.execute("SELECT pg_sleep(600)") } }
    try await until { try lab.connections("SELECT pg_sleep%") == 1 }
    let queued = Task { try await store.write(addItem) }
    await store.close()
    #expect(await code { _ = try await sleeping.value } == "store.closed")
    #expect(await code { try await queued.value } == "store.closed")
    #expect(await code { _ = try await store.read(itemCount) } == "store.closed")
    store.listen()
    await store.close()
    try await until { try lab.connections("%") == 0 }
  }

  @Test func `releasing a store ends its listener`() async throws {
    let lab = try PostgresLab.shared()
    let events = Events()
    var store: PostgresStore? = try lab.store(onChange: events.add)
    try await store?.migrate()
    store?.listen()
    await events.next()
    store = nil
    try await until { try lab.connections("%") == 0 }
  }
}
