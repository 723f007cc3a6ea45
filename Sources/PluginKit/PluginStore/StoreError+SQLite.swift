internal import CSQLite
internal import Glibc

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
