internal import CSQLite

extension Connection {
  func prepared(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws -> Statement {
    precondition(!isClosed, "a connection is used in its own access only")
    let statement = try kept(sql)
    statement.isInUse = true
    inUse[ObjectIdentifier(statement)] = statement
    do {
      try check(statement)
      precondition(
        statement.parameterCount == arguments.count,
        "'\(sql)' takes \(statement.parameterCount) arguments, not \(arguments.count)")
      for (index, argument) in arguments.enumerated() {
        let result = statement.bind(argument?.sqlValue ?? .null, at: index + 1)
        if result != SQLITE_OK { throw error(result, sql: sql) }
      }
    } catch {
      giveBack(statement)
      throw error
    }
    return statement
  }

  /// Copies the log into the file as far as no reader needs it, and truncates it if it is long and was copied
  /// completely.
  ///
  /// This does not wait for readers: the log is then truncated another time.
  /// - Parameter keptLogInBytes: The length that the log may keep, in bytes; nil for any length.
  /// - Source: SQLite, "PRAGMA wal_checkpoint", https://sqlite.org/pragma.html#pragma_wal_checkpoint.
  func checkpoint(keptLogInBytes: Int?) throws {
    let pages = try first("PRAGMA wal_checkpoint(PASSIVE)") { ($0.integer(1), $0.integer(2)) }
    guard let keptLogInBytes, let (inLog, copied) = pages, inLog == copied else { return }
    let pageSize = try value("PRAGMA page_size").integer ?? 0
    guard inLog * pageSize > keptLogInBytes else { return }
    waiter.isImpatient = true
    defer { waiter.isImpatient = false }
    _ = try value("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Returns a statement marked as in use, without arguments.
  func taken(_ sql: String) throws -> Statement {
    precondition(!isClosed, "a connection is used in its own access only")
    let statement = try kept(sql)
    statement.isInUse = true
    inUse[ObjectIdentifier(statement)] = statement
    do {
      try check(statement)
    } catch {
      giveBack(statement)
      throw error
    }
    return statement
  }

  func check(_ statement: Statement) throws {
    if !isWritable, !statement.isReadOnly {
      let message = "the access only reads"
      throw StoreError.writesWhileReading(
        StoreError.Failure(code: SQLITE_READONLY, message: message, sql: statement.sql, path: path))
    }
  }

  func kept(_ sql: String) throws -> Statement {
    if let known = statements[sql], !known.isInUse { return known }
    guard let (statement, rest) = try compileFirst(of: sql) else {
      let message = "there is no statement in the text"
      throw StoreError.failed(StoreError.Failure(code: SQLITE_MISUSE, message: message, sql: sql, path: path))
    }
    precondition(rest.allSatisfy { $0.isWhitespace || $0 == ";" }, "'\(sql)' is more than one statement: a script")
    if statements[sql] == nil {
      if statements.count >= Connection.keptStatements { forgetIdleStatements() }
      statements[sql] = statement
      statement.isKept = true
    }
    return statement
  }

  /// Compiles the first statement of a text.
  ///
  /// - Returns: The statement and the text after it; nil if there is none.
  func compileFirst(of sql: String) throws -> (Statement, String)? {
    var text = sql
    return try text.withUTF8 { bytes -> (Statement, String)? in
      var position = 0
      while position < bytes.count {
        let start = bytes.baseAddress.map { UnsafeRawPointer($0 + position).assumingMemoryBound(to: CChar.self) }
        var compiled: OpaquePointer?
        var tail: UnsafePointer<CChar>?
        observer.tables = []
        let result = csqlite_prepare_v3(
          handle, start, Int32(bytes.count - position), UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, &tail)
        if result != SQLITE_OK { throw error(result, sql: sql) }
        let consumed = zip(tail, start).map { $0 - $1 } ?? bytes.count - position
        position += consumed
        if let compiled {
          let rest = String(decoding: bytes[position...], as: UTF8.self)
          let own = String(decoding: bytes[(position - consumed)..<position], as: UTF8.self)
          return (Statement(sql: own, handle: compiled, changedTables: observer.tables), rest)
        }
        if consumed == 0 { break }
      }
      return nil
    }
  }

  /// Moves to the next row.
  ///
  /// - Returns: True if there is one.
  func step(_ statement: Statement) throws -> Bool {
    try checkCancellation()
    let before = statement.isReadOnly ? 0 : csqlite_total_changes64(handle)
    let result = statement.step()
    if !statement.isReadOnly, csqlite_total_changes64(handle) != before {
      changedTables.formUnion(statement.changedTables)
    }
    switch result {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw error(result, sql: statement.sql)
    }
  }

  func giveBack(_ statement: Statement) {
    inUse[ObjectIdentifier(statement)] = nil
    giveBackUnlisted(statement)
  }

  func giveBackUnlisted(_ statement: Statement) {
    statement.reset()
    if !statement.isKept { statement.finalize() }
  }

  func forgetIdleStatements() {
    for (sql, statement) in statements where !statement.isInUse {
      statement.finalize()
      statements[sql] = nil
    }
  }

  /// Finalizes all statements, as closing and replacing the content require.
  func forgetStatements() {
    endCursors()
    forgetIdleStatements()
  }

  /// Returns the error for a result code, with the connection's message.
  func error(_ code: Int32, sql: String?) -> any Error {
    let primary = code & 0xFF
    if ticket.isCancelled, primary == SQLITE_INTERRUPT || primary == SQLITE_BUSY { return CancellationError() }
    let extended = csqlite_extended_errcode(handle)
    return StoreError(
      code: extended & 0xFF == primary ? extended : code, message: String(cString: csqlite_errmsg(handle)), sql: sql,
      path: path, systemError: csqlite_system_errno(handle))
  }
}

/// Returns both values, if neither is nil.
private func zip<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
  guard let first, let second else { return nil }
  return (first, second)
}
