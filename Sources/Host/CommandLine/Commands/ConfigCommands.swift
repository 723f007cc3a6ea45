import PluginAPI

/// `config get|set|unset|list|explain`.
@MainActor enum ConfigCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [get(interpreter), set(interpreter), unset(interpreter), list(interpreter), explain(interpreter)]
  }

  private static let key = Parameter(
    "setting", .text, "the setting: color, or PLUGIN.SETTING", isRequired: true)

  private static func get(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription("config get", "prints the value of a setting", output: .init(.any))
      .taking([key]).explained(examples: [.init("config get color", "a setting of the program itself")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let book = await SettingsBook(interpreter)
      try book.requireReadable()
      try await call.emit(try book.effectiveValue(call.text("setting")))
    }
  }

  private static func set(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "config set", "keeps a value for a setting", output: .init(.any), effects: [.reads, .writes]
    ).taking([
      key,
      Parameter(
        "value", .text, "the value; several where the setting takes several", isRequired: true, isRepeatable: true),
    ])
    .explained(examples: [.init("config set color never", "no colours from now on")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let book = await SettingsBook(interpreter)
      try book.set(call.text("setting"), to: call.texts("value"))
    }
  }

  private static func unset(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "config unset", "goes back to the default of a setting", output: .init(.any), effects: [.reads, .writes]
    ).taking([key]).explained(examples: [.init("config unset color", "colours as the terminal has them")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let book = await SettingsBook(interpreter)
      let (area, parameter) = try book.find(call.text("setting"))
      try book.settings.set(area, parameter, to: .null)
    }
  }

  private static func list(_ interpreter: CommandInterpreter) -> HostCommand {
    let fields: [ValueSchema.Field] = [
      .init("name", .text, "the setting"), .init("value", .any, "its value"),
      .init("source", .choice(Settings.Source.allCases.map(\.rawValue)), "where the value comes from"),
      .init("summary", .text, "what it means"),
    ]
    let declaration = CommandDescription(
      "config list", "lists all settings, their values and where these come from", output: .init(.table(fields))
    ).explained(examples: [.init("config list --json", "as JSON")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let book = await SettingsBook(interpreter)
      try book.requireReadable()
      try await call.emit(.table(book.table))
    }
  }

  private static func explain(_ interpreter: CommandInterpreter) -> HostCommand {
    let level: ValueSchema = .record([
      .init("source", .choice(Settings.Source.allCases.map(\.rawValue))), .init("where", .text), .init("value", .any),
    ])
    let declaration = CommandDescription(
      "config explain", "tells what a setting means and where its value comes from",
      output: .init(
        .record([
          .init("name", .text), .init("summary", .text), .init("accepts", .text), .init("value", .any),
          .init("source", .text), .init("sources", .list(level), "strongest first; null where it says nothing"),
        ]))
    ).taking([key]).explained(examples: [.init("config explain color", "flag, environment, file, default")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let book = await SettingsBook(interpreter)
      try book.requireReadable()
      try await call.emit(try book.explanation(call.text("setting")))
    }
  }
}
