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

extension ValueSchema: ValueConvertible {
  /// `host.schema`.
  public static var typeName: String { "host.schema" }

  /// Creates a schema from its value form; a shape unknown to this contract becomes `any`.
  public init(value: Value) throws {
    switch value["is"].text {
    case "bool": self = .bool
    case "integer": self = .integer
    case "number": self = .number
    case "text": self = .text
    case "choice": self = .choice(value["words"].list?.compactMap(\.text) ?? [])
    case "date": self = .date
    case "bytes": self = .bytes
    case "quantity": self = .quantity
    case "picture": self = .picture
    case "array": self = .array
    case "optional": self = .optional(try ValueSchema(value: value["of"]))
    case "list": self = .list(try ValueSchema(value: value["of"]))
    case "map": self = .map(try ValueSchema(value: value["of"]))
    case "record": self = .record(try ValueSchema.fields(value))
    case "table": self = .table(try ValueSchema.fields(value))
    default: self = .any
    }
  }

  private static func fields(_ value: Value) throws -> [Field] {
    try (value["fields"].list ?? []).map {
      Field(
        try $0.requiredText("name"), try ValueSchema(value: $0["schema"]), $0["summary"].text ?? "",
        heading: $0["heading"].text, unit: $0["unit"].text, decimals: $0["decimals"].integer)
    }
  }

  /// The schema as a record.
  public var value: Value {
    switch self {
    case .any: ["is": "any"]
    case .bool: ["is": "bool"]
    case .integer: ["is": "integer"]
    case .number: ["is": "number"]
    case .text: ["is": "text"]
    case .choice(let words): ["is": "choice", "words": .list(words.map(Value.text))]
    case .date: ["is": "date"]
    case .bytes: ["is": "bytes"]
    case .quantity: ["is": "quantity"]
    case .picture: ["is": "picture"]
    case .array: ["is": "array"]
    case .optional(let schema): ["is": "optional", "of": schema.value]
    case .list(let schema): ["is": "list", "of": schema.value]
    case .map(let schema): ["is": "map", "of": schema.value]
    case .record(let fields): ["is": "record", "fields": ValueSchema.value(of: fields)]
    case .table(let fields): ["is": "table", "fields": ValueSchema.value(of: fields)]
    }
  }

  private static func value(of fields: [Field]) -> Value {
    .list(
      fields.map { field in
        var record: Record = [
          "name": .text(field.name), "schema": field.schema.value, "summary": .text(field.summary),
        ]
        record["heading"] = field.heading.map(Value.text)
        record["unit"] = field.unit.map(Value.text)
        record["decimals"] = field.decimals.map(Value.integer)
        return .record(record)
      })
  }
}
