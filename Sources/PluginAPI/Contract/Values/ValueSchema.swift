/// The shape of a value: what a command emits, a notification carries, a setting accepts.
///
/// The host turns it into JSON Schema (`workbench help schema`) and checks documentation and tests with it.
public indirect enum ValueSchema: Sendable, Hashable {
  /// Anything.
  case any
  /// True or false.
  case bool
  /// A whole number.
  case integer
  /// A number.
  case number
  /// Text.
  case text
  /// One of these texts.
  case choice([String])
  /// A date, ISO 8601 in JSON.
  case date
  /// Bytes, base64 in JSON.
  case bytes
  /// A number with its unit.
  case quantity
  /// An image.
  case picture
  /// Null, or a value of this shape.
  case optional(ValueSchema)
  /// A list whose elements have this shape.
  case list(ValueSchema)
  /// A record with exactly these fields.
  case record([Field])
  /// A record whose names are free and whose values have this shape.
  case map(ValueSchema)
  /// A table with these columns; in JSON a list of records.
  case table([Field])

  /// One named part of a record or table.
  public struct Field: Sendable, Hashable {
    /// The name, in camelCase.
    public var name: String
    /// The shape of its value.
    public var schema: ValueSchema
    /// What it means, with its unit.
    public var summary: String

    /// Creates a field.
    public init(_ name: String, _ schema: ValueSchema, _ summary: String = "") {
      self.name = name
      self.schema = schema
      self.summary = summary
    }
  }
}
