import PluginAPI

/// Attends the commands that an interpreter runs, as a prompt does that pages long results.
@MainActor protocol CommandAttendant: AnyObject {
  /// Runs a command and shows its result.
  ///
  /// - Parameters:
  ///   - entry: The command.
  ///   - options: The options of its line.
  ///   - output: The receiver of its output.
  ///   - body: Runs the command with the receiver given to it.
  func attend(
    _ entry: CommandEntry, _ options: GlobalOptions, output: any CommandOutput,
    _ body: (any CommandOutput) async throws -> Void
  ) async throws
}
