import PluginAPI

extension JSONSchema {
  /// Returns the schema of an object with a command's arguments and options by name.
  static func parameters(of declaration: CommandDescription) -> Record {
    var properties = Record()
    let parameters = declaration.arguments + declaration.options
    for parameter in parameters { properties[parameter.name] = .record(schema(of: parameter)) }
    return [
      "type": "object", "properties": .record(properties),
      "required": .list(parameters.filter(\.isRequired).map { .text($0.name) }), "additionalProperties": false,
    ]
  }

  private static func schema(of parameter: Parameter) -> Record {
    let single = schema(parameter.kind)
    // One value stands for a list of it.
    var schema: Record =
      parameter.isRepeatable ? ["anyOf": [["type": "array", "items": .record(single)], .record(single)]] : single
    let unit = parameter.unit.map { " (\($0))" } ?? ""
    schema["description"] = .text(parameter.summary + unit)
    if !parameter.defaultValue.isNull { schema["default"] = parameter.defaultValue }
    return schema
  }

  private static func schema(_ kind: Parameter.Kind) -> Record {
    switch kind {
    case .flag: return ["type": "boolean"]
    case .text, .inputFile, .outputFile, .folder, .document, .date: return ["type": "string"]
    case .integer(let bounds):
      var schema: Record = ["type": "integer"]
      if bounds.minimum > .min { schema["minimum"] = .integer(bounds.minimum) }
      if bounds.maximum < .max { schema["maximum"] = .integer(bounds.maximum) }
      return schema
    case .number(let bounds):
      var schema: Record = ["type": "number"]
      if bounds.minimum > -.greatestFiniteMagnitude { schema["minimum"] = .number(bounds.minimum) }
      if bounds.maximum < .greatestFiniteMagnitude { schema["maximum"] = .number(bounds.maximum) }
      return schema
    case .choice(let choices): return ["type": "string", "enum": .list(choices.map(Value.text))]
    case .numbers(let count):
      return [
        "type": "array", "items": ["type": "number"], "minItems": .integer(count), "maxItems": .integer(count),
      ]
    case .url: return ["type": "string", "format": "uri"]
    @unknown default: return ["type": "string"]
    }
  }
}
