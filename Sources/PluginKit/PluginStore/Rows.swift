internal import CSQLite

/// The rows of a query, one after the other, each read from the file when it is asked for.
///
/// Lives no longer than the access it was made in.
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

  /// The next row, valid until the next call; nil behind the last one.
  ///
  /// - Throws: ``StoreError``; `CancellationError` if whoever waits for the access was cancelled.
  public func next() throws -> Row? {
    if isOver { return nil }
    precondition(connection.accessNumber == access, "rows live no longer than the access they were made in")
    if try connection.step(statement) { return Row(rows: self) }
    isOver = true
    connection.giveBack(statement)
    return nil
  }
}

/// One row of a query; columns are counted from 0.
///
/// Valid until the next row is asked for.
public struct Row {
  /// Kept alive by its row: with the rows the statement ends.
  let rows: Rows

  private var statement: Statement { rows.statement }

  private func handle(_ column: Int) -> (OpaquePointer?, Int32) {
    precondition((0..<statement.columnCount).contains(column), "a row of '\(statement.sql)' has no column \(column)")
    return (statement.handle, Int32(column))
  }

  /// The number of columns.
  public var count: Int { statement.columnCount }

  /// Whether the column holds nothing.
  public func isNull(_ column: Int) -> Bool {
    let (handle, index) = handle(column)
    return csqlite_column_type(handle, index) == SQLITE_NULL
  }

  /// The whole number in a column, converted as SQLite does; 0 for null.
  public func integer(_ column: Int) -> Int {
    let (handle, index) = handle(column)
    return Int(csqlite_column_int64(handle, index))
  }

  /// The number in a column, converted as SQLite does; 0 for null.
  public func number(_ column: Int) -> Double {
    let (handle, index) = handle(column)
    return csqlite_column_double(handle, index)
  }

  /// The text in a column, converted as SQLite does; empty for null.
  public func text(_ column: Int) -> String {
    let (handle, index) = handle(column)
    guard let text = csqlite_column_text(handle, index) else { return "" }
    let count = Int(csqlite_column_bytes(handle, index))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// The bytes in a column; empty for null.
  public func bytes(_ column: Int) -> [UInt8] {
    withBytes(column) { Array($0) }
  }

  /// Gives the bytes in a column without copying them; they are valid in the closure only.
  public func withBytes<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let (handle, index) = handle(column)
    let start = csqlite_column_blob(handle, index)
    return try body(UnsafeRawBufferPointer(start: start, count: Int(csqlite_column_bytes(handle, index))))
  }

  /// The value in a column, of the kind it is stored as.
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
