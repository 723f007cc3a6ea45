/// The shape of a value: of a command's output, a notification's payload or a setting.
///
/// The host turns it into JSON Schema (`workbench help schema`) and checks documentation and tests against it.
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
  /// Numbers of one type in any number of dimensions.
  case array
  /// Null, or a value of this shape.
  case optional(ValueSchema)
  /// A list whose elements have this shape.
  case list(ValueSchema)
  /// A record with exactly these fields.
  case record([Field])
  /// A record with arbitrary names, whose values have this shape.
  case map(ValueSchema)
  /// A table with these columns; a list of records in JSON.
  case table([Field])

  /// A named part of a record or table.
  public struct Field: Sendable, Hashable {
    /// The name, in camelCase.
    public var name: String
    /// The shape of the value.
    public var schema: ValueSchema
    /// A one-line summary.
    public var summary: String
    /// The heading of its column and its label on pages; nil for the name.
    public var heading: String?
    /// The unit of a number, such as `angstrom`; nil for none.
    public var unit: String?
    /// The number of decimal places shown to users; nil for as many as needed.
    public var decimals: Int?

    /// Creates a field that is shown under its name.
    public init(_ name: String, _ schema: ValueSchema, _ summary: String = "") {
      self.init(name, schema, summary, heading: nil, unit: nil, decimals: nil)
    }

    /// Creates a field.
    public init(
      _ name: String, _ schema: ValueSchema, _ summary: String, heading: String?, unit: String?, decimals: Int?
    ) {
      self.name = name
      self.schema = schema
      self.summary = summary
      self.heading = heading
      self.unit = unit
      self.decimals = decimals
    }
  }
}
