internal import CSQLite

/// A compiled statement; belongs to one connection and its thread.
final class Statement {
  let sql: String
  /// The tables it writes to, including those of triggers.
  let changedTables: Set<String>
  let isReadOnly: Bool
  private(set) var handle: OpaquePointer?
  /// A Boolean value indicating whether the connection caches it for later use.
  var isKept = false
  /// A Boolean value indicating whether it is in use.
  var isInUse = false

  init(sql: String, handle: OpaquePointer, changedTables: Set<String>) {
    self.sql = sql
    self.handle = handle
    self.changedTables = changedTables
    isReadOnly = csqlite_stmt_readonly(handle) != 0
  }

  var columnCount: Int { Int(csqlite_column_count(handle)) }

  func columnName(_ column: Int) -> String {
    csqlite_column_name(handle, Int32(column)).map { String(cString: $0) } ?? ""
  }

  var parameterCount: Int { Int(csqlite_bind_parameter_count(handle)) }

  /// Binds a value to a parameter, counted from 1.
  func bind(_ value: SQLValue, at index: Int) -> Int32 {
    let index = Int32(index)
    switch value {
    case .null: return csqlite_bind_null(handle, index)
    case .integer(let number): return csqlite_bind_int64(handle, index, Int64(number))
    case .number(let number): return csqlite_bind_double(handle, index, number)
    case .text(var text):
      return text.withUTF8 { csqlite_bind_text(handle, index, $0.baseAddress, UInt64($0.count)) }
    case .bytes(let bytes):
      return bytes.withUnsafeBytes { csqlite_bind_blob(handle, index, $0.baseAddress, UInt64($0.count)) }
    }
  }

  /// Restarts the statement and keeps its bound values.
  func rewind() { csqlite_reset(handle) }

  func step() -> Int32 { csqlite_step(handle) }

  /// Prepares the statement for its next use and clears its bound values.
  func reset() {
    csqlite_reset(handle)
    csqlite_clear_bindings(handle)
    isInUse = false
  }

  func finalize() {
    csqlite_finalize(handle)
    handle = nil
  }
}

/// The value of a column or an argument.
public enum SQLValue: Sendable, Hashable {
  /// Null.
  case null
  /// A 64-bit whole number.
  case integer(Int)
  /// A floating-point number; SQLite stores NaN as null.
  case number(Double)
  /// Text.
  case text(String)
  /// Raw bytes.
  case bytes([UInt8])

  /// A Boolean value indicating whether the value is null.
  public var isNull: Bool { self == .null }

  /// The whole number, if it is one.
  public var integer: Int? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The number, integral or not, if it is one.
  public var number: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    case .null, .text, .bytes: nil
    }
  }

  /// The text, if it is one.
  public var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  /// The bytes, if the value holds such.
  public var bytes: [UInt8]? {
    if case .bytes(let value) = self { value } else { nil }
  }
}

/// A type that can be bound to a parameter of a statement: a number, text, bytes or Boolean; nil binds null.
public protocol SQLConvertible: Sendable {
  /// The value as SQLite stores it.
  var sqlValue: SQLValue { get }
}

extension SQLValue: SQLConvertible {
  /// The value itself.
  public var sqlValue: SQLValue { self }
}

extension Int: SQLConvertible {
  /// The whole number.
  public var sqlValue: SQLValue { .integer(self) }
}

extension Int64: SQLConvertible {
  /// The whole number.
  public var sqlValue: SQLValue { .integer(Int(self)) }
}

extension Double: SQLConvertible {
  /// The number.
  public var sqlValue: SQLValue { .number(self) }
}

extension Bool: SQLConvertible {
  /// 1 or 0.
  public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension String: SQLConvertible {
  /// The text.
  public var sqlValue: SQLValue { .text(self) }
}

extension Substring: SQLConvertible {
  /// The text.
  public var sqlValue: SQLValue { .text(String(self)) }
}

extension [UInt8]: SQLConvertible {
  /// The bytes.
  public var sqlValue: SQLValue { .bytes(self) }
}
