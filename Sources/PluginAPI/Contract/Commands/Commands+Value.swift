extension CommandDescription: ValueConvertible {
  /// `host.command`.
  public static var typeName: String { "host.command" }

  /// Creates a description from its value form.
  public init(value: Value) throws {
    let output = value["output"]
    let schema = try ValueSchema(value: output["schema"])
    self.init(
      try value.requiredText("name"), try value.requiredText("summary"),
      output: Output(schema, typeName: output["type"].text, isStream: output["stream"].bool ?? false),
      effects: Set((value["effects"].list ?? []).compactMap { $0.text.flatMap(Effect.init(rawValue:)) }))
    discussion = value["discussion"].text ?? ""
    arguments = try value.elements("arguments")
    options = try value.elements("options")
    examples = (value["examples"].list ?? []).map { Example($0["line"].text ?? "", $0["summary"].text ?? "") }
    synonyms = value["synonyms"].list?.compactMap(\.text) ?? []
  }

  /// The description as a record.
  public var value: Value {
    [
      "name": .text(name),
      "summary": .text(summary),
      "discussion": .text(discussion),
      "arguments": .elements(arguments),
      "options": .elements(options),
      "examples": .list(examples.map { ["line": .text($0.line), "summary": .text($0.summary)] }),
      "effects": .list(Effect.allCases.filter(effects.contains).map { .text($0.rawValue) }),
      "output": [
        "schema": output.schema.value, "type": .optional(output.typeName), "stream": .bool(output.isStream),
      ],
      "synonyms": .list(synonyms.map(Value.text)),
    ]
  }
}

extension Parameter: ValueConvertible {
  /// `host.parameter`.
  public static var typeName: String { "host.parameter" }

  /// Creates a parameter from its value form.
  public init(value: Value) throws {
    self.init(
      try value.requiredText("name"), try Kind(value: value["kind"]), value["summary"].text ?? "",
      unit: value["unit"].text, isRequired: value["required"].bool ?? false,
      isRepeatable: value["repeatable"].bool ?? false, defaultValue: value["default"])
    isPersonal = value["personal"].bool ?? false
    let completion = value["completion"]
    if let command = completion["command"].text, let column = completion["column"].text {
      self.completion = Completion(
        command: command, column: column, summaryColumn: completion["summaryColumn"].text,
        otherColumns: completion["otherColumns"].list?.compactMap(\.text) ?? [])
    }
  }

  /// The parameter as a record.
  public var value: Value {
    [
      "name": .text(name), "kind": kind.value, "summary": .text(summary), "unit": .optional(unit),
      "required": .bool(isRequired), "repeatable": .bool(isRepeatable), "default": defaultValue,
      "personal": .bool(isPersonal), "completion": completion?.value ?? .null,
    ]
  }
}

extension Parameter.Completion {
  /// The completion as a record.
  fileprivate var value: Value {
    [
      "command": .text(command), "column": .text(column), "summaryColumn": .optional(summaryColumn),
      "otherColumns": .list(otherColumns.map { .text($0) }),
    ]
  }
}

extension Parameter.Kind: ValueConvertible {
  /// `host.parameter-kind`.
  public static var typeName: String { "host.parameter-kind" }

  /// Creates a kind from its value form; a kind this contract does not know becomes text.
  public init(value: Value) throws {
    let words = value["words"].list?.compactMap(\.text) ?? []
    switch try value.requiredText("is") {
    case "flag": self = .flag
    case "integer":
      self = .integer(minimum: value["minimum"].integer ?? .min, maximum: value["maximum"].integer ?? .max)
    case "number":
      self = .number(
        minimum: value["minimum"].number ?? -.greatestFiniteMagnitude,
        maximum: value["maximum"].number ?? .greatestFiniteMagnitude)
    case "choice": self = .choice(words)
    case "numbers": self = .numbers(count: value["count"].integer ?? 1)
    case "inputFile": self = .inputFile(extensions: words)
    case "outputFile": self = .outputFile
    case "folder": self = .folder
    case "document": self = .document(extensions: words)
    case "url": self = .url
    case "date": self = .date
    default: self = .text
    }
  }

  /// The kind as a record.
  public var value: Value {
    switch self {
    case .flag: ["is": "flag"]
    case .text: ["is": "text"]
    case .integer(let bounds):
      ["is": "integer", "minimum": .integer(bounds.minimum), "maximum": .integer(bounds.maximum)]
    case .number(let bounds):
      ["is": "number", "minimum": .number(bounds.minimum), "maximum": .number(bounds.maximum)]
    case .choice(let words): ["is": "choice", "words": .list(words.map(Value.text))]
    case .numbers(let count): ["is": "numbers", "count": .integer(count)]
    case .inputFile(let words): ["is": "inputFile", "words": .list(words.map(Value.text))]
    case .outputFile: ["is": "outputFile"]
    case .folder: ["is": "folder"]
    case .document(let words): ["is": "document", "words": .list(words.map(Value.text))]
    case .url: ["is": "url"]
    case .date: ["is": "date"]
    }
  }
}
