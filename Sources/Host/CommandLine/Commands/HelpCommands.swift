import PluginAPI

/// `help` and `version`.
@MainActor enum HelpCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [help(interpreter), version]
  }

  private static func help(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "help", "explains commands, plugins and topics", output: .init(.any), effects: []
    ).taking([
      Parameter(
        "topic", .text,
        "words of a command, a plugin, or one of: \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", "))",
        isRepeatable: true)
    ]).explained(
      "'help schema COMMAND' prints the JSON Schema of what a command prints with --json.",
      examples: [
        .init("help", "what there is"), .init("help molecules render", "one command"),
        .init("help errors", "every error code"), .init("help schema molecules list", "the shape of a result"),
      ])
    return HostCommand(declaration) { [unowned interpreter] call in
      try await call.emit(try await HelpTopic.value(of: call.texts("topic"), in: interpreter.table))
    }
  }

  private static let version = HostCommand(
    CommandDescription(
      "version", "prints the version of the program and of the plugin contract",
      output: .init(
        .record([
          .init("version", .text, "version of the program"), .init("contract", .integer, "revision of the contract"),
          .init("oldestContract", .integer, "oldest revision whose plugins run"),
          .init("compiler", .text, "Swift compiler plugins must be built with"),
        ]), typeName: "host.version"), effects: [])
  ) { call in try await call.emit(HostVersion.value) }
}
