internal import PluginAPI

/// What can go wrong with a store.
public enum StoreError: Error, Equatable, Sendable {
  /// There is no room left on the device.
  case diskFull(Failure)
  /// The file or its folder cannot be written.
  case readOnly(Failure)
  /// Another process keeps the store locked for longer than the time to wait.
  case locked(Failure)
  /// The file is damaged.
  case corrupt(Failure)
  /// The file is no SQLite database.
  case notADatabase(path: String)
  /// The file was written by a newer version of the plugin.
  case newerSchema(path: String, found: Int, supported: Int)
  /// The file cannot be opened or reached.
  case cannotOpen(Failure)
  /// The content would break a rule of the schema: a unique column, a reference, a check.
  case constraint(Failure)
  /// A statement that writes was run in an access that only reads.
  case writesWhileReading(Failure)
  /// A migration failed; the store is as it was before it.
  case migrationFailed(version: Int, name: String, Failure)
  /// A backup is not one of this store.
  case foreignBackup(path: String, reason: String)
  /// There is a file already where a new one was to be made.
  case fileExists(path: String)
  /// The store was closed.
  case closed(path: String)
  /// SQLite refused a statement or failed in another way.
  case failed(Failure)

  /// What SQLite said, and where.
  ///
  /// The arguments of the statement are left out on purpose: they are people's data.
  public struct Failure: Equatable, Sendable {
    /// The extended result code of SQLite; the error number of the system where SQLite was not reached.
    public var code: Int32
    /// What it means, in SQLite's or the system's words.
    public var message: String
    /// The statement with its parameters unfilled; nil if there was none.
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
  /// The error in words, with what to do.
  public var description: String { report.description }
}
