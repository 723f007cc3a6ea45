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
