internal import CSQLite

/// A statement that is compiled once and run many times, with arguments bound by their place and type.
///
/// For many rows: no array of arguments is made and no value is boxed. Lives no longer than the access it was made in.
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
/// What was bound stays bound for the next run until it is bound anew.
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

  /// Binds a whole number to a place, counted from 1.
  public func bind(_ value: Int, at place: Int) throws {
    checkAccess()
    try check(csqlite_bind_int64(statement.handle, Int32(place), Int64(value)))
  }

  /// Binds a number to a place, counted from 1.
  public func bind(_ value: Double, at place: Int) throws {
    checkAccess()
    try check(csqlite_bind_double(statement.handle, Int32(place), value))
  }

  /// Binds a text to a place, counted from 1; characters of any kind are kept, NUL too.
  public func bind(_ text: String, at place: Int) throws {
    var text = text
    try text.withUTF8 { try bind(utf8: $0, at: place) }
  }

  /// Binds a text given as its UTF-8 to a place, counted from 1; the bytes are copied.
  public func bind(utf8 text: UnsafeBufferPointer<UInt8>, at place: Int) throws {
    checkAccess()
    try check(csqlite_bind_text(statement.handle, Int32(place), text.baseAddress, UInt64(text.count)))
  }

  /// Binds bytes to a place, counted from 1; they are copied.
  public func bind(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) throws {
    checkAccess()
    try check(csqlite_bind_blob(statement.handle, Int32(place), bytes.baseAddress, UInt64(bytes.count)))
  }

  /// Binds bytes to a place, counted from 1.
  public func bind(_ bytes: [UInt8], at place: Int) throws {
    try bytes.withUnsafeBufferPointer { try bind($0, at: place) }
  }

  /// Binds null to a place, counted from 1.
  public func bindNull(at place: Int) throws {
    checkAccess()
    try check(csqlite_bind_null(statement.handle, Int32(place)))
  }

  // MARK: Running

  /// Moves to the next row.
  ///
  /// - Returns: Whether there is one; the statement is to be reset then, before it is bound anew.
  /// - Throws: ``StoreError``; `CancellationError` if whoever waits for the access was cancelled.
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

  /// Ends a run; what was bound stays.
  public func reset() {
    checkAccess()
    statement.rewind()
  }

  /// Runs to the end, dropping rows, and resets.
  public func run() throws {
    defer { reset() }
    while try step() {}
  }

  // MARK: Columns of the row

  /// Whether a column, counted from 0, holds nothing.
  public func isNull(_ column: Int) -> Bool { csqlite_column_type(statement.handle, Int32(column)) == SQLITE_NULL }

  /// The whole number in a column, counted from 0; 0 for null.
  public func integer(_ column: Int) -> Int { Int(csqlite_column_int64(statement.handle, Int32(column))) }

  /// The text in a column, counted from 0; empty for null.
  public func text(_ column: Int) -> String { withText(column) { String(decoding: $0, as: UTF8.self) } }

  /// Gives the UTF-8 of the text in a column, counted from 0, without copying it; valid in the closure only.
  public func withText<Result>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result
  {
    let start = csqlite_column_text(statement.handle, Int32(column))
    let count = Int(csqlite_column_bytes(statement.handle, Int32(column)))
    return try body(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// The bytes in a column, counted from 0; empty for null.
  public func bytes(_ column: Int) -> [UInt8] { withBytes(column) { Array($0) } }

  /// Gives the bytes in a column, counted from 0, without copying them; valid in the closure only.
  public func withBytes<Result>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result
  {
    let start = csqlite_column_blob(statement.handle, Int32(column))
    let count = Int(csqlite_column_bytes(statement.handle, Int32(column)))
    return try body(
      UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : count))
  }
}

extension Connection {
  /// A statement for many runs within this access.
  ///
  /// - Parameter sql: One statement with `?` for each argument.
  public func statement(_ sql: String) throws -> PreparedStatement {
    PreparedStatement(connection: self, statement: try taken(sql))
  }

  /// How many rows were inserted, changed or deleted since the connection was opened.
  var totalChanges: Int64 { csqlite_total_changes64(handle) }
}
