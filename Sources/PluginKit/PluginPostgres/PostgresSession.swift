internal import PluginAPI

/// The connection of a store and its transactions.
// Only the store's thread uses it.
final class PostgresSession: @unchecked Sendable {
  /// The check of the running access, which the connection calls while it waits.
  private final class Cancellation {
    var isRequested: () -> Bool = { false }
  }

  private let address: PostgresAddress
  private let migrator: PostgresMigrator
  private let cancellation = Cancellation()
  private var connection: PostgresConnection?

  init(address: PostgresAddress, migrator: PostgresMigrator) {
    (self.address, self.migrator) = (address, migrator)
  }

  func close() {
    connection?.close()
    connection = nil
  }

  /// Runs a closure that reads one state, a second time if the connection is lost.
  func read<Result>(_ isCancelled: @escaping () -> Bool, _ body: (PostgresConnection) throws -> Result) throws -> Result
  {
    try access(isCancelled) {
      let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
      let connection = try begun(begin)
      do {
        return try connection.complete("COMMIT") { try body(connection) }
      } catch PostgresError.unreachable where !connection.isIdle {
        close()
        let connection = try begun(begin)
        return try connection.complete("COMMIT") { try body(connection) }
      }
    }
  }

  /// Runs a closure that writes.
  func write<Result>(
    _ isCancelled: @escaping () -> Bool, commit: String, _ body: (PostgresConnection) throws -> Result
  ) throws -> Result {
    try access(isCancelled) {
      let connection = try begun("BEGIN ISOLATION LEVEL READ COMMITTED")
      return try connection.complete(commit) { try body(connection) }
    }
  }

  /// Creates or migrates the store.
  func migrate(_ isCancelled: @escaping () -> Bool) throws -> [Diagnostic] {
    try access(isCancelled) { try onLiveConnection { try migrator.migrate($0) } }
  }

  private func access<Result>(_ isCancelled: @escaping () -> Bool, _ body: () throws -> Result) throws -> Result {
    cancellation.isRequested = isCancelled
    defer {
      cancellation.isRequested = { false }
      // The next access connects again.
      if let connection, !connection.isIdle { close() }
    }
    if isCancelled() { throw CancellationError() }
    return try body()
  }

  /// Returns the connection with a transaction in which the store has the code's version.
  private func begun(_ begin: String) throws -> PostgresConnection {
    try onLiveConnection { connection in
      while true {
        let found = try version(on: connection, begin)
        if found == migrator.target { return connection }
        connection.rollBack()
        if found > migrator.target { throw migrator.newerSchema(found) }
        _ = try migrator.migrate(connection)
      }
    }
  }

  /// Begins a transaction and returns the store's version.
  private func version(on connection: PostgresConnection, _ begin: String) throws -> Int {
    // A transaction that reads has its snapshot from its first query. The lock comes before: migrations, which need the
    // table alone, are completed by then, and wait for the end of the transaction.
    let script = """
      \(begin); LOCK TABLE \(migrator.table) IN ACCESS SHARE MODE; \
      SELECT version FROM \(migrator.table) WHERE store = \(PostgresQuoting.literal(migrator.store))
      """
    do {
      if let version = try connection.rows(script: script).first?[0].integer { return version }
      throw migrator.notShared
    } catch {
      connection.rollBack()
      // The states for a table and a schema that do not exist.
      if case PostgresError.failed(let failure) = error, ["42P01", "3F000"].contains(failure.state) {
        throw migrator.notShared
      }
      throw error
    }
  }

  /// Runs work that can be repeated: a second time, on a new connection, if that of the last access was lost since.
  private func onLiveConnection<Result>(_ work: (PostgresConnection) throws -> Result) throws -> Result {
    if let connection {
      do {
        return try work(connection)
      } catch PostgresError.unreachable where !connection.isIdle {
        close()
      }
    }
    return try work(connect())
  }

  private func connect() throws -> PostgresConnection {
    let connection = try PostgresConnection(address) { [cancellation] in cancellation.isRequested() }
    do {
      // The address, user or database may have set another time for locks; 0 means that none has.
      try connection.execute(
        """
        SELECT set_config('search_path', $1, false),
          set_config('lock_timeout', coalesce(nullif(current_setting('lock_timeout'), '0'), '30s'), false)
        """, [.text(PostgresQuoting.identifier(migrator.schema))])
    } catch {
      connection.close()
      throw error
    }
    self.connection = connection
    return connection
  }
}
