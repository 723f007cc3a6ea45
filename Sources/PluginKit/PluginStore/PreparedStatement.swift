internal import CSQLite

/// A statement that is compiled once and run many times, with arguments bound by index and type.
///
/// For many rows: it creates no array of arguments and boxes no values. It must not outlive its access.
///
/// ```swift
/// let insert = try connection.statement("INSERT INTO station (name, height) VALUES (?, ?)")
/// for station in stations {
///   try insert.bind(station.name, at: 1)
///   try insert.bind(station.height, at: 2)
///   try insert.run()
/// }
/// ```
///
/// Arguments remain bound for later runs until they are bound again.
public final class PreparedStatement {
  private let connection: Connection
  private let statement: Statement
  private let access: Int
  private var isNoted = false

  init(connection: Connection, statement: Statement) {
    self.connection = connection
    self.statement = statement
    access = connection.accessNumber
  }

  deinit {
    if connection.accessNumber == access { connection.giveBack(statement) }
  }

  private func check(_ result: Int32) throws {
    if result != SQLITE_OK { throw connection.error(result, sql: statement.sql) }
  }

  private func checkAccess() {
    precondition(connection.accessNumber == access, "a statement lives no longer than the access it was made in")
  }

  // MARK: Arguments

  /// Binds a whole number to a parameter, counted from 1.
  public func bind(_ value: Int, at place: Int) throws {
    checkAccess()
    try check(csqlite_bind_int64(statement.handle, Int32(place), Int64(value)))
  }

  /// Binds a number to a parameter, counted from 1.
  public func bind(_ value: Double, at place: Int) throws {
    checkAccess()
    try check(csqlite_bind_double(statement.handle, Int32(place), value))
  }

  /// Binds a text to a parameter, counted from 1; all characters are kept, including NUL.
  public func bind(_ text: String, at place: Int) throws {
    var text = text
    try text.withUTF8 { try bind(utf8: $0, at: place) }
  }

  /// Binds a text in UTF-8 to a parameter, counted from 1; the bytes are copied.
  public func bind(utf8 text: UnsafeBufferPointer<UInt8>, at place: Int) throws {
    checkAccess()
    try check(csqlite_bind_text(statement.handle, Int32(place), text.baseAddress, UInt64(text.count)))
  }

  /// Binds bytes to a parameter, counted from 1; they are copied.
  public func bind(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) throws {
    checkAccess()
    try check(csqlite_bind_blob(statement.handle, Int32(place), bytes.baseAddress, UInt64(bytes.count)))
  }

  /// Binds bytes to a parameter, counted from 1.
  public func bind(_ bytes: [UInt8], at place: Int) throws {
    try bytes.withUnsafeBufferPointer { try bind($0, at: place) }
  }

  /// Binds null to a parameter, counted from 1.
  public func bindNull(at place: Int) throws {
    checkAccess()
    try check(csqlite_bind_null(statement.handle, Int32(place)))
  }

  // MARK: Running

  /// Moves to the next row.
  ///
  /// - Returns: True if there is one; the statement must then be reset before arguments are bound again.
  /// - Throws: ``StoreError``; `CancellationError` if the task that waits for the access was canceled.
  public func step() throws -> Bool {
    checkAccess()
    if isNoted || statement.isReadOnly {
      try connection.checkCancellation()
      switch statement.step() {
      case SQLITE_ROW: return true
      case SQLITE_DONE: return false
      case let code: throw connection.error(code, sql: statement.sql)
      }
    }
    let before = connection.totalChanges
    let isRow = try connection.step(statement)
    isNoted = connection.totalChanges != before
    return isRow
  }

  /// Ends a run and keeps the bound arguments.
  public func reset() {
    checkAccess()
    statement.rewind()
  }

  /// Runs to the end, discards rows, and resets.
  public func run() throws {
    defer { reset() }
    while try step() {}
  }

  // MARK: Columns of the row

  /// Returns true if a column, counted from 0, is null.
  public func isNull(_ column: Int) -> Bool { csqlite_column_type(statement.handle, Int32(column)) == SQLITE_NULL }

  /// Returns the whole number in a column, counted from 0; 0 for null.
  public func integer(_ column: Int) -> Int { Int(csqlite_column_int64(statement.handle, Int32(column))) }

  /// Returns the text in a column, counted from 0; empty for null.
  public func text(_ column: Int) -> String { withText(column) { String(decoding: $0, as: UTF8.self) } }

