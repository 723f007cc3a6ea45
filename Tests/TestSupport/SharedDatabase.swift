import Foundation
public import PluginPostgres
import Synchronization

/// The places where a store can be.
public enum StorePlace: String, Sendable {
  case local, shared

  /// The places of this machine; the suites of shared stores say so if the server is not installed.
  public static var available: [StorePlace] { PostgresServer.isInstalled ? [.local, .shared] : [.local] }
}

/// An empty database of a server, deleted with this.
public final class SharedDatabase: Sendable {
  private let server: String
  private let name: String
  private let schema: String

  /// Creates a database.
  ///
  /// - Parameters:
  ///   - schema: The schema of the statements that tests run.
  ///   - server: The server of a test that kills it; nil for the one of all other tests.
  public init(schema: String, on server: PostgresServer? = nil) throws {
    self.schema = schema
    self.server = try (server ?? PostgresServer.shared.get()).address
    name = "store_" + Self.word()
    try Self.run("CREATE DATABASE \(name)", at: self.server, schema)
  }

  deinit { _ = try? Self.run("DROP DATABASE \(name) WITH (FORCE)", at: server, schema) }

  private static func word() -> String { UUID().uuidString.lowercased().filter { $0 != "-" } }

  /// The address for the user who owns the database.
  public var address: String { address(of: nil) }

  /// Returns the address for a user; nil for the owner.
  public func address(of user: String?) -> String {
    let own = server.replacingOccurrences(of: "/postgres?", with: "/\(name)?")
    return user.map { own.replacingOccurrences(of: "//workbench@", with: "//\($0)@") } ?? own
  }

  /// Creates a user with a role, who logs in as the owner does.
  public func user(in role: String) throws -> String {
    let user = "user_" + Self.word()
    let secret = try rows("SELECT rolpassword FROM pg_authid WHERE rolname = current_user").first?[0].text ?? ""
    try run("CREATE ROLE \(user) LOGIN IN ROLE \(role) PASSWORD \(PostgresQuoting.literal(secret))")
    return user
  }

  /// Runs a statement as the owner, in the schema of the store.
  public func run(_ sql: String) throws { _ = try rows(sql) }

  /// Returns the rows of a statement, as the owner, in the schema of the store.
  @discardableResult
  public func rows(_ sql: String) throws -> [PostgresRow] { try Self.run(sql, at: address, schema) }

  @discardableResult
  private static func run(_ sql: String, at address: String, _ schema: String) throws -> [PostgresRow] {
    let connection = try PostgresConnection(PostgresAddress(address), timeoutInSeconds: 60)
    defer { connection.close() }
    try connection.execute("SET search_path = \(schema)")
    return try connection.rows(sql)
  }
}

/// Faults of the server.
extension SharedDatabase {
  /// Has the server's process for a client killed when that inserts a row; the server ends all connections and recovers.
  ///
  /// - Parameter condition: A condition for the row `new`, in SQL.
  private func crash(onInsertInto table: String, where condition: String) throws {
    try run(
      """
      CREATE OR REPLACE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN COPY (SELECT 1) TO PROGRAM 'kill -9 $PPID'; RETURN new; END $$
      """)
    try run("CREATE TRIGGER crash BEFORE INSERT ON \(table) FOR EACH ROW WHEN (\(condition)) EXECUTE FUNCTION crash()")
  }

  /// The moment of a crash while a store is shared.
  public enum CrashMoment: Sendable {
    /// A report of progress, counted from 0.
    case report(Int)
    /// The insertion of a row that meets a condition for the row `new`, in SQL.
    case insertion(into: String, where: String)
  }

  /// Shares a store until the server crashes, and waits until the server accepts connections again.
  ///
  /// - Parameter share: Shares the store, and calls its argument at each report of progress.
  /// - Throws: The error of the share; ``PostgresServer/NotStarted`` and others if the server does not crash or recover.
  public func crash(
    _ server: PostgresServer, at moment: CrashMoment,
    during share: (@escaping @Sendable () -> Void) async throws -> Void
  ) async throws {
    switch moment {
    case .report(let number):
      let reports = Mutex((count: 0, crash: Result<Void, any Error>.success(())))
      let result = await outcome {
        try await share {
          reports.withLock { reports in
            if reports.count == number { reports.crash = Result { try server.crash() } }
            reports.count += 1
          }
        }
      }
      try reports.withLock { $0.crash }.get()
      try server.start()
      try result.get()
    case .insertion(let table, let condition):
      try crash(onInsertInto: table, where: condition)
      let result = await outcome { try await share {} }
      guard recover(table) else { throw PostgresServer.NotStarted() }
      try result.get()
    }
  }

  private func outcome(_ body: () async throws -> Void) async -> Result<Void, any Error> {
    do { return .success(try await body()) } catch { return .failure(error) }
  }

  /// Waits until the server has recovered from such a crash, which happens only once.
  ///
  /// - Returns: False if it does not.
  private func recover(_ table: String) -> Bool {
    polls { (try? run("DROP TRIGGER IF EXISTS crash ON \(table)")) != nil }
  }

  /// Has the server run a statement before it inserts or updates a row, until the trigger `altering` is dropped.
  ///
  /// - Parameters:
  ///   - condition: A condition for the row `new`, in SQL.
  ///   - statement: A statement of PL/pgSQL that changes the row `new`, or `RETURN NULL` to drop it.
  public func alter(_ table: String, where condition: String = "true", by statement: String) throws {
    try run(
      """
      CREATE FUNCTION altering() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(statement); RETURN new; END $$
      """)
    try run(
      """
      CREATE TRIGGER altering BEFORE INSERT OR UPDATE ON \(table) FOR EACH ROW WHEN (\(condition))
        EXECUTE FUNCTION altering()
      """)
  }
}
