internal import CSQLite
internal import Glibc
public import PluginAPI

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
  /// There is no file at the path of a backup.
  case noBackup(path: String)
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

/// The errors that only stores in a file cause.
private enum FileError {
  static let damaged = DeclaredError("store.damaged", .unusableInput, "the file is damaged; restore a backup")
  static let notADatabase = DeclaredError(
    "store.not-a-database", .unusableInput, "the file is not an SQLite database")
  static let cannotOpen = DeclaredError("store.cannot-open", .failure, "the file cannot be opened")
  static let noBackup = DeclaredError(cannotOpen.code, .notFound, cannotOpen.summary)
  static let writesWhileReading = DeclaredError(
    "store.writes-while-reading", .failure,
    "the plugin writes during a read; report it to the plugin's author")
  static let foreignBackup = DeclaredError(
    "store.foreign-backup", .unusableInput, "the file is not a backup of this store")
  static let fileExists = DeclaredError("store.file-exists", .refused, "the file to be created already exists")
}

extension StoreError: ReportableError {
  /// The error as users and scripts see it.
  public var report: ErrorReport {
    switch self {
    case .diskFull(let failure):
      failure.report(CommonStoreError.diskFull, "no space left for store '\(failure.path)'", "free some space")
    case .readOnly(let failure):
      failure.report(
        CommonStoreError.readOnly, "cannot write store '\(failure.path)': \(failure.message)",
        "make the file and its folder writable, or use another folder with '--home'")
    case .locked(let failure):
      failure.report(
        CommonStoreError.locked, "store '\(failure.path)' is in use by another process",
        "wait until it ends, then try again", isRetryable: true)
    case .corrupt(let failure):
      failure.report(
        FileError.damaged, "store '\(failure.path)' is damaged: \(failure.message)",
        "restore a backup with 'workbench store restore'")
    case .notADatabase(let path):
      FileError.notADatabase(
        "'\(path)' is not an SQLite database",
        advice: "name another file, or restore a backup with 'workbench store restore'", details: ["path": .text(path)])
    case .newerSchema(let path, let found, let supported):
      CommonStoreError.newerSchema(
        "store '\(path)' has schema version \(found); this plugin supports versions up to \(supported)",
        advice: "use the newer version of the plugin that wrote it", details: ["path": .text(path)])
    case .cannotOpen(let failure):
      failure.report(
        FileError.cannotOpen, "cannot open store '\(failure.path)': \(failure.message)",
        "check that the path and its folder exist and are yours")
    case .constraint(let failure):
      failure.report(
        CommonStoreError.constraint,
        "the data violates the schema of store '\(failure.path)': \(failure.message)", nil)
    case .writesWhileReading(let failure):
      failure.report(
        FileError.writesWhileReading,
        "'\(failure.sql ?? "")' writes to store '\(failure.path)' during a read", "run it inside 'write'")
    case .migrationFailed(let version, let name, let failure):
      failure.report(
        CommonStoreError.migrationFailed,
        "store '\(failure.path)' is unchanged: migration \(version) '\(name)' failed: \(failure.message)",
        "report this to the plugin's author")
    case .noBackup(let path):
      FileError.noBackup("backup '\(path)' not found", advice: "check the path", details: ["path": .text(path)])
    case .foreignBackup(let path, let reason):
      FileError.foreignBackup(
        "'\(path)' is not a backup of this store: \(reason)",
        advice: "name a file made by 'workbench store backup'", details: ["path": .text(path)])
    case .fileExists(let path):
      FileError.fileExists("'\(path)' already exists", advice: "choose another name", details: ["path": .text(path)])
    case .closed(let path): CommonStoreError.closed("store '\(path)' was closed", details: ["path": .text(path)])
    case .failed(let failure):
      failure.report(CommonStoreError.failed, "store '\(failure.path)' failed: \(failure.message)", nil)
    }
  }

  /// The codes of all errors and diagnostics of stores, for a plugin's contributions.
  public static var errorCodes: [ErrorCodeDescription] {
    [CommonStoreError.diskFull, CommonStoreError.readOnly, CommonStoreError.locked, FileError.damaged]
      .map(\.catalogueEntry) + [
        ErrorCodeDescription("store.dangling-reference", "a row refers to a missing row"),
        ErrorCodeDescription(
          "store.readable-by-others", "other users can read the file; make it private with chmod 600"),
      ]
      + [
        FileError.notADatabase, CommonStoreError.newerSchema, FileError.cannotOpen, CommonStoreError.constraint,
        FileError.writesWhileReading, CommonStoreError.migrationFailed, FileError.foreignBackup, FileError.fileExists,
        CommonStoreError.closed, CommonStoreError.failed,
      ].map(\.catalogueEntry)
  }
}

extension StoreError.Failure {
  fileprivate func report(
    _ declared: DeclaredError, _ sentence: String, _ advice: String?, isRetryable: Bool = false
  ) -> ErrorReport {
    declared(
      sentence, advice: advice,
      details: ["path": .text(path), "sqlite": .integer(Int(code)), "sql": .optional(sql)], isRetryable: isRetryable)
  }
}

extension StoreError {
  /// Creates the error for a result code of SQLite.
  ///
  /// - Parameters:
  ///   - code: The extended result code.
  ///   - message: SQLite's message.
  ///   - sql: The statement without its arguments.
  ///   - path: The file.
  ///   - systemError: The error number of the underlying system call, 0 if there was none.
  /// - Source: SQLite, "Result and Error Codes", https://sqlite.org/rescode.html.
  init(code: Int32, message: String, sql: String?, path: String, systemError: Int32 = 0) {
    let failure = Failure(code: code, message: message, sql: sql, path: path)
    switch code & 0xFF {
    case SQLITE_FULL: self = .diskFull(failure)
    case SQLITE_READONLY: self = .readOnly(failure)
    case SQLITE_BUSY, SQLITE_LOCKED: self = .locked(failure)
    case SQLITE_CORRUPT: self = .corrupt(failure)
    case SQLITE_NOTADB: self = .notADatabase(path: path)
    case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH: self = .constraint(failure)
    case SQLITE_IOERR where systemError == ENOSPC || systemError == EDQUOT: self = .diskFull(failure)
    case SQLITE_IOERR where code == csqlite_ioerr_short_read: self = .corrupt(failure)
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_IOERR:
      self = StoreError.unreachable(failure, systemError: systemError)
    default: self = .failed(failure)
    }
  }

  private static func unreachable(_ failure: Failure, systemError: Int32) -> StoreError {
    switch systemError {
    case EACCES, EPERM, EROFS: .readOnly(failure)
    case ENOSPC, EDQUOT: .diskFull(failure)
    default: failure.code & 0xFF == SQLITE_CANTOPEN ? .cannotOpen(failure) : .failed(failure)
    }
  }

  /// Creates the error for a failed system call.
  init(systemError: Int32, path: String) {
    let message = String(cString: strerror(systemError))
    let failure = Failure(code: systemError, message: message, sql: nil, path: path)
    switch systemError {
    case ENOSPC, EDQUOT: self = .diskFull(failure)
    case EACCES, EPERM, EROFS: self = .readOnly(failure)
    default: self = .cannotOpen(failure)
    }
  }
}
