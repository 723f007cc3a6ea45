import PluginAPI

/// `config get|set|unset|list|explain`.
@MainActor enum ConfigCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [get(interpreter), set(interpreter), unset(interpreter), list(interpreter), explain(interpreter)]
  }

  private static let key = Parameter(
    "setting", .text, "Setting, such as color or PLUGIN.SETTING", isRequired: true)

  private static func get(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription("config get", "Print the value of a setting", output: .init(.any))
      .taking([key]).explained(examples: [.init("config get color", "A setting of the program")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let book = await SettingsBook(interpreter)
      try book.requireReadable()
      try await call.emit(try book.effectiveValue(call.text("setting")))
    }
  }

  private static func set(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "config set", "Set the value of a setting", output: .init(.any), effects: [.reads, .writes]
    ).taking([
      key,
      Parameter(
        "value", .text, "Value; several if the setting accepts several", isRequired: true, isRepeatable: true),
    ])
    .explained(examples: [.init("config set color never", "Turn colors off")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let book = await SettingsBook(interpreter)
      try book.set(call.text("setting"), to: call.texts("value"))
    }
  }

  private static func unset(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "config unset", "Restore the default value of a setting", output: .init(.any), effects: [.reads, .writes]
    ).taking([key]).explained(examples: [.init("config unset color", "Colors as the terminal supports them")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let book = await SettingsBook(interpreter)
      let (area, parameter) = try book.find(call.text("setting"))
      try book.settings.set(area, parameter, to: .null)
    }
  }

  private static func list(_ interpreter: CommandInterpreter) -> HostCommand {
    let fields: [ValueSchema.Field] = [
      .init("name", .text, "Setting"), .init("value", .any, "Value"),
      .init("source", .choice(Settings.Source.allCases.map(\.rawValue)), "Source of the value"),
      .init("summary", .text, "Meaning of the setting"),
    ]
    let declaration = CommandDescription(
      "config list", "List all settings with their values and sources", output: .init(.table(fields))
    ).explained(examples: [.init("config list --json", "As JSON")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let book = await SettingsBook(interpreter)
      try book.requireReadable()
      try await call.emit(.table(book.table))
    }
  }

  private static func explain(_ interpreter: CommandInterpreter) -> HostCommand {
    let level: ValueSchema = .record([
      .init("source", .choice(Settings.Source.allCases.map(\.rawValue))),
      .init("where", .text, "Option, variable or file; empty if the source cannot have the setting"),
      .init("line", .optional(.integer), "Line in the file"), .init("value", .any),
      .init("problem", .optional(.text), "Reason why a value in this source is not used"),
    ])
    let declaration = CommandDescription(
      "config explain", "Explain a setting and the sources of its value",
      output: .init(
        .record([
          .init("name", .text), .init("summary", .text), .init("accepts", .text), .init("value", .any),
          .init("source", .text),
          .init("sources", .list(level), "Sources in order of precedence; null where a source has no value"),
        ]))
    ).taking([key]).explained(examples: [.init("config explain color", "Values of flag, environment, file and default")]
    )
    return HostCommand(declaration) { [unowned interpreter] call in
      let book = await SettingsBook(interpreter)
      try book.requireReadable()
      try await call.emit(try book.explanation(call.text("setting")))
    }
  }
}
