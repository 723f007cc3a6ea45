/// A type of the contract with a value form, from which its byte form and JSON form are derived.
public protocol ValueConvertible: Sendable {
  /// The name of the type, `plugin.name`.
  static var typeName: String { get }

  /// Creates an instance from its value form.
  ///
  /// - Throws: ``ValueDecodingError`` if a required field is missing or has the wrong shape. Unknown fields are
  ///   ignored, so that an older reader can read what a newer writer wrote.
  init(value: Value) throws

  /// The value form.
  var value: Value { get }
}

extension ValueConvertible {
  /// Returns the byte form.
  public func encoded() -> [UInt8] {
    value.encoded()
  }

  /// Creates an instance from its byte form.
  public init(decoding bytes: [UInt8]) throws {
    try self.init(value: Value(decoding: bytes))
  }
}

extension Value {
  /// Returns a list of the elements' value forms.
  static func elements<Element: ValueConvertible>(_ elements: [Element]) -> Value {
    .list(elements.map(\.value))
  }

  /// Returns the elements of a list field; none if the field is missing.
  func elements<Element: ValueConvertible>(_ name: String) throws -> [Element] {
    try (self[name].list ?? []).map { try Element(value: $0) }
  }

  /// Returns the whole number of a field.
  func requiredInteger(_ name: String) throws(ValueDecodingError) -> Int {
    guard let integer = self[name].integer else { throw .unexpectedShape(path: name, expected: "a whole number") }
    return integer
  }

  /// Returns the text of a field.
  func requiredText(_ name: String) throws(ValueDecodingError) -> String {
    guard let text = self[name].text else { throw .unexpectedShape(path: name, expected: "text") }
    return text
  }
}

/// An error in the byte form of a value.
public enum ValueDecodingError: Error, Equatable, CustomStringConvertible {
  /// The bytes end inside an item, after `offset` bytes.
  case truncated(offset: Int)
  /// The item at `offset` does not belong to a value.
  case unexpectedItem(offset: Int)
  /// Values are nested deeper than 256 levels.
  case tooDeep(offset: Int)
  /// Extra bytes follow the value.
  case trailingBytes(offset: Int)
  /// A field is missing or has the wrong shape; `path` names it.
  case unexpectedShape(path: String, expected: String)

  /// The error in words.
  public var description: String {
    switch self {
    case .truncated(let offset): "the bytes of a value end early, at byte \(offset)"
    case .unexpectedItem(let offset): "the item at byte \(offset) is not part of a value"
    case .tooDeep(let offset): "values are nested deeper than 256 levels at byte \(offset)"
    case .trailingBytes(let offset): "unexpected bytes follow the value at byte \(offset)"
    case .unexpectedShape(let path, let expected): "'\(path)' is not \(expected)"
    }
  }
}

extension Value {
  /// Returns the value as bytes: deterministic, and the same on every machine.
  ///
  /// Kinds that CBOR lacks are tagged lists `[kind, …]` under tag 39 (identifier).
  /// - Source: RFC 8949 (CBOR), definite lengths only.
  public func encoded() -> [UInt8] {
    var writer = ValueWriter()
    writer.write(self)
    return writer.bytes
  }

  /// The maximum nesting depth of a value with a byte form: 256 levels.
  public static let maximumDepth = 256

  /// Returns a Boolean value indicating whether values are nested more than a number of levels deep.
  ///
  /// A value of more than ``maximumDepth`` levels has no byte form, and code that walks through it may exhaust the
  /// stack.
  /// - Complexity: O(*values*), with `levels` stack frames at most.
  public func isNested(deeperThan levels: Int) -> Bool {
    // A type name counts as a level.
    let inner = typeName == nil ? levels : levels - 1
    if inner < 0 { return true }
    switch content {
    case .list(let values): return values.contains { $0.isNested(deeperThan: inner - 1) }
    case .record(let record): return record.fields.contains { $0.value.isNested(deeperThan: inner - 1) }
    case .table(let table):
      return table.columns.contains { column in
        guard case .values(let values) = column.values else { return false }
        return values.contains { $0.isNested(deeperThan: inner - 2) }
      }
    case .null, .bool, .integer, .number, .decimal, .text, .bytes, .date, .quantity, .picture, .array: return false
    }
  }

  /// Creates a value from its byte form.
  ///
  /// - Throws: ``ValueDecodingError`` if the bytes are not exactly one value; never traps, and allocates no more
  ///   than a small multiple of the number of bytes given.
  public init(decoding bytes: [UInt8]) throws(ValueDecodingError) {
    var reader = ValueReader(bytes: bytes)
    self = try reader.value(depth: 0)
    if reader.position != bytes.count { throw .trailingBytes(offset: reader.position) }
  }
}

