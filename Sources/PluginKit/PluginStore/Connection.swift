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
  var accessNumber = 0
  var ticket = AccessTicket()
  var isWritable = false
  var statements: [String: Statement] = [:]
  var inUse: [ObjectIdentifier: Statement] = [:]
  var changedTables: Set<String> = []
  let observer: WriteObserver
  let waiter: LockWaiter

  static let keptStatements = 128

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

  /// Whether the file was opened for reading alone.
  var isReadOnly: Bool { csqlite_db_readonly(handle, "main") == 1 }

  func close() {
    if isClosed { return }
    isClosed = true
    forgetStatements()
    csqlite_close_v2(handle)
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
  public var lastInsertedRow: Int { Int(csqlite_last_insert_rowid(handle)) }

  /// How many rows the last statement inserted, changed or deleted.
  public var changedRows: Int { Int(csqlite_changes64(handle)) }

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
      // A full disk has undone the whole access already.
      if csqlite_get_autocommit(handle) != 0 { throw error }
      try undo("ROLLBACK TO piece")
      try undo("RELEASE piece")
      throw error
    }
  }
}
