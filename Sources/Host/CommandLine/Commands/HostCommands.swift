import PluginAPI

/// The host's own commands, from all its rooms.
@MainActor enum HostCommands {
  /// All of them, in the order help shows them.
  static func all(_ interpreter: CommandInterpreter) -> [HostCommand] {
    HelpCommands.commands(interpreter)
  }
}
