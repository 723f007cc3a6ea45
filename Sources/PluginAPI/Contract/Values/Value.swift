/// A piece of data that passes between host, plugins and scripts, with an optional type name.
///
/// Every value has a byte form (``encoded()``, ``init(decoding:)``) and a JSON form. The type name, such as
/// `molecules.structure-list`, selects the text renderer; it does not affect the content.
public struct Value: Sendable, Hashable {
  /// The content.
  public var content: Content

  /// The name of the value's type, `plugin.name`; nil for plain data.
  public var typeName: String?

  /// The content of a value, by kind.
  public enum Content: Sendable, Hashable {
    /// Nothing: a field known to be absent.
    case null
    /// True or false.
    case bool(Bool)
    /// A 64-bit whole number.
    case integer(Int)
    /// A binary floating-point number; NaN and infinities have no JSON form and become null there.
    case number(Double)
    /// An exact decimal number of any size, as text such as `-12.50`.
    case decimal(String)
    /// Unicode text.
    case text(String)
    /// Raw bytes; base64 in JSON.
    case bytes([UInt8])
    /// A moment in time.
    case date(Instant)
    /// A number with its unit, such as 1.8 angstrom.
    case quantity(Quantity)
    /// Values in order.
    case list([Value])
    /// Named fields in order.
    case record(Record)
    /// Columns of equal length.
    case table(Table)
    /// An image.
    case picture(Picture)
    /// Numbers of one type in any number of dimensions.
    case array(NumericArray)
  }

  /// Creates a value.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - typeName: The name of the type, `plugin.name`; nil for plain data.
  public init(_ content: Content, typeName: String? = nil) {
    self.content = content
    self.typeName = typeName
  }

  /// Returns the same content with a type name.
  public func typed(_ name: String) -> Value {
    Value(content, typeName: name)
  }
}

/// A number with its unit.
public struct Quantity: Sendable, Hashable {
  /// The number.
  public var value: Double
  /// The unit, such as `angstrom`.
  public var unit: String

  /// Creates a quantity.
  public init(_ value: Double, unit: String) {
    (self.value, self.unit) = (value, unit)
  }
}

extension Value {
  /// The null value.
  public static var null: Value { Value(.null) }
  /// Makes a Boolean value.
  public static func bool(_ value: Bool) -> Value { Value(.bool(value)) }
  /// Makes a whole number.
  public static func integer(_ value: Int) -> Value { Value(.integer(value)) }
  /// Makes a floating-point number.
  public static func number(_ value: Double) -> Value { Value(.number(value)) }
  /// Makes an exact decimal number from its text.
  public static func decimal(_ text: String) -> Value { Value(.decimal(text)) }
  /// Makes a text.
  public static func text(_ value: String) -> Value { Value(.text(value)) }
  /// Makes raw bytes.
  public static func bytes(_ value: [UInt8]) -> Value { Value(.bytes(value)) }
  /// Makes a moment in time.
  public static func date(_ value: Instant) -> Value { Value(.date(value)) }
  /// Makes a number with a unit.
  public static func quantity(_ value: Double, unit: String) -> Value { Value(.quantity(Quantity(value, unit: unit))) }
  /// Makes a list.
  public static func list(_ values: [Value]) -> Value { Value(.list(values)) }
  /// Makes a record.
  public static func record(_ record: Record) -> Value { Value(.record(record)) }
  /// Makes a table.
  public static func table(_ table: Table) -> Value { Value(.table(table)) }
  /// Makes an image.
  public static func picture(_ picture: Picture) -> Value { Value(.picture(picture)) }
  /// Makes an array of numbers.
  public static func array(_ array: NumericArray) -> Value { Value(.array(array)) }

  /// Makes a text, or null for nil.
  public static func optional(_ text: String?) -> Value { text.map(Value.text) ?? .null }
  /// Makes a whole number, or null for nil.
  public static func optional(_ integer: Int?) -> Value { integer.map(Value.integer) ?? .null }
  /// Makes a number, or null for nil.
  public static func optional(_ number: Double?) -> Value { number.map(Value.number) ?? .null }
}

extension Value {
  /// A Boolean value indicating whether the content is null.
  public var isNull: Bool { content == .null }

  /// The Boolean value, if it is one.
  public var bool: Bool? {
    if case .bool(let value) = content { value } else { nil }
  }

  /// The whole number, if it is one.
  public var integer: Int? {
    if case .integer(let value) = content { value } else { nil }
  }

