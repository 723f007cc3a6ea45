import Foundation
import PluginAPI
import PluginPostgres
import Synchronization
import TestSupport
import Testing

/// A database of its own on a server, with users of its own.
private struct Lab {
  private let server: PostgresServer
  private let database = "lab_" + UUID().uuidString.prefix(8).lowercased()

  init(_ server: PostgresServer, owner: String? = nil) throws {
    self.server = server
    try superuser("postgres") { connection in
      if let owner { try addUser(owner, connection) }
      try connection.execute("CREATE DATABASE \(database) OWNER \(owner.map(name) ?? "workbench")")
    }
  }

  static func shared() throws -> Lab { try Lab(PostgresServer.shared.get()) }

  /// Returns the name of a user on the server, which other databases share.
  func name(_ user: String) -> String { "\(database)_\(user)" }

  func address(_ user: String? = nil, database: String? = nil) throws -> PostgresAddress {
    let parts = server.address.components(separatedBy: "workbench@")
    let address = parts.joined(separator: (user.map(name) ?? "workbench") + "@")
    return try PostgresAddress(
      address.components(separatedBy: "/postgres?").joined(separator: "/\(database ?? self.database)?"))
  }

  /// Runs a closure on a connection of the server's superuser.
  @discardableResult
  func superuser<Result>(_ database: String? = nil, _ body: (PostgresConnection) throws -> Result) throws -> Result {
    let connection = try PostgresConnection(address(database: database), timeoutInSeconds: 60)
    defer { connection.close() }
    return try body(connection)
  }

  /// Makes a user whose password libpq finds, as it is that of the superuser.
  private func addUser(_ user: String, _ connection: PostgresConnection) throws {
    let file = try #require(server.address.components(separatedBy: "passfile=").last)
    let line = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    let password = try #require(line.components(separatedBy: ":").last)
    try connection.execute("CREATE ROLE \(name(user)) LOGIN PASSWORD \(PostgresQuoting.literal(password))")
  }

  /// Makes a user who is a member of a role.
  func addUser(_ user: String, role: String) throws {
    try superuser { connection in
      try addUser(user, connection)
      try connection.execute("GRANT \(role) TO \(name(user))")
    }
  }

