/// A Swift type that can be the content of a model's field.
public protocol FieldValue: Sendable {
  /// The shape of the values.
  static var schema: ValueSchema { get }

  /// The value as emitted.
  var fieldValue: Value { get }

  /// Returns several values as a column of a table.
  static func column(of contents: [Self], decimals: Int?) -> Table.Values

  /// Returns several values as a column of a table; nil marks a missing one.
  static func column(ofOptional contents: [Self?], decimals: Int?) -> Table.Values
}

extension FieldValue {
  /// Returns a column of values of any kind.
  public static func column(of contents: [Self], decimals: Int?) -> Table.Values {
    .values(contents.map(\.fieldValue))
  }

  /// Returns a column of values of any kind, null where one is missing.
  public static func column(ofOptional contents: [Self?], decimals: Int?) -> Table.Values {
    .values(contents.map { $0?.fieldValue ?? .null })
  }
}

extension FieldValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  /// One of the raw values.
  public static var schema: ValueSchema { .choice(allCases.map(\.rawValue)) }
  /// The raw value.
  public var fieldValue: Value { .text(rawValue) }
  /// Returns a column of raw values.
  public static func column(of contents: [Self], decimals: Int?) -> Table.Values { .texts(contents.map(\.rawValue)) }
}

extension Bool: FieldValue {
  /// True or false.
  public static var schema: ValueSchema { .bool }
  /// The flag.
  public var fieldValue: Value { .bool(self) }
}

extension Int: FieldValue {
  /// A whole number.
  public static var schema: ValueSchema { .integer }
  /// The number.
  public var fieldValue: Value { .integer(self) }
  /// Returns a column of whole numbers.
  public static func column(of contents: [Int], decimals: Int?) -> Table.Values { .integers(contents) }
}

extension Double: FieldValue {
  /// A number.
  public static var schema: ValueSchema { .number }
  /// The number; null if it is NaN.
  public var fieldValue: Value { isNaN ? .null : .number(self) }
  /// Returns a column of numbers, NaN where one is missing.
  public static func column(of contents: [Double], decimals: Int?) -> Table.Values {
    .numbers(contents, decimals: decimals)
  }
  /// Returns a column of numbers, NaN where one is missing.
  public static func column(ofOptional contents: [Double?], decimals: Int?) -> Table.Values {
    .numbers(contents.map { $0 ?? .nan }, decimals: decimals)
  }
}

extension String: FieldValue {
  /// Text.
  public static var schema: ValueSchema { .text }
  /// The text.
  public var fieldValue: Value { .text(self) }
  /// Returns a column of texts.
  public static func column(of contents: [String], decimals: Int?) -> Table.Values { .texts(contents) }
}

extension Instant: FieldValue {
  /// A date.
  public static var schema: ValueSchema { .date }
  /// The date.
  public var fieldValue: Value { .date(self) }
}

extension Picture: FieldValue {
  /// An image.
  public static var schema: ValueSchema { .picture }
  /// The image.
  public var fieldValue: Value { .picture(self) }
}

extension Value: FieldValue {
  /// Anything.
  public static var schema: ValueSchema { .any }
  /// The value itself.
  public var fieldValue: Value { self }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  /// Null, or the wrapped shape.
  public static var schema: ValueSchema { .optional(Wrapped.schema) }
  /// The wrapped value, or null.
  public var fieldValue: Value { self?.fieldValue ?? .null }
  /// Returns a column of the wrapped type.
  public static func column(of contents: [Self], decimals: Int?) -> Table.Values {
    Wrapped.column(ofOptional: contents, decimals: decimals)
  }
}

extension Array: FieldValue where Element: FieldValue {
  /// A list.
  public static var schema: ValueSchema { .list(Element.schema) }
  /// The elements, in order.
  public var fieldValue: Value { .list(map(\.fieldValue)) }
}

extension Dictionary: FieldValue where Key == String, Value: FieldValue {
  /// A record with arbitrary names.
  public static var schema: ValueSchema { .map(Value.schema) }
  /// The entries, ordered by name.
  public var fieldValue: PluginAPI.Value {
    .record(Record(sorted { $0.key < $1.key }.map { Record.Field($0.key, $0.value.fieldValue) }))
  }
}
