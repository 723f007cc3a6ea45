import Glibc
import PluginAPI

/// `shell`.
@MainActor enum ShellCommand {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    let declaration = CommandDescription(
      "shell", "Run commands at a prompt with history and completion", output: .init(.any, isStream: true),
      effects: []
    ).explained(
      """
      Lines have the syntax of scripts; see 'workbench help scripts'. Plugins are loaded once, so commands start \
      without delay.
      Tab completes commands, options, stored values, files and variables; Ctrl-R searches the history. $_ is the last
      result, $_2 the one before it, up to $_9. Ctrl-C cancels the running command; 'exit' and Ctrl-D leave the shell.
      """,
      examples: [
        .init("shell", "Start the prompt"), .init("shell --offline", "Give options of the whole run at the start"),
      ])
    return [
      HostCommand(declaration) { [unowned interpreter] _ in try await run(interpreter) }
    ]
  }

  private static func run(_ interpreter: CommandInterpreter) async throws {
    if interpreter.attendant != nil || interpreter.isInParallel { throw ShellError.nested }
    guard interpreter.streams.inputIsTerminal else { throw ShellError.noTerminal }
    let history = ShellHistory(path: ShellHistory.path(in: interpreter.session.folders.state))
    try await Shell(interpreter, history: history).run()
  }
}
