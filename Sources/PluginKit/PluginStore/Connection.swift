internal import CSQLite

/// The connection to a store's file, inside an access.
///
/// It belongs to the store's thread and to one access at a time: never keep it, or rows made by it, beyond the closure.
/// Statements are compiled once and cached. Arguments are bound to `?` in order:
///
/// ```swift
/// try connection.execute("INSERT INTO station (name, height) VALUES (?, ?)", ["Brest", 4.13])
/// ```
public final class Connection {
  let path: String
  let handle: OpaquePointer
  /// The number of the current access, used to detect objects that outlive theirs.
  var accessNumber = 0
  var ticket = AccessTicket()
  var isWritable = false
  private var statements: [String: Statement] = [:]
  private var inUse: [ObjectIdentifier: Statement] = [:]
  var changedTables: Set<String> = []
  private let observer: WriteObserver
  let waiter: LockWaiter

  private static let keptStatements = 128

  /// Takes ownership of an open connection.
  init(handle: OpaquePointer, path: String, lockTimeoutInSeconds: Double) {
    self.handle = handle
    self.path = path
    observer = WriteObserver()
    waiter = LockWaiter(timeoutInSeconds: lockTimeoutInSeconds)
    observer.attach(to: handle)
    waiter.attach(to: handle)
  }

  deinit { close() }

  private var isClosed = false

  /// A Boolean value indicating whether the file was opened read-only.
  var isReadOnly: Bool { csqlite_db_readonly(handle, "main") == 1 }

  func close() {
    if isClosed { return }
    isClosed = true
    forgetStatements()
    csqlite_close_v2(handle)
  }

  /// Runs one statement to its end and discards its rows.
  ///
  /// - Parameters:
  ///   - sql: One statement with `?` for each argument.
  ///   - arguments: One for each `?`; nil binds null.
  /// - Throws: ``StoreError``; `CancellationError` if the task that waits for the access was canceled.
  public func execute(_ sql: String, _ arguments: [(any SQLConvertible)?] = []) throws {
    let statement = try prepared(sql, arguments)
    defer { giveBack(statement) }
    while try step(statement) {}
  }

  /// Runs a text of several statements without arguments.
  ///
  /// - Throws: ``StoreError``; `CancellationError` if the task that waits for the access was canceled.
  public func execute(script: String) throws {
    var rest = Substring(script)
    while let (statement, tail) = try compileFirst(of: String(rest)) {
      defer { statement.finalize() }
      try check(statement)
      while try step(statement) {}
      rest = Substring(tail)
    }
  }

  /// Returns the rows of a query, which are read on demand.
  public func rows(_ sql: String, _ arguments: [(any SQLConvertible)?] = []) throws -> Rows {
    Rows(connection: self, statement: try prepared(sql, arguments))
  }

  /// Calls a closure with every row of a query.
  public func forEach(
    _ sql: String, _ arguments: [(any SQLConvertible)?] = [], _ body: (Row) throws -> Void
  ) throws {
    let rows = try rows(sql, arguments)
    while let row = try rows.next() { try body(row) }
  }

  /// Returns an element made from each row of a query.
  public func list<Element>(
    _ sql: String, _ arguments: [(any SQLConvertible)?] = [], _ make: (Row) throws -> Element
  ) throws -> [Element] {
    let rows = try rows(sql, arguments)
    var elements: [Element] = []
    while let row = try rows.next() { elements.append(try make(row)) }
    return elements
  }

  /// Returns an element made from the first row of a query; nil if there are no rows.
  public func first<Element>(
    _ sql: String, _ arguments: [(any SQLConvertible)?] = [], _ make: (Row) throws -> Element
  ) throws -> Element? {
    try rows(sql, arguments).next().map(make)
  }

  /// Returns the first column of the first row of a query; null if there are no rows.
  public func value(_ sql: String, _ arguments: [(any SQLConvertible)?] = []) throws -> SQLValue {
    try first(sql, arguments) { $0[0] } ?? .null
  }

