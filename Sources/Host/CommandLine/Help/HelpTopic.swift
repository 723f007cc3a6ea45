import PluginAPI

/// A topic of `workbench help` other than commands and plugins.
enum HelpTopic: String, CaseIterable {
  case options, statuses, errors, schema, keys, scripts, lua, settings, environment, authors

  /// Returns the help for the given words.
  ///
  /// - Throws: ``CommandLineError`` if there is no such topic.
  @MainActor static func value(of arguments: [String], in table: CommandTable) throws -> Value {
    guard let first = arguments.first else { return overview(table) }
    if let entry = table.entry(arguments) { return HelpValue.command(entry) }
    if let topic = HelpTopic(rawValue: first) {
      if topic == .schema { return try schema(of: Array(arguments.dropFirst()), table) }
      if arguments.count == 1 { return topic.value(table) }
    }
    if table.isBeginning(arguments) { return HelpValue.group(arguments, in: table) }
    let prefix = arguments.dropLast().joined(separator: " ")
    if !prefix.isEmpty, table.isBeginning(Array(arguments.dropLast())) {
      throw CommandLineError.unknownCommand(
        arguments.last ?? "", after: prefix, known: table.continuations(of: Array(arguments.dropLast())))
    }
    if let topic = HelpTopic(rawValue: first), arguments.count > 1 {
      if topic == .errors, arguments.count == 2 { return try error(arguments[1], table) }
      let limit = topic == .errors ? 1 : 0
      throw CommandLineError.extraArgument(arguments[limit + 1], command: "help " + first, limit: limit)
    }
    throw CommandLineError.unknownWord(first, known: table.firstWords + allCases.map(\.rawValue))
  }

  @MainActor private func value(_ table: CommandTable) -> Value {
    switch self {
    case .options: HelpValue.parameters(GlobalOption.all.map(\.parameter), title: "Options that all commands accept")
    case .statuses: Value.table(HelpTables.statuses)
    case .errors: Value.table(HelpTables.errors(HelpTables.codes(table.plugins.contributions)))
    case .keys: Value.table(HelpTables.keys(table.plugins.contributions))
    case .settings: Value.table(HelpTables.settings(table.plugins.contributions))
    case .environment: Value.table(HelpTables.environment)
    case .scripts: .text(HelpTables.scripts)
    case .lua: .text(LuaHelp.text)
    case .authors: .text(HelpTables.authors)
    case .schema: .null
    }
  }

  @MainActor private static func overview(_ table: CommandTable) -> Value {
    let commands = table.hostCommands.filter { !$0.isHidden }.map { command -> Value in
      ["name": .text(command.declaration.name), "summary": .text(command.declaration.summary)]
    }
    return Value(
      [
        "version": .text(HostVersion.number), "commands": .list(commands),
        "topics": .list(allCases.map { .text($0.rawValue) }),
      ] as Record
    ).typed("host.overview")
  }

  /// Returns the meaning of an error code.
  @MainActor private static func error(_ code: String, _ table: CommandTable) throws -> Value {
    let codes = HelpTables.codes(table.plugins.contributions)
    guard let known = codes.first(where: { $0.code == code }) else {
      throw CommandLineError.unknownCode(code, known: codes.map(\.code))
    }
    return .table(HelpTables.errors([known]))
  }

  @MainActor private static func schema(of arguments: [String], _ table: CommandTable) throws -> Value {
    guard let entry = table.entry(arguments) else {
      if arguments.isEmpty {
        throw CommandLineError.missingArgument("COMMAND after 'schema'", command: "help", expectation: "a command")
      }
      let prefix = arguments.dropLast().joined(separator: " ")
      throw CommandLineError.unknownCommand(
        arguments.last ?? "", after: prefix, known: table.continuations(of: Array(arguments.dropLast())))
    }
    return JSONSchema.document(of: entry).typed("host.json")
  }
}

extension Value {
  /// Makes a record.
  init(_ record: Record) { self.init(.record(record)) }
}

/// The help texts as values: `--json` prints them, ``HelpText`` renders them as text.
@MainActor enum HelpValue {
  /// Returns help about a command.
  static func command(_ entry: CommandEntry) -> Value {
    var record: Record = ["words": .text(entry.words)]
    for field in entry.declaration.value.record?.fields ?? [] { record[field.name] = field.value }
    record["pictureOptions"] = .list(entry.pictureOptions.map(\.parameter.value))
    return Value(record).typed("host.command-help")
  }

  /// Returns help about a plugin, or about the common first words of several commands.
  static func group(_ arguments: [String], in table: CommandTable) -> Value {
    let prefix = arguments.joined(separator: " ")
    let first = arguments.first ?? ""
    if table.isHostWord(first) {
      let commands = table.hostCommands.filter {
        !$0.isHidden && ($0.declaration.name == prefix || $0.declaration.name.hasPrefix(prefix + " "))
      }
      return group(prefix, summary: "", commands.map { ($0.declaration.name, $0.declaration.summary) }, screens: [])
    }
    guard let contributions = table.plugins.contributions(of: first) else { return .null }
    let remaining = arguments.dropFirst().joined(separator: " ")
    let commands = contributions.commands.filter { remaining.isEmpty || $0.name.hasPrefix(remaining + " ") }
    let title = remaining.isEmpty ? contributions.plugin.name + " " + contributions.plugin.version : ""
    return group(
      prefix, summary: title.isEmpty ? "" : title + ": " + contributions.plugin.summary,
      commands.map { (first + " " + $0.name, $0.summary) }, screens: remaining.isEmpty ? contributions.screens : [])
  }

  /// Help about options.
  static func parameters(_ parameters: [Parameter], title: String) -> Value {
    Value(["title": .text(title), "options": .list(parameters.map(\.value))] as Record).typed("host.options-help")
  }

  private static func group(
    _ name: String, summary: String, _ commands: [(name: String, summary: String)], screens: [ScreenDescription]
  ) -> Value {
    Value(
      [
        "words": .text(name), "summary": .text(summary),
        "commands": .list(commands.map { ["name": .text($0.name), "summary": .text($0.summary)] }),
        "screens": .list(
          screens.map { ["name": .text($0.name), "title": .text($0.title), "summary": .text($0.summary)] }),
      ] as Record
    ).typed("host.group-help")
  }
}
