import PluginAPI

/// The host's own commands, from all its rooms.
@MainActor enum HostCommands {
  /// Returns all of them, in the order help shows them.
  static func all(_ interpreter: CommandInterpreter) -> [HostCommand] {
    ScreenCommands.commands(interpreter) + TourCommand.commands(interpreter) + ScriptCommands.commands(interpreter)
      + ScreenStepCommands.commands(interpreter)
      + ShellCommand.commands(interpreter)
      + PluginCommands.commands(interpreter.session) + PluginInstallCommands.commands(interpreter)
      + PluginSourceCommands.commands(interpreter) + PluginWatchCommands.commands(interpreter)
      + AuthorCommands.commands(interpreter)
      + StoreCommands.commands(interpreter)
      + ServeCommand.commands(interpreter)
      + BatchCommands.commands(interpreter)
      + ConfigCommands.commands(interpreter)
      + DoctorCommand.commands(interpreter) + BugReportCommand.commands(interpreter)
      + CompletionCommands.commands(interpreter)
      + HelpCommands.commands(interpreter)
  }
}
