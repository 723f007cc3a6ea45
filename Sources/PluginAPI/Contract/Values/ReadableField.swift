/// A type of field that can be read from a record, where it may be missing or of another kind.
///
/// Types that a plugin declares only need ``read(_:)``; an enum of texts needs nothing but the conformance.
public protocol ReadableField: FieldValue {
  /// The type that a ``ModelRecord`` returns: this type if it has an empty value, otherwise an optional of it.
  associatedtype RecordContent = Self?

  /// Returns the content of a value; nil if it is null or of another kind.
  static func read(_ value: Value) -> Self?

  /// Returns the content of a record's field, or the empty content if the field is missing or of another kind.
  ///
  /// - Parameter value: The field's value; null if it is missing.
  static func content(of value: Value) -> RecordContent
}

extension ReadableField where RecordContent == Self? {
  /// Returns the content of a value; nil if it is missing or of another kind.
  @inlinable public static func content(of value: Value) -> Self? { read(value) }
}

extension ReadableField where Self: RawRepresentable & CaseIterable, RawValue == String {
  /// Returns the case of a raw value; nil if there is none.
  @inlinable public static func read(_ value: Value) -> Self? { value.text.flatMap(Self.init(rawValue:)) }
}

extension Bool: ReadableField {
  /// Returns the Boolean value, if it is one.
  public static func read(_ value: Value) -> Bool? { value.bool }
  /// Returns the Boolean value; false if it is missing.
  public static func content(of value: Value) -> Bool { value.bool ?? false }
}

extension Int: ReadableField {
  /// Returns the whole number, if it is one.
  public static func read(_ value: Value) -> Int? { value.integer }
  /// Returns the whole number; 0 if it is missing.
  public static func content(of value: Value) -> Int { value.integer ?? 0 }
}

extension Double: ReadableField {
  /// The number or nil: NaN is written as null, and a missing measurement is not 0.
  public typealias RecordContent = Double?
  /// Returns the number, if it is one.
  public static func read(_ value: Value) -> Double? { value.number }
}

extension String: ReadableField {
  /// Returns the text, if it is one.
  public static func read(_ value: Value) -> String? { value.text }
  /// Returns the text; an empty one if it is missing.
  public static func content(of value: Value) -> String { value.text ?? "" }
}

extension Instant: ReadableField {
  /// The date or nil.
  public typealias RecordContent = Instant?
  /// Returns the date, if it is one.
  public static func read(_ value: Value) -> Instant? { value.date }
}

extension Picture: ReadableField {
  /// The image or nil.
  public typealias RecordContent = Picture?
  /// Returns the image, if it is one.
  public static func read(_ value: Value) -> Picture? { value.picture }
}

extension NumericArray: ReadableField {
  /// The array or nil.
  public typealias RecordContent = NumericArray?
  /// Returns the array, if it is one.
  public static func read(_ value: Value) -> NumericArray? { value.array }
}

extension Value: ReadableField {
  /// Returns the value itself; nil if it is null.
  public static func read(_ value: Value) -> Value? { value.isNull ? nil : value }
  /// Returns the value itself.
  public static func content(of value: Value) -> Value { value }
}

extension Optional: ReadableField where Wrapped: ReadableField {
  /// Returns the wrapped content, or nil inside if the value is null; nil if it is of another kind.
  @inlinable public static func read(_ value: Value) -> Wrapped?? {
    value.isNull ? .some(nil) : Wrapped.read(value).map(Optional.some)
  }
  /// Returns the wrapped content; nil if it is missing.
  @inlinable public static func content(of value: Value) -> Wrapped? { value.isNull ? nil : Wrapped.read(value) }
}

extension Array: ReadableField where Element: ReadableField {
  /// Returns the elements of a list without those of another kind; nil if the value is not a list.
  @inlinable public static func read(_ value: Value) -> [Element]? { value.list?.compactMap(Element.read) }
  /// Returns the elements of a list without those of another kind; none if it is missing.
  @inlinable public static func content(of value: Value) -> [Element] { read(value) ?? [] }
}

extension Dictionary: ReadableField where Key == String, Value: ReadableField {
  /// Returns the entries of a record without those of another kind; nil if the value is not a record.
  @inlinable public static func read(_ value: PluginAPI.Value) -> [String: Value]? {
    value.record.map { record in
      let entries = record.fields.compactMap { field in Value.read(field.value).map { (field.name, $0) } }
      return [String: Value](entries) { first, _ in first }
    }
  }
  /// Returns the entries of a record without those of another kind; none if it is missing.
  @inlinable public static func content(of value: PluginAPI.Value) -> [String: Value] { read(value) ?? [:] }
}
