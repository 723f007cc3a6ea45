extension Contributions: ValueConvertible {
  /// `host.contributions`.
  public static var typeName: String { "host.contributions" }

  /// Creates contributions from their value form.
  public init(value: Value) throws {
    self.init(plugin: try PluginIdentity(value: value["plugin"]))
    commands = try value.elements("commands")
    screens = try value.elements("screens")
    stores = try value.elements("stores")
    textRenderers = value["textRenderers"].list?.compactMap(\.text) ?? []
    fileTypes = try value.elements("fileTypes")
    settings = try value.elements("settings")
    checks = try value.elements("checks")
    topics = try value.elements("topics")
    errorCodes = try value.elements("errorCodes")
  }

  /// The contributions as a record.
  public var value: Value {
    [
      "plugin": plugin.value,
      "commands": .elements(commands),
      "screens": .elements(screens),
      "stores": .elements(stores),
      "textRenderers": .list(textRenderers.map(Value.text)),
      "fileTypes": .elements(fileTypes),
      "settings": .elements(settings),
      "checks": .elements(checks),
      "topics": .elements(topics),
      "errorCodes": .elements(errorCodes),
    ]
  }
}

extension Value {
  /// Returns a list of the elements' value forms.
  static func elements<Element: ValueConvertible>(_ elements: [Element]) -> Value {
    .list(elements.map(\.value))
  }

  /// Returns the elements of a list field; none if the field is missing.
  func elements<Element: ValueConvertible>(_ name: String) throws -> [Element] {
    try (self[name].list ?? []).map { try Element(value: $0) }
  }

  /// Returns the whole number of a field.
  func requiredInteger(_ name: String) throws(ValueDecodingError) -> Int {
    guard let integer = self[name].integer else { throw .unexpectedShape(path: name, expected: "a whole number") }
    return integer
  }

  /// Returns the text of a field.
  func requiredText(_ name: String) throws(ValueDecodingError) -> String {
    guard let text = self[name].text else { throw .unexpectedShape(path: name, expected: "text") }
    return text
  }
}

extension PluginIdentity: ValueConvertible {
  /// `host.plugin-identity`.
  public static var typeName: String { "host.plugin-identity" }

  /// Creates an identity from its value form.
  public init(value: Value) throws {
    self.init(
      id: try value.requiredText("id"), name: try value.requiredText("name"),
      version: try value.requiredText("version"), summary: value["summary"].text ?? "")
  }

  /// The identity as a record.
  public var value: Value {
    ["id": .text(id), "name": .text(name), "version": .text(version), "summary": .text(summary)]
  }
}

extension ScreenDescription: ValueConvertible {
  /// `host.screen`.
  public static var typeName: String { "host.screen" }

  /// Creates a description from its value form.
  public init(value: Value) throws {
    self.init(
      try value.requiredText("name"), title: try value.requiredText("title"), summary: value["summary"].text ?? "",
      actions: try value.elements("actions"), topics: value["topics"].list?.compactMap(\.text) ?? [])
  }

  /// The description as a record.
  public var value: Value {
    [
      "name": .text(name), "title": .text(title), "summary": .text(summary), "actions": .elements(actions),
      "topics": .list(topics.map(Value.text)),
    ]
  }
}

extension ScreenAction: ValueConvertible {
  /// `host.screen-action`.
  public static var typeName: String { "host.screen-action" }

  /// Creates an action from its value form.
  public init(value: Value) throws {
    self.init(
      try value.requiredText("id"), try value.requiredText("title"),
      keys: value["keys"].list?.compactMap(\.text) ?? [], arguments: value["arguments"].record ?? Record())
    synonyms = value["synonyms"].list?.compactMap(\.text) ?? []
  }

  /// The action as a record.
  public var value: Value {
    [
      "id": .text(id), "title": .text(title), "keys": .list(keys.map(Value.text)), "arguments": .record(arguments),
      "synonyms": .list(synonyms.map(Value.text)),
    ]
  }
}

extension StoreDescription: ValueConvertible {
  /// `host.store`.
  public static var typeName: String { "host.store" }

  /// Creates a description from its value form.
  public init(value: Value) throws {
    self.init(try value.requiredText("name"), value["summary"].text ?? "")
  }

  /// The description as a record.
  public var value: Value { ["name": .text(name), "summary": .text(summary)] }
}

extension FileTypeDescription: ValueConvertible {
  /// `host.file-type`.
  public static var typeName: String { "host.file-type" }

  /// Creates a description from its value form.
  public init(value: Value) throws {
    self.init(
      try value.requiredText("name"), extensions: value["extensions"].list?.compactMap(\.text) ?? [],
      magic: value["magic"].bytes ?? [], screen: value["screen"].text, command: value["command"].text)
  }

  /// The description as a record.
  public var value: Value {
    [
      "name": .text(name), "extensions": .list(extensions.map(Value.text)), "magic": .bytes(magic),
      "screen": .optional(screen), "command": .optional(command),
    ]
  }
}

extension CheckDescription: ValueConvertible {
  /// `host.check`.
  public static var typeName: String { "host.check" }

  /// Creates a description from its value form.
  public init(value: Value) throws {
    self.init(try value.requiredText("name"), value["summary"].text ?? "")
  }

  /// The description as a record.
  public var value: Value { ["name": .text(name), "summary": .text(summary)] }
}

extension TopicDescription: ValueConvertible {
  /// `host.topic`.
  public static var typeName: String { "host.topic" }

  /// Creates a description from its value form.
  public init(value: Value) throws {
    self.init(
      try value.requiredText("name"), value["summary"].text ?? "", payload: try ValueSchema(value: value["payload"]))
  }

  /// The description as a record.
  public var value: Value { ["name": .text(name), "summary": .text(summary), "payload": payload.value] }
}

extension ErrorCodeDescription: ValueConvertible {
  /// `host.error-code`.
  public static var typeName: String { "host.error-code" }

  /// Creates a description from its value form.
  public init(value: Value) throws {
    self.init(try value.requiredText("code"), value["summary"].text ?? "")
  }

  /// The description as a record.
  public var value: Value { ["code": .text(code), "summary": .text(summary)] }
}
