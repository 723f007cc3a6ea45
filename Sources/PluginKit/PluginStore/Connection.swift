internal import CSQLite

/// The connection to a store's file, inside an access.
///
/// Belongs to the store's thread and to one access at a time: never keep it, or rows made by it, beyond the closure.
/// Statements are compiled once and kept. Arguments are bound to `?` in order:
///
/// ```swift
/// try connection.execute("INSERT INTO station (name, height) VALUES (?, ?)", ["Brest", 4.13])
/// ```
public final class Connection {
  let path: String
  let handle: OpaquePointer
  /// Counts accesses, so that what outlives its own is noticed.
  private(set) var accessNumber = 0
  private var ticket = AccessTicket()
  private var isWritable = false
  private var statements: [String: Statement] = [:]
  private var inUse: [ObjectIdentifier: Statement] = [:]
  private var changedTables: Set<String> = []
  private let observer: WriteObserver
  private let waiter: LockWaiter

  private static let keptStatements = 128

  /// Takes over an open connection.
  init(handle: OpaquePointer, path: String, lockTimeoutInSeconds: Double) {
    self.handle = handle
    self.path = path
    observer = WriteObserver()
    waiter = LockWaiter(timeoutInSeconds: lockTimeoutInSeconds)
    observer.attach(to: handle)
    waiter.attach(to: handle)
  }

  deinit { close() }

  private(set) var isClosed = false

  func close() {
    if isClosed { return }
    isClosed = true
    forgetStatements()
    sqlite3_close_v2(handle)
  }

  /// Runs one statement to its end and drops the rows it gives.
  ///
  /// - Parameters:
  ///   - sql: One statement with `?` for each argument.
  ///   - arguments: As many as there are `?`; nil binds null.
  /// - Throws: ``StoreError``; `CancellationError` if whoever waits for the access was cancelled.
  public func execute(_ sql: String, _ arguments: [(any SQLConvertible)?] = []) throws {
    let statement = try prepared(sql, arguments)
    defer { giveBack(statement) }
    while try step(statement) {}
  }

  /// Runs a text of several statements without arguments.
  ///
  /// - Throws: ``StoreError``; `CancellationError` if whoever waits for the access was cancelled.
  public func execute(script: String) throws {
    var rest = Substring(script)
    while let (statement, tail) = try compileFirst(of: String(rest)) {
      defer { statement.finalize() }
      try check(statement)
      while try step(statement) {}
      rest = Substring(tail)
    }
  }

  /// The rows of a query, read while they are asked for.
  public func rows(_ sql: String, _ arguments: [(any SQLConvertible)?] = []) throws -> Rows {
    Rows(connection: self, statement: try prepared(sql, arguments))
  }

  /// Calls back for every row of a query.
  public func forEach(
    _ sql: String, _ arguments: [(any SQLConvertible)?] = [], _ body: (Row) throws -> Void
  ) throws {
    let rows = try rows(sql, arguments)
    while let row = try rows.next() { try body(row) }
  }

  /// Makes an element of every row of a query.
  public func list<Element>(
    _ sql: String, _ arguments: [(any SQLConvertible)?] = [], _ make: (Row) throws -> Element
  ) throws -> [Element] {
    let rows = try rows(sql, arguments)
    var elements: [Element] = []
    while let row = try rows.next() { elements.append(try make(row)) }
    return elements
  }

  /// Makes an element of the first row of a query; nil if it gives none.
  public func first<Element>(
    _ sql: String, _ arguments: [(any SQLConvertible)?] = [], _ make: (Row) throws -> Element
  ) throws -> Element? {
    try rows(sql, arguments).next().map(make)
  }

  /// The first column of the first row of a query; null if it gives none.
  public func value(_ sql: String, _ arguments: [(any SQLConvertible)?] = []) throws -> SQLValue {
    try first(sql, arguments) { $0[0] } ?? .null
  }

  /// The number of the row that was inserted last.
  public var lastInsertedRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

  /// How many rows the last statement inserted, changed or deleted.
  public var changedRows: Int { Int(sqlite3_changes64(handle)) }

  /// Throws `CancellationError` if whoever waits for the access was cancelled; statements look by themselves.
  public func checkCancellation() throws {
    if ticket.isCancelled { throw CancellationError() }
  }

  /// Runs a piece of work that is undone as a whole if it throws, while the access goes on.
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("SAVEPOINT piece")
    do {
      let result = try body()
      try execute("RELEASE piece")
      return result
    } catch {
      try undo("ROLLBACK TO piece")
      try undo("RELEASE piece")
      throw error
    }
  }
}

// Accesses.
extension Connection {
  /// Runs an access: all of it or nothing happens, and it sees one state of the store.
  ///
  /// - Returns: What the body gives, and the tables that changed.
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
      if sqlite3_get_autocommit(handle) == 0 { try? undo("ROLLBACK") }
      throw error
    }
  }

  /// Runs a body on the connection without a transaction around it.
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

// Statements.
extension Connection {
  private func prepared(_ sql: String, _ arguments: [(any SQLConvertible)?]) throws -> Statement {
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

  private func check(_ statement: Statement) throws {
    if !isWritable, !statement.isReadOnly {
      let message = "the access only reads"
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
  /// - Returns: The statement and the text behind it; nil if there is none.
  private func compileFirst(of sql: String) throws -> (Statement, String)? {
    var text = sql
    return try text.withUTF8 { bytes -> (Statement, String)? in
      var position = 0
      while position < bytes.count {
        let start = bytes.baseAddress.map { UnsafeRawPointer($0 + position).assumingMemoryBound(to: CChar.self) }
        var compiled: OpaquePointer?
        var tail: UnsafePointer<CChar>?
        observer.tables = []
        let result = sqlite3_prepare_v3(
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
  /// - Returns: Whether there is one.
  func step(_ statement: Statement) throws -> Bool {
    try checkCancellation()
    let before = statement.isReadOnly ? 0 : sqlite3_total_changes64(handle)
    let result = statement.step()
    if !statement.isReadOnly, sqlite3_total_changes64(handle) != before {
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

  /// Lets go of all statements, as closing and replacing the content need it.
  func forgetStatements() {
    endCursors()
    forgetIdleStatements()
  }

  /// The error for a result code, with what the connection says about it.
  func error(_ code: Int32, sql: String?) -> any Error {
    let primary = code & 0xFF
    if ticket.isCancelled, primary == SQLITE_INTERRUPT || primary == SQLITE_BUSY { return CancellationError() }
    let extended = sqlite3_extended_errcode(handle)
    return StoreError(
      code: extended & 0xFF == primary ? extended : code, message: String(cString: sqlite3_errmsg(handle)), sql: sql,
      path: path, systemError: sqlite3_system_errno(handle))
  }
}

/// Both values, if there are both.
private func zip<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
  guard let first, let second else { return nil }
  return (first, second)
}
