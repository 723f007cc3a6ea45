import PluginAPI

/// A tool for agents.
enum Tool: String, CaseIterable {
  case find, describe, read, links, table, picture, next, write

  /// The description that agents get: name, purpose, arguments and effects.
  func definition(isOffline: Bool) -> Value {
    [
      "name": .text(rawValue), "title": .text(title), "description": .text(purpose),
      "inputSchema": [
        "type": "object", "properties": .record(Record(arguments.map { Record.Field($0.name, .record($0.schema)) })),
        "required": .list(arguments.filter(\.isRequired).map { .text($0.name) }), "additionalProperties": false,
      ],
      "annotations": .record(Self.annotations(effects, isOffline: isOffline)),
    ]
  }

  /// Returns effects as hints for agents.
  static func annotations(_ effects: Set<CommandDescription.Effect>, isOffline: Bool) -> Record {
    [
      "readOnlyHint": .bool(effects.isDisjoint(with: [.writes, .deletes])),
      "destructiveHint": .bool(effects.contains(.deletes)),
      "openWorldHint": .bool(effects.contains(.network) && !isOffline),
    ]
  }

  private var effects: Set<CommandDescription.Effect> {
    switch self {
    case .find, .describe, .next: []
    case .links: [.reads]
    case .read, .table, .picture: [.reads, .network]
    case .write: [.reads, .writes, .deletes, .network]
    }
  }

  private var title: String {
    switch self {
    case .find: "Find commands"
    case .describe: "Describe a command"
    case .read: "Run a command that reads"
    case .links: "Follow an id"
    case .table: "Read a table"
    case .picture: "Draw a picture"
    case .next: "Next page"
    case .write: "Run a command that changes something"
    }
  }

  private var purpose: String {
    switch self {
    case .find: "Find commands by words, such as 'distance between atoms'. Begin here."
    case .describe: "Show the arguments, result, effects and examples of a command. Use it before the first call."
    case .read: "Run a command that changes nothing. The result is JSON. Long results have pages; see 'next'."
    case .links:
      "Find an id in the stored data of all plugins: what has it, which commands take it, and which get it from a "
        + "service. The tool itself uses no network."
    case .table: "Run a command that changes nothing. The result is a table, with tabs between the columns."
    case .picture: "Run a command whose result is a picture, such as a drawing of a molecule or a pathway."
    case .next: "Get the next page of a long result. The end of each page names its cursor."
    case .write: "Run a command that changes or deletes something. Ask the user first."
    }
  }

  /// An argument of a tool.
  struct Argument {
    var name: String
    var schema: Record
    var isRequired = false
  }

  /// The arguments that the tool accepts.
  var arguments: [Argument] {
    switch self {
    case .find:
      [
        Argument(
          name: "text", schema: Self.text("Words that describe the purpose; empty to list all"), isRequired: true),
        Argument(name: "plugin", schema: Self.text("Only commands of this plugin, such as molecules")),
      ]
    case .describe: [Self.command]
    case .read, .write: [Self.command, Self.commandArguments]
    case .table:
      [
        Self.command, Self.commandArguments,
        Argument(
          name: "columns",
          schema: ["type": "array", "items": ["type": "string"], "description": "Only these columns, in this order"]),
      ]
    case .picture:
      [Self.command, Self.commandArguments, Self.pixels("width"), Self.pixels("height")]
    case .links:
      [
        Argument(
          name: "id", schema: Self.text("Id or name, such as uniprot:P69905, ec-code:2.7.1.11, 4hhb or pyruvate"),
          isRequired: true)
      ]
    case .next:
      [Argument(name: "cursor", schema: Self.text("Cursor from the end of the previous page"), isRequired: true)]
    }
  }

  /// The largest width and height of a picture.
  static let mostPixels = 1600

  private static let command = Argument(
    name: "command", schema: text("Command, such as molecules.info"), isRequired: true)
  private static let commandArguments = Argument(
    name: "arguments",
    schema: ["type": "object", "description": "Arguments and options of the command by name, as 'describe' lists them"])

  private static func text(_ description: String) -> Record {
    ["type": "string", "description": .text(description)]
  }

  private static func pixels(_ name: String) -> Argument {
    Argument(
      name: name, schema: ["type": "integer", "minimum": 16, "maximum": .integer(mostPixels), "description": "Pixels"])
  }
}

/// The arguments of a call of a tool.
struct ToolArguments {
  /// The maximum number of bytes of a text.
  static let longestText = 200
  /// The most words to find commands by.
  static let mostWords = 16
  /// The most columns of a table.
  private static let mostColumns = 256

  private let tool: Tool
  private let values: Value

  init(_ tool: Tool, _ values: Value) {
    (self.tool, self.values) = (tool, values)
  }

  /// Refuses unknown arguments.
  func check() throws(ErrorReport) {
    if values.isNull { return }
    guard let record = values.record else { throw AgentError.arguments(tool: tool.rawValue, "they are not an object") }
    let names = tool.arguments.map(\.name)
    for name in record.names where !names.contains(name) {
      let hint =
        names.contains("arguments")
        ? "; arguments of the command belong in 'arguments'" : "; it takes \(names.joined(separator: " and "))"
      throw AgentError.arguments(tool: tool.rawValue, "there is no '\(name)'" + hint)
    }
  }

  func text(_ name: String) throws(ErrorReport) -> String {
    guard let text = values[name].text else {
      throw AgentError.arguments(tool: tool.rawValue, "'\(name)' is not a text")
    }
    guard text.utf8.count <= Self.longestText else {
      throw AgentError.arguments(tool: tool.rawValue, "'\(name)' is longer than \(Self.longestText) bytes")
    }
    return text
  }

  /// Returns the words of a text, in small letters.
  func terms(_ name: String) throws(ErrorReport) -> [String] {
    let terms = try text(name).lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    guard terms.count <= Self.mostWords else {
      throw AgentError.arguments(tool: tool.rawValue, "'\(name)' has more than \(Self.mostWords) words")
    }
    return terms
  }

  func optionalText(_ name: String) throws(ErrorReport) -> String? {
    values[name].isNull ? nil : try text(name)
  }

  func texts(_ name: String) throws(ErrorReport) -> [String] {
    if values[name].isNull { return [] }
    guard let list = values[name].list else {
      throw AgentError.arguments(tool: tool.rawValue, "'\(name)' is not a list")
    }
    guard list.count <= Self.mostColumns else {
      throw AgentError.arguments(tool: tool.rawValue, "'\(name)' has more than \(Self.mostColumns) elements")
    }
    let texts = list.compactMap(\.text)
    guard texts.count == list.count else {
      throw AgentError.arguments(tool: tool.rawValue, "'\(name)' has elements that are not texts")
    }
    return texts
  }

  func number(_ name: String, default standard: Int) throws(ErrorReport) -> Int {
    if values[name].isNull { return standard }
    guard let number = values[name].integer, (16...Tool.mostPixels).contains(number) else {
      throw AgentError.arguments(tool: tool.rawValue, "'\(name)' is not a whole number from 16 to \(Tool.mostPixels)")
    }
    return number
  }

  /// The arguments of the command: an object, or a list of positional ones.
  func commandArguments() throws(ErrorReport) -> ([Value], Record) {
    let arguments = values["arguments"]
    if arguments.isNull { return ([], Record()) }
    if let list = arguments.list { return (list, Record()) }
    guard let record = arguments.record else {
      throw AgentError.arguments(tool: tool.rawValue, "'arguments' is not an object")
    }
    return ([], record)
  }
}
