/// A plugin's contributions, as plain data that the host stores and reads without loading the plugin.
public struct Contributions: Sendable, Hashable {
  /// The identity of the plugin.
  public var plugin: PluginIdentity
  /// Commands, in the order help shows them.
  public var commands: [CommandDescription] = []
  /// Screens; `workbench run` shows the first one.
  public var screens: [ScreenDescription] = []
  /// Stores.
  public var stores: [StoreDescription] = []
  /// The type names that its text renderers accept.
  public var textRenderers: [String] = []
  /// The file types it opens.
  public var fileTypes: [FileTypeDescription] = []
  /// Settings.
  public var settings: [Parameter] = []
  /// Checks for `workbench doctor`.
  public var checks: [CheckDescription] = []
  /// The topics of its notifications.
  public var topics: [TopicDescription] = []
  /// The stable codes of its errors and diagnostics.
  public var errorCodes: [ErrorCodeDescription] = []

  /// Creates contributions without any part.
  public init(plugin: PluginIdentity) {
    self.plugin = plugin
  }
}

/// The identity of a plugin.
public struct PluginIdentity: Sendable, Hashable {
  /// The id, `[a-z][a-z0-9-]{1,39}`; the same as in the library's stamp.
  public var id: String
  /// The display name.
  public var name: String
  /// The version, `major.minor.patch`; the same as in the library's stamp.
  public var version: String
  /// A one-line summary of the plugin's purpose.
  public var summary: String

  /// Creates an identity.
  public init(id: String, name: String, version: String, summary: String) {
    self.id = id
    self.name = name
    self.version = version
    self.summary = summary
  }
}

/// A screen and its actions.
public struct ScreenDescription: Sendable, Hashable {
  /// The screen's name.
  public var name: String
  /// The title that users see.
  public var title: String
  /// A one-line summary of the screen's purpose.
  public var summary: String
  /// The actions of the screen; keys, palette and help are made from them.
  public var actions: [ScreenAction]
  /// The full topics, `plugin.topic`, whose notifications its controllers receive.
  public var topics: [String]

  /// Creates a description.
  public init(_ name: String, title: String, summary: String = "", actions: [ScreenAction] = [], topics: [String] = [])
  {
    self.name = name
    self.title = title
    self.summary = summary
    self.actions = actions
    self.topics = topics
  }
}

/// An immediate action of a screen, such as turn, zoom, select or switch mode.
public struct ScreenAction: Sendable, Hashable {
  /// The id, in kebab-case.
  public var id: String
  /// The title in palette and help.
  public var title: String
  /// The arguments of the action; several actions may share an id and differ in their arguments.
  public var arguments: Record
  /// The default keys, as ``Key`` texts; the user's key map overrides them.
  public var keys: [String]
  /// Other words to find the action by in the palette.
  public var synonyms: [String]

  /// Creates an action.
  public init(_ id: String, _ title: String, keys: [String] = [], arguments: Record = Record()) {
    self.id = id
    self.title = title
    self.keys = keys
    self.arguments = arguments
    self.synonyms = []
  }

  /// Returns the same action with other words to find it by.
  public func findable(by synonyms: [String]) -> ScreenAction {
    var copy = self
    copy.synonyms = synonyms
    return copy
  }
}

/// The description of a store.
public struct StoreDescription: Sendable, Hashable {
  /// The name; the command line uses `plugin:name`.
  public var name: String
  /// A one-line summary of the store's contents.
  public var summary: String

  /// Creates a description.
  public init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }
}

/// The description of a file type that the plugin opens.
public struct FileTypeDescription: Sendable, Hashable {
  /// The display name, such as `Protein Data Bank file`.
  public var name: String
  /// The extensions in lower case, without the leading dot, such as `pdb` and `pdb.gz`.
  public var extensions: [String]
  /// The bytes that the file starts with; empty if they do not identify the type.
  public var magic: [UInt8]
  /// The screen that shows the file, with the path as its `document` argument; nil if a command reads it.
  public var screen: String?
  /// The command that reads the file, with the path as its first argument; nil if a screen shows it.
  public var command: String?

  /// Creates a description.
  public init(_ name: String, extensions: [String], magic: [UInt8] = [], screen: String? = nil, command: String? = nil)
  {
    self.name = name
    self.extensions = extensions
    self.magic = magic
    self.screen = screen
    self.command = command
  }
}

/// The description of a check for `workbench doctor`.
public struct CheckDescription: Sendable, Hashable {
  /// The name.
  public var name: String
  /// A one-line summary of the check.
  public var summary: String

  /// Creates a description.
  public init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }
}

/// The description of a notification topic.
public struct TopicDescription: Sendable, Hashable {
  /// The name of the topic without the plugin's id.
  public var name: String
  /// A one-line summary of when it is sent.
  public var summary: String
  /// The shape of the payload.
  public var payload: ValueSchema

  /// Creates a description.
  public init(_ name: String, _ summary: String, payload: ValueSchema) {
    self.name = name
    self.summary = summary
    self.payload = payload
  }
}

/// The description of a stable code of an error or diagnostic.
public struct ErrorCodeDescription: Sendable, Hashable {
  /// The code, `plugin.what-happened`.
  public var code: String
  /// The meaning of the code, and the suggested remedy.
  public var summary: String

  /// Creates a description.
  public init(_ code: String, _ summary: String) {
    self.code = code
    self.summary = summary
  }
}

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
