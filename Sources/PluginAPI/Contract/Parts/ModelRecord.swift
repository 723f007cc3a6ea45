/// A record of a model, read by the model's properties: the names of the fields come from the declaration.
///
/// ```swift
/// let station = ModelRecord<Station>(value)
/// let heading = station[\.name]
/// let height = station[\.latitude].map { "\($0)" } ?? "unknown"
/// ```
///
/// Records of programs and of older files may lack fields, or have fields of another kind. These are read as the empty
/// content of their type: nil, an empty text or list, 0 or false. Numbers, dates, images and enums that a model requires
/// are read as optionals, as they have no empty content.
///
/// A property that no field is declared with has no name in a record; to read it is a programming mistake. A property of
/// a protocol that several models conform to is another property than theirs.
public struct ModelRecord<M: Model>: Sendable {
  /// The record; any other value is read as a record without fields.
  public let value: Value

  /// Creates the typed view of a record.
  public init(_ value: Value) { self.value = value }

  /// Returns the records of a list or of a table's rows; none for any other value.
  public static func list(_ value: Value) -> [ModelRecord<M>] {
    value.table == nil && value.list == nil ? [] : value.elements.map { ModelRecord($0) }
  }

  /// The content of a field; empty if it is missing or of another kind.
  @inlinable public subscript<Field: ReadableField>(property: KeyPath<M, Field>) -> Field.RecordContent {
    Field.content(of: field(property))
  }

  /// The record in a field; a record without fields if it is missing or of another kind.
  @inlinable public subscript<Other: Model>(property: KeyPath<M, Other>) -> ModelRecord<Other> {
    ModelRecord<Other>(field(property))
  }

  /// The record in a field; nil if it is missing or of another kind.
  @inlinable public subscript<Other: Model>(property: KeyPath<M, Other?>) -> ModelRecord<Other>? {
    let value = field(property)
    return value.record == nil ? nil : ModelRecord<Other>(value)
  }

  /// The records in a list; none if it is missing or of another kind.
  @inlinable public subscript<Other: Model>(property: KeyPath<M, [Other]>) -> [ModelRecord<Other>] {
    ModelRecord<Other>.list(field(property))
  }

  /// The records in a list; nil if it is missing or of another kind.
  @inlinable public subscript<Other: Model>(property: KeyPath<M, [Other]?>) -> [ModelRecord<Other>]? {
    let value = field(property)
    return value.list == nil ? nil : ModelRecord<Other>.list(value)
  }

  /// The rows of a table; none if it is missing or of another kind.
  ///
  /// They have the fields with a heading.
  @inlinable public subscript<Row: Model>(property: KeyPath<M, ModelTable<Row>>) -> [ModelRecord<Row>] {
    ModelRecord<Row>.list(field(property))
  }

  /// The rows of a table; nil if it is missing or of another kind.
  ///
  /// They have the fields with a heading.
  @inlinable public subscript<Row: Model>(property: KeyPath<M, ModelTable<Row>?>) -> [ModelRecord<Row>]? {
    let value = field(property)
    return value.table == nil && value.list == nil ? nil : ModelRecord<Row>.list(value)
  }

  /// Returns the value of a property's field; null if the record lacks it.
  @usableFromInline func field(_ property: PartialKeyPath<M>) -> Value {
    guard let name = M.fields.name(of: property) else {
      preconditionFailure("\(M.typeName) has no field that is declared with the key path \(property)")
    }
    return value[name]
  }
}