  /// The number, if it is numeric: floating-point, whole, decimal or with a unit.
  public var number: Double? {
    switch content {
    case .number(let value): value
    case .integer(let value): Double(value)
    case .decimal(let text): Double(text)
    case .quantity(let quantity): quantity.value
    default: nil
    }
  }

  /// The text, if it is one; a decimal number counts as its text.
  public var text: String? {
    switch content {
    case .text(let value), .decimal(let value): value
    default: nil
    }
  }

  /// The raw bytes, if the value holds such.
  public var bytes: [UInt8]? {
    if case .bytes(let value) = content { value } else { nil }
  }

  /// The moment in time, if it is one.
  public var date: Instant? {
    if case .date(let value) = content { value } else { nil }
  }

  /// The elements, if it is a list.
  public var list: [Value]? {
    if case .list(let values) = content { values } else { nil }
  }

  /// The fields, if it is a record.
  public var record: Record? {
    if case .record(let record) = content { record } else { nil }
  }

  /// The columns, if it is a table.
  public var table: Table? {
    if case .table(let table) = content { table } else { nil }
  }

  /// The elements of a list, or the rows of a table; any other value is its only element.
  public var elements: [Value] {
    if let table { return (0..<table.rowCount).map { .record(table.row($0)) } }
    return list ?? [self]
  }

  /// The image, if it is one.
  public var picture: Picture? {
    if case .picture(let picture) = content { picture } else { nil }
  }

  /// The array of numbers, if it is one.
  public var array: NumericArray? {
    if case .array(let array) = content { array } else { nil }
  }

  /// The field with a name; null if the value is not a record or has no such field.
  public subscript(name: String) -> Value {
    record?[name] ?? .null
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  /// Makes a text.
  public init(stringLiteral value: String) { self.init(.text(value)) }
  /// Makes a whole number.
  public init(integerLiteral value: Int) { self.init(.integer(value)) }
  /// Makes a floating-point number.
  public init(floatLiteral value: Double) { self.init(.number(value)) }
  /// Makes a Boolean value.
  public init(booleanLiteral value: Bool) { self.init(.bool(value)) }
  /// Makes a list.
  public init(arrayLiteral elements: Value...) { self.init(.list(elements)) }
  /// Makes a record with its fields in the order written.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(.record(Record(elements.map { Record.Field($0.0, $0.1) })))
  }
  /// Makes null.
  public init(nilLiteral: ()) { self.init(.null) }
}

/// Named values in a fixed order.
///
/// Names are compared byte by byte. Setting an existing name keeps its position; a new one is appended.
public struct Record: Sendable, Hashable {
  /// A named value.
  public struct Field: Sendable, Hashable {
    /// The field's name, in camelCase where it reaches JSON.
    public var name: String
    /// The field's value.
    public var value: Value

    /// Creates a field.
    public init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// The fields, in order.
  public private(set) var fields: [Field]

  /// Creates a record.
  ///
  /// If several fields have the same name, the last value is used at the position of the first.
  ///
  /// - Complexity: O(*n*) in the number of fields.
  public init(_ fields: [Field] = []) {
    self.fields = []
    self.fields.reserveCapacity(fields.count)
    if fields.count <= Self.fewFields {
      for field in fields { self[field.name] = field.value }
      return
    }
    var places: [[UInt8]: Int] = [:]
    for field in fields {
      let name = Array(field.name.utf8)
      if let place = places[name] {
        self.fields[place].value = field.value
      } else {
        places[name] = self.fields.count
        self.fields.append(field)
      }
    }
  }

  /// The number of fields up to which a linear search is faster than a table of names.
  private static let fewFields = 32

  /// The names of the fields, in order.
  public var names: [String] { fields.map(\.name) }

  /// A Boolean value indicating whether there are no fields.
  public var isEmpty: Bool { fields.isEmpty }

  /// The value with a name; setting nil removes the field.
  ///
  /// - Complexity: O(*n*) in the number of fields.
  public subscript(name: String) -> Value? {
    get { position(of: name).map { fields[$0].value } }
    set {
      switch (position(of: name), newValue) {
      case (let index?, let value?): fields[index].value = value
      case (let index?, nil): fields.remove(at: index)
      case (nil, let value?): fields.append(Field(name, value))
      case (nil, nil): break
      }
    }
  }

  private func position(of name: String) -> Int? {
    fields.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

extension Record: ExpressibleByDictionaryLiteral {
  /// Creates a record with its fields in the order written.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements.map { Field($0.0, $0.1) })
  }
}