  /// The number of the most recently inserted row.
  public var lastInsertedRow: Int { Int(csqlite_last_insert_rowid(handle)) }

  /// The number of rows that the last statement inserted, changed or deleted.
  public var changedRows: Int { Int(csqlite_changes64(handle)) }

  /// Throws `CancellationError` if the task that waits for the access was canceled.
  ///
  /// Statements check this themselves.
  public func checkCancellation() throws {
    if ticket.isCancelled { throw CancellationError() }
  }

  /// Runs a piece of work that is rolled back as a whole if it throws, while the access continues.
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("SAVEPOINT piece")
    do {
      let result = try body()
      try execute("RELEASE piece")
      return result
    } catch {
      // A full disk has already rolled back the whole access.
      if csqlite_get_autocommit(handle) != 0 { throw error }
      try undo("ROLLBACK TO piece")
      try undo("RELEASE piece")
      throw error
    }
  }
}

extension Connection {
  private func prepared(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws -> Statement {
    let statement = try taken(sql)
    precondition(
      statement.parameterCount == arguments.count,
      "'\(sql)' takes \(statement.parameterCount) arguments, not \(arguments.count)")
    do {
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

  private func check(_ statement: Statement) throws {
    if !isWritable, !statement.isReadOnly {
      let message = "the access is read-only"
      throw StoreError.writesWhileReading(
        StoreError.Failure(code: SQLITE_READONLY, message: message, sql: statement.sql, path: path))
    }
  }

  private func kept(_ sql: String) throws -> Statement {
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
  private func compileFirst(of sql: String) throws -> (Statement, String)? {
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

  private func giveBackUnlisted(_ statement: Statement) {
    statement.reset()
    if !statement.isKept { statement.finalize() }
  }

  private func forgetIdleStatements() {
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

extension Connection {
  /// Runs an access atomically, on one state of the store.
  ///
  /// - Returns: The result of the body, and the tables that changed.
  func access<Result>(
    _ ticket: AccessTicket, isWriting: Bool, _ body: (Connection) throws -> Result
  ) throws -> (Result, Set<String>) {
    self.ticket = ticket
    waiter.ticket = ticket
    ticket.setRunning(handle)
    defer { endAccess() }
    try checkCancellation()
    isWritable = true
    try execute(isWriting ? "BEGIN IMMEDIATE" : "BEGIN")
    isWritable = isWriting
    do {
      let result = try body(self)
      endCursors()
      isWritable = true
      try execute("COMMIT")
      return (result, changedTables)
    } catch {
      endCursors()
      isWritable = true
      // A full disk or a lost lock has ended the transaction already.
      if csqlite_get_autocommit(handle) == 0 { try? undo("ROLLBACK") }
      throw error
    }
  }

  /// Runs a body on the connection without a transaction.
  func withoutTransaction<Result>(_ ticket: AccessTicket, _ body: (Connection) throws -> Result) throws -> Result {
    self.ticket = ticket
    waiter.ticket = ticket
    ticket.setRunning(handle)
    isWritable = true
    defer { endAccess() }
    try checkCancellation()
    return try body(self)
  }

  private func endAccess() {
    ticket.setRunning(nil)
    endCursors()
    accessNumber += 1
    isWritable = false
    changedTables = []
    ticket = AccessTicket()
    waiter.ticket = nil
  }

  private func endCursors() {
    for statement in inUse.values { giveBackUnlisted(statement) }
    inUse = [:]
  }

  /// Runs a statement that must also work after cancellation.
  private func undo(_ sql: String) throws {
    ticket.setRunning(nil)
    let cancelled = ticket
    ticket = AccessTicket()
    defer { ticket = cancelled }
    try execute(sql)
  }
}

/// Returns both values, if neither is nil.
private func zip<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
  guard let first, let second else { return nil }
  return (first, second)
}
