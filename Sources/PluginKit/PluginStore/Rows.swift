internal import CSQLite

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