  /// Calls a closure with the UTF-8 text in a column, counted from 0.
  ///
  /// It is not copied, and valid only in the closure.
  public func withText<Result>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result
  {
    let start = csqlite_column_text(statement.handle, Int32(column))
    let count = Int(csqlite_column_bytes(statement.handle, Int32(column)))
    return try body(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// Returns the bytes in a column, counted from 0; empty for null.
  public func bytes(_ column: Int) -> [UInt8] { withBytes(column) { Array($0) } }

  /// Calls a closure with the bytes in a column, counted from 0.
  ///
  /// They are not copied, and valid only in the closure.
  public func withBytes<Result>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result
  {
    let start = csqlite_column_blob(statement.handle, Int32(column))
    let count = Int(csqlite_column_bytes(statement.handle, Int32(column)))
    return try body(
      UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : count))
  }
}

extension Connection {
  /// Returns a statement for many runs within this access.
  ///
  /// - Parameter sql: One statement with `?` for each argument.
  public func statement(_ sql: String) throws -> PreparedStatement {
    PreparedStatement(connection: self, statement: try taken(sql))
  }

  /// The number of rows inserted, changed or deleted since the connection was opened.
  fileprivate var totalChanges: Int64 { csqlite_total_changes64(handle) }
}

/// The rows of a query, each read from the file on demand.
///
/// They must not outlive their access.
public final class Rows {
  private let connection: Connection
  let statement: Statement
  private let access: Int
  private var isOver = false
  /// The names of the columns, in order.
  public let columnNames: [String]

  init(connection: Connection, statement: Statement) {
    self.connection = connection
    self.statement = statement
    access = connection.accessNumber
    columnNames = (0..<statement.columnCount).map(statement.columnName)
  }

  deinit {
    if !isOver, connection.accessNumber == access { connection.giveBack(statement) }
  }

  /// Returns the next row, valid until the next call; nil after the last one.
  ///
  /// - Throws: ``StoreError``; `CancellationError` if the task that waits for the access was canceled.
  public func next() throws -> Row? {
    if isOver { return nil }
    precondition(connection.accessNumber == access, "rows live no longer than the access they were made in")
    if try connection.step(statement) { return Row(rows: self) }
    isOver = true
    connection.giveBack(statement)
    return nil
  }
}

/// A row of a query; columns are counted from 0.
///
/// It is valid until the next row is read.
public struct Row {
  /// The row keeps these alive: the statement ends with them.
  let rows: Rows

  private var statement: Statement { rows.statement }

  private func handle(_ column: Int) -> (OpaquePointer?, Int32) {
    precondition((0..<statement.columnCount).contains(column), "a row of '\(statement.sql)' has no column \(column)")
    return (statement.handle, Int32(column))
  }

  /// The number of columns.
  public var count: Int { statement.columnCount }

  /// Returns true if a column is null.
  public func isNull(_ column: Int) -> Bool {
    let (handle, index) = handle(column)
    return csqlite_column_type(handle, index) == SQLITE_NULL
  }

  /// Returns the whole number in a column, converted by SQLite's rules; 0 for null.
  public func integer(_ column: Int) -> Int {
    let (handle, index) = handle(column)
    return Int(csqlite_column_int64(handle, index))
  }

  /// Returns the number in a column, converted by SQLite's rules; 0 for null.
  public func number(_ column: Int) -> Double {
    let (handle, index) = handle(column)
    return csqlite_column_double(handle, index)
  }

  /// Returns the text in a column, converted by SQLite's rules; empty for null.
  public func text(_ column: Int) -> String {
    let (handle, index) = handle(column)
    guard let text = csqlite_column_text(handle, index) else { return "" }
    let count = Int(csqlite_column_bytes(handle, index))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// Returns the bytes in a column; empty for null.
  public func bytes(_ column: Int) -> [UInt8] {
    withBytes(column) { Array($0) }
  }

  /// Calls a closure with the bytes in a column.
  ///
  /// They are not copied, and valid only in the closure.
  public func withBytes<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let (handle, index) = handle(column)
    let start = csqlite_column_blob(handle, index)
    return try body(UnsafeRawBufferPointer(start: start, count: Int(csqlite_column_bytes(handle, index))))
  }

  /// The value in a column, in the type in which it is stored.
  public subscript(_ column: Int) -> SQLValue {
    let (handle, index) = handle(column)
    switch csqlite_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(integer(column))
    case SQLITE_FLOAT: return .number(number(column))
    case SQLITE_TEXT: return .text(text(column))
    case SQLITE_BLOB: return .bytes(bytes(column))
    default: return .null
    }
  }

  /// All values, in the order of the columns.
  public var values: [SQLValue] { (0..<count).map { self[$0] } }
}
