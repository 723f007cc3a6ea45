import PluginAPI

/// Writes the shape of results as JSON Schema.
///
/// - Source: JSON Schema 2020-12, https://json-schema.org/draft/2020-12/schema.
enum JSONSchema {
  /// Returns the schema of a command's output with `--json`.
  static func document(of entry: CommandEntry) -> Value {
    let output = entry.declaration.output
    var record: Record = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .text("workbench " + entry.words),
      "description": .text(entry.declaration.summary),
    ]
    let shape = output.isStream && !output.isListInParts ? array(of: schema(output.schema)) : schema(output.schema)
    for field in shape.fields { record[field.name] = field.value }
    return .record(record)
  }

  /// Returns the schema of values of a shape.
  static func schema(_ shape: ValueSchema) -> Record {
    switch shape {
    case .any: [:]
    case .bool: ["type": "boolean"]
    case .integer: ["type": "integer"]
    case .number: ["type": "number"]
    case .text: ["type": "string"]
    case .choice(let choices): ["type": "string", "enum": .list(choices.map(Value.text))]
    case .date: ["type": "string", "format": "date-time"]
    case .bytes: ["type": "string", "contentEncoding": "base64"]
    case .quantity: object([.init("value", .number), .init("unit", .text)])
    case .picture: picture
    case .array: array
    case .optional(let inner): ["anyOf": [.record(schema(inner)), ["type": "null"]]]
    case .list(let element): array(of: schema(element))
    case .record(let fields): object(fields)
    case .map(let element): ["type": "object", "additionalProperties": .record(schema(element))]
    case .table(let fields): array(of: object(fields.map(column)))
    @unknown default: [:]
    }
  }

  /// Numbers missing in a table are null.
  private static func column(_ field: ValueSchema.Field) -> ValueSchema.Field {
    field.schema == .number ? .init(field.name, .optional(.number), field.summary) : field
  }

  private static func array(of element: Record) -> Record {
    ["type": "array", "items": .record(element)]
  }

  private static func object(_ fields: [ValueSchema.Field]) -> Record {
    var properties = Record()
    for field in fields {
      var property = schema(field.schema)
      if !field.summary.isEmpty { property["description"] = .text(field.summary) }
      properties[field.name] = .record(property)
    }
    return [
      "type": "object", "properties": .record(properties), "required": .list(fields.map { .text($0.name) }),
      "additionalProperties": false,
    ]
  }

  private static let array: Record = [
    "type": "object",
    "properties": [
      "type": ["enum": .list(NumericArray.ElementType.allCases.map { .text($0.rawValue) })],
      "shape": ["type": "array", "items": ["type": "integer"], "description": "Length of each dimension"],
      "data": ["type": "string", "contentEncoding": "base64", "description": "Little-endian numbers"],
    ],
    "required": ["type", "shape", "data"], "additionalProperties": false,
  ]

  private static let picture: Record = [
    "type": "object",
    "properties": [
      "width": ["type": "integer", "description": "Pixels"], "height": ["type": "integer", "description": "Pixels"],
      "format": ["const": "png"],
      "data": ["type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"],
      "file": ["type": "string", "description": "Output file"],
    ],
    "required": ["width", "height", "format"], "additionalProperties": false,
  ]
}