/// The kinds of values for which CBOR has no item; the raw value is the first element of the tagged list.
enum TaggedKind: Int {
  case decimal = 1, date, quantity, table, picture, typed, array
}

/// The kinds of column buffers in a table's byte form.
enum ColumnKind: Int {
  case integers = 0, numbers, texts, values
}

private struct ValueWriter {
  var bytes: [UInt8] = []

  mutating func write(_ value: Value) {
    if let name = value.typeName {
      tagged(.typed, count: 2)
      text(name)
    }
    switch value.content {
    case .null: bytes.append(0xF6)
    case .bool(let flag): bytes.append(flag ? 0xF5 : 0xF4)
    case .integer(let number): integer(number)
    case .number(let number): double(number)
    case .text(let string): text(string)
    case .bytes(let raw): raw.withUnsafeBytes { blob($0) }
    case .list(let values):
      head(4, UInt64(values.count))
      for element in values { write(element) }
    case .record(let record): write(record)
    case .decimal(let string):
      tagged(.decimal, count: 1)
      text(string)
    case .date(let instant):
      tagged(.date, count: 2)
      integer(Int(instant.seconds))
      integer(Int(instant.nanoseconds))
    case .quantity(let quantity):
      tagged(.quantity, count: 2)
      double(quantity.value)
      text(quantity.unit)
    case .table(let table): write(table)
    case .picture(let picture):
      tagged(.picture, count: 3)
      integer(picture.width)
      integer(picture.height)
      picture.pixels.withUnsafeBytes { blob($0) }
    case .array(let array):
      tagged(.array, count: 3)
      text(array.elementType.rawValue)
      head(4, UInt64(array.shape.count))
      for length in array.shape { integer(length) }
      array.bytes.withUnsafeBytes { blob($0) }
    }
  }

  private mutating func write(_ record: Record) {
    head(5, UInt64(record.fields.count))
    for field in record.fields {
      text(field.name)
      write(field.value)
    }
  }

  private mutating func write(_ table: Table) {
    tagged(.table, count: table.columns.count)
    for column in table.columns {
      head(4, 5)
      text(column.name)
      text(column.title)
      if let unit = column.unit { text(unit) } else { bytes.append(0xF6) }
      write(column.values)
    }
  }

  private mutating func write(_ values: Table.Values) {
    switch values {
    case .integers(let numbers):
      integer(ColumnKind.integers.rawValue)
      numbers.withUnsafeBytes { blob($0) }
    case .numbers(let column):
      integer(ColumnKind.numbers.rawValue)
      head(4, 2)
      if let decimals = column.decimals { integer(decimals) } else { bytes.append(0xF6) }
      column.values.withUnsafeBytes { blob($0) }
    case .texts(let texts):
      integer(ColumnKind.texts.rawValue)
      head(4, UInt64(texts.count))
      for element in texts { text(element) }
    case .values(let elements):
      integer(ColumnKind.values.rawValue)
      head(4, UInt64(elements.count))
      for element in elements { write(element) }
    }
  }

  private mutating func tagged(_ kind: TaggedKind, count: Int) {
    head(6, 39)
    head(4, UInt64(count + 1))
    integer(kind.rawValue)
  }

  private mutating func integer(_ number: Int) {
    if number >= 0 { head(0, UInt64(number)) } else { head(1, UInt64(-1 - number)) }
  }

  private mutating func double(_ number: Double) {
    bytes.append(0xFB)
    withUnsafeBytes(of: number.bitPattern.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func text(_ string: String) {
    head(3, UInt64(string.utf8.count))
    bytes.append(contentsOf: string.utf8)
  }

  /// Writes a buffer of numbers in little-endian order, as they are in memory.
  private mutating func blob(_ raw: UnsafeRawBufferPointer) {
    head(2, UInt64(raw.count))
    bytes.append(contentsOf: raw)
  }

  /// Writes the head of an item in the shortest form.
  private mutating func head(_ major: UInt8, _ argument: UInt64) {
    switch argument {
    case 0..<24: bytes.append(major << 5 | UInt8(argument))
    case 24...0xFF: bytes += [major << 5 | 24, UInt8(argument)]
    case 0x100...0xFFFF:
      bytes.append(major << 5 | 25)
      withUnsafeBytes(of: UInt16(argument).bigEndian) { bytes.append(contentsOf: $0) }
    case 0x1_0000...0xFFFF_FFFF:
      bytes.append(major << 5 | 26)
      withUnsafeBytes(of: UInt32(argument).bigEndian) { bytes.append(contentsOf: $0) }
    default:
      bytes.append(major << 5 | 27)
      withUnsafeBytes(of: argument.bigEndian) { bytes.append(contentsOf: $0) }
    }
  }
}
