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
    default: nil
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
