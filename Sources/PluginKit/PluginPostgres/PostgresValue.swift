/// The value of a column or an argument.
public enum PostgresValue: Sendable, Hashable {
  /// Null.
  case null
  /// True or false.
  case boolean(Bool)
  /// A 64-bit whole number.
  case integer(Int)
  /// A floating-point number, NaN and infinities included.
  case number(Double)
  /// Text, and the text of every type that has no case of its own, such as `json`, `uuid` and `numeric`.
  case text(String)
  /// Raw bytes (`bytea`).
  case bytes([UInt8])

  /// The truth value, if it is one.
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

  /// The whole number, if it is one.
  public var integer: Int? { if case .integer(let value) = self { value } else { nil } }

  /// The floating-point number, if it is one.
  public var number: Double? { if case .number(let value) = self { value } else { nil } }

  /// The text, if it is one.
  public var text: String? { if case .text(let value) = self { value } else { nil } }

  /// The bytes, if the value holds such.
  public var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
}

/// Identifiers of PostgreSQL's types.
///
/// - Source: PostgreSQL 15, src/include/catalog/pg_type.dat.
private enum TypeID {
  static let bool: UInt32 = 16
  static let bytea: UInt32 = 17
  static let int8: UInt32 = 20
  static let int2: UInt32 = 21
  static let int4: UInt32 = 23
  static let oid: UInt32 = 26
  static let float4: UInt32 = 700
  static let float8: UInt32 = 701
}

extension PostgresValue {
  /// Creates the value that the server wrote as text.
  ///
  /// - Parameters:
  ///   - bytes: The text; nil for null.
  ///   - type: The type's identifier.
  init(_ bytes: UnsafeRawBufferPointer?, type: UInt32) {
    guard let bytes else {
      self = .null
      return
    }
    if type == TypeID.bytea {
      self = .bytes(Self.unescaped(bytes))
      return
    }
    let text = String(decoding: bytes, as: UTF8.self)
    switch type {
    case TypeID.bool: self = .boolean(text == "t")
    case TypeID.int2, TypeID.int4, TypeID.int8, TypeID.oid: self = Int(text).map(Self.integer) ?? .text(text)
    case TypeID.float4, TypeID.float8: self = Double(text).map(Self.number) ?? .text(text)
    default: self = .text(text)
    }
  }

  /// The type and the bytes of the value as an argument; without bytes for null.
  ///
  /// The server finds the type of texts by their use, so that they also serve for `json` or `uuid`.
  var argument: (type: UInt32, bytes: [UInt8]?, isBinary: Bool) {
    switch self {
    case .null: (0, nil, false)
    case .boolean(let value): (TypeID.bool, [UInt8(ascii: value ? "t" : "f")], false)
    case .integer(let value): (TypeID.int8, Array(String(value).utf8), false)
    case .number(let value): (TypeID.float8, Array(Self.text(of: value).utf8), false)
    case .text(let value): (0, Array(value.utf8), false)
    case .bytes(let value): (TypeID.bytea, value, true)
    }
  }

  /// Returns a number as PostgreSQL reads it.
  private static func text(of number: Double) -> String {
    if number.isNaN { return "NaN" }
    return number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : "\(number)"
  }

  /// Appends the value to a row of `COPY … FROM STDIN` in text format.
  ///
  /// - Source: PostgreSQL 15, "COPY", file formats, text format.
  func appendCopied(to row: inout [UInt8]) {
    switch self {
    case .null: row += "\\N".utf8
    case .boolean(let value): row.append(UInt8(ascii: value ? "t" : "f"))
    case .integer(let value): row += String(value).utf8
    case .number(let value): row += Self.text(of: value).utf8
    case .text(let value): for byte in value.utf8 { Self.appendEscaped(byte, to: &row) }
    case .bytes(let value):
      row += "\\\\x".utf8
      row.reserveCapacity(row.count + 2 * value.count)
      for byte in value {
        row.append(Self.digit(byte >> 4))
        row.append(Self.digit(byte & 0xF))
      }
    }
  }

  private static func appendEscaped(_ byte: UInt8, to row: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\\"): row += "\\\\".utf8
    case UInt8(ascii: "\t"): row += "\\t".utf8
    case UInt8(ascii: "\n"): row += "\\n".utf8
    case UInt8(ascii: "\r"): row += "\\r".utf8
    default: row.append(byte)
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

  /// Decodes `\x0aff`, as connections have the server write bytes.
  private static func unescaped(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    func value(_ digit: UInt8) -> UInt8 { digit <= 0x39 ? digit - 0x30 : (digit | 0x20) - 0x57 }
    let count = max(0, bytes.count - 2) / 2
    return [UInt8](unsafeUninitializedCapacity: count) { result, initialized in
      for index in 0..<count { result[index] = value(bytes[2 * index + 2]) << 4 | value(bytes[2 * index + 3]) }
      initialized = count
    }
  }
}

/// A row of a result.
public struct PostgresRow: Sendable, Hashable {
  /// The values of the columns, in their order.
  public let values: [PostgresValue]

  /// The value of a column, counted from 0.
  public subscript(column: Int) -> PostgresValue { values[column] }

  /// Returns true if a column is null.
  public func isNull(_ column: Int) -> Bool { values[column] == .null }

  /// Returns the truth value in a column; false for null and other types.
  public func boolean(_ column: Int) -> Bool { values[column].boolean ?? false }

  /// Returns the whole number in a column; 0 for null and other types.
  public func integer(_ column: Int) -> Int { values[column].integer ?? 0 }

  /// Returns the number in a column, integral or not; 0 for null and other types.
  public func number(_ column: Int) -> Double { values[column].number ?? Double(integer(column)) }

  /// Returns the text in a column; empty for null and other types.
  public func text(_ column: Int) -> String { values[column].text ?? "" }

  /// Returns the bytes in a column; empty for null and other types.
  public func bytes(_ column: Int) -> [UInt8] { values[column].bytes ?? [] }
}

/// An identifier or text in SQL.
public enum PostgresQuoting {
  /// Returns a name as a quoted identifier.
  public static func identifier(_ name: String) -> String { quoted(name, "\"") }

  /// Returns a text as a literal; arguments are better wherever a statement takes them.
  ///
  /// Connections have `standard_conforming_strings` on, so that a backslash is a character.
  public static func literal(_ text: String) -> String { quoted(text, "'") }

  private static func quoted(_ text: String, _ mark: Character) -> String {
    var result = String(mark)
    for character in text.unicodeScalars {
      if character == mark.unicodeScalars.first { result.unicodeScalars.append(character) }
      result.unicodeScalars.append(character)
    }
    return result + String(mark)
  }
}
