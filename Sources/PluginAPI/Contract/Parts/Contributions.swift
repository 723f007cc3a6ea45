/// Everything a plugin offers, as plain data that the host keeps without loading the plugin.
public struct Contributions: Sendable, Hashable {
  /// Who the plugin is.
  public var plugin: PluginIdentity
  /// Commands, in the order help shows them.
  public var commands: [CommandDescription] = []
  /// Screens; the first one is what `workbench run` shows.
  public var screens: [ScreenDescription] = []
  /// Stores.
  public var stores: [StoreDescription] = []
  /// The type names its text renderers take.
  public var textRenderers: [String] = []
  /// File types it opens.
  public var fileTypes: [FileTypeDescription] = []
  /// Settings.
  public var settings: [Parameter] = []
  /// Checks for `workbench doctor`.
  public var checks: [CheckDescription] = []
  /// Topics it notifies about.
  public var topics: [TopicDescription] = []
  /// Stable codes of its errors and diagnostics.
  public var errorCodes: [ErrorCodeDescription] = []

  /// Creates contributions without any part.
  public init(plugin: PluginIdentity) {
    self.plugin = plugin
  }
}

/// Who a plugin is.
public struct PluginIdentity: Sendable, Hashable {
  /// The id, `[a-z][a-z0-9-]{1,39}`; the same as in the library's stamp.
  public var id: String
  /// The name people read.
  public var name: String
  /// The version, `major.minor.patch`; the same as in the library's stamp.
  public var version: String
  /// One line: what it is for.
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
  /// The title people read.
  public var title: String
  /// One line: what it is for.
  public var summary: String
  /// Its actions; keys, palette and help are made from them.
  public var actions: [ScreenAction]
  /// The full topics, `plugin.topic`, that its controllers get as messages.
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

/// Something a screen does at once: turn, zoom, select, switch mode.
public struct ScreenAction: Sendable, Hashable {
  /// The id, kebab-case.
  public var id: String
  /// What palette and help say.
  public var title: String
  /// Arguments that go with it; several actions may share an id and differ here.
  public var arguments: Record
  /// The keys that perform it unless the user's key map says otherwise, as ``Key`` texts.
  public var keys: [String]
  /// Other words the action is looked for by in the palette.
  public var synonyms: [String]

  /// Creates an action.
  public init(_ id: String, _ title: String, keys: [String] = [], arguments: Record = Record()) {
    self.id = id
    self.title = title
    self.keys = keys
    self.arguments = arguments
    self.synonyms = []
  }

  /// The same action with other words to find it by.
  public func findable(by synonyms: [String]) -> ScreenAction {
    var copy = self
    copy.synonyms = synonyms
    return copy
  }
}

/// A store.
public struct StoreDescription: Sendable, Hashable {
  /// The name; `plugin:name` on the command line.
  public var name: String
  /// One line: what it keeps.
  public var summary: String

  /// Creates a description.
  public init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }
}

/// A type of file the plugin opens.
public struct FileTypeDescription: Sendable, Hashable {
  /// The name people read, such as `Protein Data Bank file`.
  public var name: String
  /// Extensions without the dot, lower case; `pdb.gz` is one too.
  public var extensions: [String]
  /// Bytes the file starts with; empty if it cannot be told so.
  public var magic: [UInt8]
  /// The screen that shows it, with the path as its `document` argument; nil if a command does.
  public var screen: String?
  /// The command that reads it, with the path as its first argument; nil if a screen does.
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

/// A check for `workbench doctor`.
public struct CheckDescription: Sendable, Hashable {
  /// The name.
  public var name: String
  /// One line: what it looks at.
  public var summary: String

  /// Creates a description.
  public init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }
}

/// A topic of notifications.
public struct TopicDescription: Sendable, Hashable {
  /// The topic without the plugin's id.
  public var name: String
  /// One line: when it is sent.
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

/// A stable code of an error or diagnostic.
public struct ErrorCodeDescription: Sendable, Hashable {
  /// The code, `plugin.what-happened`.
  public var code: String
  /// What it means and what to do.
  public var summary: String

  /// Creates a description.
  public init(_ code: String, _ summary: String) {
    self.code = code
    self.summary = summary
  }
}
