import PluginAPI

/// A topic of `workbench help` other than commands and plugins.
enum HelpTopic: String, CaseIterable {
  case options, statuses, errors, schema, keys, scripts, lua, settings, environment, authors

  /// Returns the help for the given words.
  ///
  /// - Throws: ``CommandLineError`` if there is no such topic.
  @MainActor static func value(of words: [String], in table: CommandTable) throws -> Value {
    guard let first = words.first else { return overview(table) }
    if let entry = table.entry(words) { return HelpValue.command(entry) }
    if let topic = HelpTopic(rawValue: first) {
      if topic == .schema { return try schema(of: Array(words.dropFirst()), table) }
      if words.count == 1 { return topic.value(table) }
    }
    if table.isBeginning(words) { return HelpValue.group(words, in: table) }
    let prefix = words.dropLast().joined(separator: " ")
    if !prefix.isEmpty, table.isBeginning(Array(words.dropLast())) {
      throw CommandLineError.unknownCommand(
        words.last ?? "", after: prefix, known: table.continuations(of: Array(words.dropLast())))
    }
    if let topic = HelpTopic(rawValue: first), words.count > 1 {
      if topic == .errors, words.count == 2 { return try error(words[1], table) }
      let limit = topic == .errors ? 1 : 0
      throw CommandLineError.extraArgument(words[limit + 1], command: "help " + first, limit: limit)
    }
    throw CommandLineError.unknownWord(first, known: table.firstWords + allCases.map(\.rawValue))
  }

  @MainActor private func value(_ table: CommandTable) -> Value {
    switch self {
    case .options: HelpValue.parameters(GlobalOption.all.map(\.parameter), title: "Options of all commands")
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

  @MainActor private static func schema(of words: [String], _ table: CommandTable) throws -> Value {
    guard let entry = table.entry(words) else {
      if words.isEmpty {
        throw CommandLineError.missingArgument("COMMAND after 'schema'", command: "help", expectation: "a command")
      }
      let prefix = words.dropLast().joined(separator: " ")
      throw CommandLineError.unknownCommand(
        words.last ?? "", after: prefix, known: table.continuations(of: Array(words.dropLast())))
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
  static func group(_ words: [String], in table: CommandTable) -> Value {
    let prefix = words.joined(separator: " ")
    let first = words.first ?? ""
    if table.isHostWord(first) {
      let commands = table.hostCommands.filter {
        !$0.isHidden && ($0.declaration.name == prefix || $0.declaration.name.hasPrefix(prefix + " "))
      }
      return group(prefix, summary: "", commands.map { ($0.declaration.name, $0.declaration.summary) }, screens: [])
    }
    guard let contributions = table.plugins.contributions(of: first) else { return .null }
    let rest = words.dropFirst().joined(separator: " ")
    let commands = contributions.commands.filter { rest.isEmpty || $0.name.hasPrefix(rest + " ") }
    let title = rest.isEmpty ? contributions.plugin.name + " " + contributions.plugin.version : ""
    return group(
      prefix, summary: title.isEmpty ? "" : title + ": " + contributions.plugin.summary,
      commands.map { (first + " " + $0.name, $0.summary) }, screens: rest.isEmpty ? contributions.screens : [])
  }

  /// Help about options.
  static func parameters(_ parameters: [Parameter], title: String) -> Value {
    Value(["title": .text(title), "options": .list(parameters.map(\.value))] as Record).typed("host.options-help")
  }

  private static func group(
    _ words: String, summary: String, _ commands: [(name: String, summary: String)], screens: [ScreenDescription]
  ) -> Value {
    Value(
      [
        "words": .text(words), "summary": .text(summary),
        "commands": .list(commands.map { ["name": .text($0.name), "summary": .text($0.summary)] }),
        "screens": .list(
          screens.map { ["name": .text($0.name), "title": .text($0.title), "summary": .text($0.summary)] }),
      ] as Record
    ).typed("host.group-help")
  }
}
