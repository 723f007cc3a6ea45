import PluginAPI

/// The host's own commands, from all its rooms.
@MainActor enum HostCommands {
  /// All of them, in the order help shows them.
  static func all(_ interpreter: CommandInterpreter) -> [HostCommand] {
    ScreenCommands.commands(interpreter) + PluginCommands.commands(interpreter.session)
      + ScriptCommands.commands(interpreter)
      + StoreCommands.commands(interpreter) + ConfigCommands.commands(interpreter)
      + DoctorCommand.commands(interpreter) + CompletionCommands.commands(interpreter)
      + HelpCommands.commands(interpreter)
  }
}
