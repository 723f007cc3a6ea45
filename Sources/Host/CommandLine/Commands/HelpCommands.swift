import PluginAPI

/// `help` and `version`.
@MainActor enum HelpCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [help(interpreter), version]
  }

  private static func help(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "help", "Explain commands, plugins and topics", output: .init(.any), effects: []
    ).taking([
      Parameter(
        "topic", .text,
        "Command, plugin or topic; topics are \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", "))",
        isRepeatable: true)
    ]).explained(
      "'help schema COMMAND' prints the JSON Schema of a command's --json output.",
      examples: [
        .init("help", "Overview"), .init("help molecules render", "One command"),
        .init("help errors", "All error codes"), .init("help schema molecules list", "JSON Schema of a result"),
      ])
    return HostCommand(declaration) { [unowned interpreter] call in
      try await call.emit(try await HelpTopic.value(of: call.texts("topic"), in: interpreter.table))
    }
  }

  private static let version = HostCommand(
    CommandDescription(
      "version", "Print the versions of the program and the plugin contract",
      output: .init(
        .record([
          .init("version", .text, "Version of the program"), .init("contract", .integer, "Revision of the contract"),
          .init("oldestContract", .integer, "Oldest supported revision"),
          .init("compiler", .text, "Swift compiler required for plugins"),
        ]), typeName: "host.version"), effects: [])
  ) { call in try await call.emit(HostVersion.value) }
}
