internal import PluginAPI

/// An error of a store.
public enum StoreError: Error, Equatable, Sendable {
  /// The device is full.
  case diskFull(Failure)
  /// The file or its folder cannot be written.
  case readOnly(Failure)
  /// Another process holds the lock of the store beyond the time limit.
  case locked(Failure)
  /// The file is damaged.
  case corrupt(Failure)
  /// The file is not an SQLite database.
  case notADatabase(path: String)
  /// The file was written by a newer version of the plugin.
  case newerSchema(path: String, found: Int, supported: Int)
  /// The file cannot be opened or reached.
  case cannotOpen(Failure)
  /// The content would violate a constraint of the schema: a unique column, a reference or a check.
  case constraint(Failure)
  /// A writing statement was run in a reading access.
  case writesWhileReading(Failure)
  /// A migration failed; the store is as it was before the migration.
  case migrationFailed(version: Int, name: String, Failure)
  /// A backup does not belong to this store.
  case foreignBackup(path: String, reason: String)
  /// The file to be created already exists.
  case fileExists(path: String)
  /// The store was closed.
  case closed(path: String)
  /// SQLite refused a statement or failed in another way.
  case failed(Failure)

  /// A failure reported by SQLite, and its origin.
  ///
  /// The arguments of the statement are omitted on purpose: they are personal data.
  public struct Failure: Equatable, Sendable {
    /// The extended result code of SQLite, or the system's error number if the failure was outside SQLite.
    public var code: Int32
    /// The meaning of the code, as SQLite or the system puts it.
    public var message: String
    /// The statement without its arguments; nil if there was none.
    public var sql: String?
    /// The file.
    public var path: String

    /// Creates a failure.
    public init(code: Int32, message: String, sql: String? = nil, path: String) {
      self.code = code
      self.message = message
      self.sql = sql
      self.path = path
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// The error in words, with advice.
  public var description: String { report.description }
}
