import PluginAPI

/// A command line that was understood.
struct ParsedLine: Sendable {
  /// The request of the line.
  enum Request: Sendable {
    /// To run a command with these arguments.
    case run(CommandEntry, Record)
    /// Help about these words of a command's name; none for the overview.
    case help([String])
  }

  var request: Request
  var options: GlobalOptions
}