  func store(
    _ user: String? = nil, name: String = "items", migrations: [PostgresMigration] = items,
    onChange: @escaping @Sendable () -> Void = {}
  ) throws -> PostgresStore {
    try PostgresStore(
      name: name, address: address(user), schema: #"lab "1""#, migrations: migrations, onChange: onChange)
  }

  /// Returns the number of connections to the database that run a statement, or ran it last.
  func connections(_ pattern: String) throws -> Int {
    try superuser("postgres") { connection in
      try connection.value(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND query LIKE $2",
        [.text(database), .text(pattern)]
      ).integer ?? 0
    }
  }
}

private let items = [
  PostgresMigration(
    1, "items",
    sql: "CREATE TABLE item (id bigserial PRIMARY KEY, name text NOT NULL, added_by text);"
      + PostgresPolicy.deletionByAuthor(of: "item"))
]

private let itemsAndNotes =
  items + [
    PostgresMigration(2, "notes") { connection in
      try connection.execute("CREATE TABLE note (text text)")
      try connection.execute("INSERT INTO note VALUES ('made')")
    }
  ]

private struct Stop: Error {}

@Sendable private func add(_ connection: PostgresConnection) throws {
  try connection.execute("INSERT INTO item (name) VALUES ($1)", [.text("x")])
}

@Sendable private func count(_ connection: PostgresConnection) throws -> Int {
  try connection.value("SELECT count(*) FROM item").integer ?? -1
}

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
    let lab = try Lab.shared()
    let (store, other) = (try lab.store(), try lab.store())
    #expect(try await store.migrate() == [])
    try await store.write(add)
    await #expect(throws: Stop.self) {
      try await store.write { connection in
        try add(connection)
        throw Stop()
      }
    }
    // The server would take the commit and roll back.
    #expect(
      await code {
        try await store.write { connection in
          try add(connection)
          _ = try? connection.execute("SELECT 1/0")
        }
      } == "store.failed")
    #expect(try await other.read(count) == 1)
    #expect(store.schemaVersion == 1)
    await store.close()
    await other.close()
  }

  @Test func `a read sees one snapshot and cannot write`() async throws {
    let lab = try Lab.shared()
    let store = try lab.store()
    try await store.migrate()
    let counts = try await store.read { connection in
      let before = try count(connection)
      try lab.superuser { try $0.execute(#"INSERT INTO "lab ""1""".item (name) VALUES ('x')"#) }
      return [before, try count(connection)]
    }
    #expect(counts == [0, 0])
    #expect(try await store.read(count) == 1)
    #expect(await code { try await store.read(add) } == "store.read-only")
    await store.close()
  }

  @Test func `access to a database without the store is an error`() async throws {
    let lab = try Lab.shared()
    let (store, other) = (try lab.store(), try lab.store(name: "others", migrations: itemsAndNotes))
    for _ in 1...2 {
      #expect(await code { _ = try await store.read(count) } == "store.not-shared")
      #expect(await code { try await store.write(add) } == "store.not-shared")
    }
    try await store.migrate()
    let error = await #expect(throws: PostgresError.self) { _ = try await other.read(count) }
    #expect(error?.report.exitStatus == 3 && error?.description.contains("workbench store share") == true)
    // The connection of the refused accesses serves the next.
    #expect(try await store.read(count) == 0)
    await store.close()
    await other.close()
  }

  @Test func `clients that create a store at once run each migration once`() async throws {
    let lab = try Lab.shared()
    let stores = try (1...4).map { _ in try lab.store(migrations: itemsAndNotes) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores { group.addTask { try await store.migrate() } }
      try await group.waitForAll()
    }
    #expect(try await stores[0].read { try $0.value("SELECT count(*) FROM note") } == .integer(1))
    for store in stores { await store.close() }
  }

  @Test func `only an owner upgrades a store, and a newer one is refused`() async throws {
    let lab = try Lab.shared()
    let old = try lab.store()
    try await old.migrate()
    try await old.write(add)
    try lab.addUser("ann", role: "workbench_writer")
    try lab.addUser("olga", role: "workbench_owner")
    let (writer, owner) = (
      try lab.store("ann", migrations: itemsAndNotes), try lab.store("olga", migrations: itemsAndNotes)
    )
    let accesses: [() async throws -> Void] = [
      { _ = try await writer.read(count) }, { try await writer.write(add) }, { try await writer.migrate() },
    ]
    for access in accesses {
      let error = await #expect(throws: PostgresError.self) { try await access() }
      #expect(error?.report.code == "store.older-schema" && error?.report.exitStatus == 7)
      #expect(error?.description.contains("'workbench_owner'") == true)
    }
    #expect(try await owner.read(count) == 1)
    #expect(try await writer.read(count) == 1)
    #expect(try await writer.migrate() == [])
    #expect(await code { try await old.write(add) } == "store.newer-schema")
    #expect(await code { try await old.migrate() } == "store.newer-schema")
    for store in [old, writer, owner] { await store.close() }
  }

  @Test func `a migration that fails changes nothing`() async throws {
    let lab = try Lab.shared()
    let store = try lab.store()
    try await store.migrate()
    let broken = try lab.store(
      migrations: items + [
        PostgresMigration(2, "broken", sql: "CREATE TABLE half (i int); INSERT INTO nothing VALUES (1)")
      ])
    let error = await #expect(throws: PostgresError.self) { try await broken.migrate() }
    #expect(error?.report.code == "store.migration-failed" && error?.description.contains("'broken'") == true)
    #expect(try await store.read { try $0.value("SELECT to_regclass('half')") } == .null)
    #expect(try await store.read(count) == 0)
    await store.close()
    await broken.close()
  }

  @Test func `readers do not write, and writers delete only what they added`() async throws {
    let lab = try Lab.shared()
    let owner = try lab.store()
    try await owner.migrate()
    for (user, role) in [("rae", "workbench_reader"), ("ann", "workbench_writer"), ("bob", "workbench_writer")] {
      try lab.addUser(user, role: role)
    }
    let (reader, ann, bob) = (try lab.store("rae"), try lab.store("ann"), try lab.store("bob"))
    try await ann.write(add)
    #expect(try await reader.read(count) == 1)
    #expect(await code { try await reader.write(add) } == "store.no-permission")
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
    let lab = try Lab(server, owner: "mia")
    let owner = try lab.store("mia")
    #expect(try await owner.migrate().map(\.code) == ["store.no-roles"])
    try await owner.write(add)
    try lab.superuser { connection in
      for role in ["reader", "writer", "owner"] { try connection.execute("CREATE ROLE workbench_\(role)") }
    }
    try lab.addUser("rae", role: "workbench_reader")
    try lab.addUser("olga", role: "workbench_owner")
    let reader = try lab.store("rae")
    #expect(await code { _ = try await reader.read(count) } == "store.no-permission")
    #expect(try await owner.migrate() == [])
    #expect(try await reader.read(count) == 1)
    // The schema belongs to its first owner.
    let upgrade = try lab.store("olga", migrations: itemsAndNotes)
    let error = await #expect(throws: PostgresError.self) { try await upgrade.migrate() }
    #expect(error?.description.contains("'\(lab.name("mia"))'") == true)
    for store in [owner, reader, upgrade] { await store.close() }
  }

  @Test func `a change is announced to its own client and to other clients that listen`() async throws {
    let lab = try Lab.shared()
    let (own, others) = (Events(), Events())
    let (writer, listener) = (try lab.store(onChange: own.add), try lab.store(onChange: others.add))
    try await writer.migrate()
    listener.listen()
    listener.listen()
    await others.next()
    try await writer.write(add)
    await own.next()
    await others.next()
    #expect(try await listener.read(count) == 1)
    // One that listens receives its own changes from the server.
    try await listener.write(add)
    await others.next()
    await writer.close()
    await listener.close()
  }

  @Test func `a listener reconnects after it loses its connection, and announces a change`() async throws {
    let lab = try Lab.shared()
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
    try await writer.write(add)
    await events.next()
    await writer.close()
    await listener.close()
    try await until { try lab.connections("LISTEN %") == 0 }
  }

  @Test func `a store reconnects to a restarted server`() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let lab = try Lab(server)
    let (store, other) = (try lab.store(), try lab.store())
    try await store.migrate()
    try await store.write(add)
    #expect(try await other.read(count) == 1)
    server.stop()
    #expect(await code { try await other.write(add) } == "store.unreachable")
    try server.start()
    try await store.write(add)
    try await other.write(add)
    #expect(try await store.read(count) == 3)
    await store.close()
    await other.close()
  }

  @Test func `a read whose connection is lost is retried, and a write is not`() async throws {
    let lab = try Lab.shared()
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
      return try count(connection)
    }
    #expect(found == 0 && runs.withLock { $0 } == 2)
    #expect(
      await code {
        try await store.write { connection in
          try add(connection)
          try lose(connection, in: 3)
        }
      } == "store.unreachable")
    #expect(runs.withLock { $0 } == 3)
    try await store.write(add)
    #expect(try await store.read(count) == 1)
    await store.close()
  }

  @Test func `cancellation ends a running statement and a queued access`() async throws {
    let lab = try Lab.shared()
    let store = try lab.store()
    try await store.migrate()
    let sleeping = Task { try await store.write { try $0.execute("SELECT pg_sleep(600)") } }
    try await until { try lab.connections("SELECT pg_sleep%") == 1 }
    let queued = Task { try await store.read(count) }
    queued.cancel()
    await #expect(throws: CancellationError.self) { try await queued.value }
    sleeping.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    #expect(try await store.read(count) == 0)
    await store.close()
  }

  @Test func `closing a store ends its accesses and connections`() async throws {
    let lab = try Lab.shared()
    let store = try lab.store()
    try await store.migrate()
    store.listen()
    let sleeping = Task { try await store.read { try $0.execute("SELECT pg_sleep(600)") } }
    try await until { try lab.connections("SELECT pg_sleep%") == 1 }
    let queued = Task { try await store.write(add) }
    await store.close()
    #expect(await code { _ = try await sleeping.value } == "store.closed")
    #expect(await code { try await queued.value } == "store.closed")
    #expect(await code { _ = try await store.read(count) } == "store.closed")
    store.listen()
    await store.close()
    try await until { try lab.connections("%") == 0 }
  }

  @Test func `releasing a store ends its listener`() async throws {
    let lab = try Lab.shared()
    let events = Events()
    var store: PostgresStore? = try lab.store(onChange: events.add)
    try await store?.migrate()
    store?.listen()
    await events.next()
    store = nil
    try await until { try lab.connections("%") == 0 }
  }
}
