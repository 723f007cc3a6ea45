internal import CSQLite

/// A numbered step from one version of a store's schema to the next.
///
/// Never edit a released migration: add a new one.
public struct Migration: Sendable {
  /// The schema version after the migration; the first is 1, and each further one is one more.
  public let version: Int
  /// A short description, for messages.
  public let name: String
  let body: @Sendable (Connection) throws -> Void

  /// Creates a migration of SQL statements.
  public init(_ version: Int, _ name: String, sql: String) {
    self.init(version, name) { try $0.execute(script: sql) }
  }

  /// Creates a migration of code, which runs in a transaction and must not end it.
  public init(_ version: Int, _ name: String, _ body: @escaping @Sendable (Connection) throws -> Void) {
    self.version = version
    self.name = name
    self.body = body
  }
}

/// Updates a file to the schema version of the code.
struct Migrator: Sendable {
  let migrations: [Migration]

  /// The newest version.
  var target: Int { migrations.count }

  init(_ migrations: [Migration]) {
    precondition(
      migrations.map(\.version) == Array(1...max(1, migrations.count)).prefix(migrations.count).map { $0 },
      "migrations are numbered 1, 2, 3 … without a gap")
    self.migrations = migrations
  }

  /// Runs the migrations that the file lacks, each in a transaction of its own.
  ///
  /// References are checked only at the end of each migration, so that it may rebuild tables.
  /// - Source: SQLite, "ALTER TABLE", section 7, https://sqlite.org/lang_altertable.html.
  func migrate(_ connection: Connection) throws {
    let found = try supportedVersion(of: connection)
    if found == target { return }
    try connection.execute("PRAGMA foreign_keys = OFF")
    for migration in migrations.dropFirst(found) { try run(migration, on: connection) }
    try connection.execute("PRAGMA foreign_keys = ON")
  }

  /// Returns the schema version of a file, 0 for a new one.
  ///
  /// - Throws: ``StoreError/corrupt(_:)`` for an impossible version; ``StoreError/newerSchema(path:found:supported:)``.
  func supportedVersion(of connection: Connection) throws -> Int {
    let found = try Migrator.version(of: connection)
    if found > target { throw StoreError.newerSchema(path: connection.path, found: found, supported: target) }
    return found
  }

  private static func version(of connection: Connection) throws -> Int {
    let version = try connection.value("PRAGMA user_version").integer ?? 0
    guard version >= 0 else {
      throw StoreError.corrupt(
        StoreError.Failure(
          code: SQLITE_CORRUPT, message: "its schema version \(version) is impossible", path: connection.path))
    }
    return version
  }

  private func run(_ migration: Migration, on connection: Connection) throws {
    try connection.execute("BEGIN IMMEDIATE")
    do {
      // Another process may have done it while this one waited for the lock.
      if try Migrator.version(of: connection) < migration.version {
        try migration.body(connection)
        try checkReferences(connection)
        try connection.execute("PRAGMA user_version = \(migration.version)")
      }
      try connection.execute("COMMIT")
    } catch {
      if csqlite_get_autocommit(connection.handle) == 0 { try? connection.execute("ROLLBACK") }
      throw Migrator.wrapped(error, migration, path: connection.path)
    }
  }

  private func checkReferences(_ connection: Connection) throws {
    guard let table = try connection.first("PRAGMA foreign_key_check", [], { $0.text(0) }) else { return }
    throw StoreError.constraint(
      StoreError.Failure(
        code: csqlite_constraint_foreignkey, message: "rows of table '\(table)' refer to missing rows",
        path: connection.path))
  }

  /// Returns environment errors unchanged, and other errors as a failure of the migration.
  private static func wrapped(_ error: any Error, _ migration: Migration, path: String) -> any Error {
    switch error {
    case StoreError.failed(let failure), StoreError.constraint(let failure):
      StoreError.migrationFailed(version: migration.version, name: migration.name, failure)
    case is StoreError, is CancellationError: error
    default:
      StoreError.migrationFailed(
        version: migration.version, name: migration.name,
        StoreError.Failure(code: SQLITE_ERROR, message: "\(error)", path: path))
    }
  }
}
