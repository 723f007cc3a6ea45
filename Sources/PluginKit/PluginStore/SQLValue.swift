/// What a column or an argument holds.
public enum SQLValue: Sendable, Hashable {
  /// Nothing.
  case null
  /// A 64-bit whole number.
  case integer(Int)
  /// A floating-point number; SQLite keeps NaN as null.
  case number(Double)
  /// Text.
  case text(String)
  /// Raw bytes.
  case bytes([UInt8])

  /// Whether there is nothing.
  public var isNull: Bool { self == .null }

  /// The whole number, if it is one.
  public var integer: Int? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The number, whole or not, if it is one.
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

  /// The bytes, if it is such.
  public var bytes: [UInt8]? {
    if case .bytes(let value) = self { value } else { nil }
  }
}

/// What can be bound to a parameter of a statement: numbers, texts, bytes, truth values; nil binds null.
public protocol SQLConvertible: Sendable {
  /// The value as SQLite keeps it.
  var sqlValue: SQLValue { get }
}

extension SQLValue: SQLConvertible {
  /// Itself.
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
