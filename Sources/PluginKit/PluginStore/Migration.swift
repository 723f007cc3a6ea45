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
