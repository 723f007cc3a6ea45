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
  var statements: [String: Statement] = [:]
  var inUse: [ObjectIdentifier: Statement] = [:]
  var changedTables: Set<String> = []
  let observer: WriteObserver
  let waiter: LockWaiter

  static let keptStatements = 128

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

  private(set) var isClosed = false

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
