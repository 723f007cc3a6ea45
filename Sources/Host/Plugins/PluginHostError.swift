import PluginAPI

/// What can go wrong between host and plugins at run time.
enum PluginHostError: Error, Equatable, ReportableError {
  /// There is no such plugin.
  case unknownPlugin(String, known: [String])
  /// The plugin has no such command.
  case unknownCommand(plugin: String, command: String, known: [String])

  var report: ErrorReport {
    switch self {
    case .unknownPlugin(let id, let known):
      let nearest = Suggestion.nearest(to: id, in: known).map { "did you mean '\($0)'?" }
      return ErrorReport(
        code: "host.unknown-plugin", kind: .notFound, "there is no plugin '\(id)'",
        advice: nearest ?? "plugins are " + known.joined(separator: ", "))
    case .unknownCommand(let plugin, let command, let known):
      let nearest = Suggestion.nearest(to: command, in: known).map { "did you mean '\($0)'?" }
      return ErrorReport(
        code: "host.unknown-command", kind: .usage, "plugin '\(plugin)' has no command '\(command)'",
        advice: nearest ?? "commands are " + known.joined(separator: ", "))
    }
  }
}
