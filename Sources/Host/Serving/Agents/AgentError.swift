import PluginAPI

/// An error in serving an agent.
enum AgentError: Error, Equatable, ReportableError {
  /// The command changes something.
  case changes(String, allowsWrites: Bool)
  /// The plugin has personal data and is not offered.
  case notAllowed(plugin: String)
  /// The command is not offered to agents.
  case withheld(String, WithheldCommands.Reason)
  /// The command writes files, and the agent has no folder.
  case needsRoot(String)
  /// There is no such command, nor one of a similar name.
  case unknownCommand(String)
  /// The command did not end in time.
  case timedOut(String, seconds: Double)
  /// A file is not in a folder that the agent may use.
  case outsideRoots(String, roots: [String])
  /// An address is not an http or https address.
  case notOfTheWeb(String, parameter: String)
  /// A folder given as `--root` does not exist.
  case noRoot(String)
  /// The arguments of a tool do not have their form.
  case arguments(tool: String, String)
  /// The page of a result has expired, or there was none.
  case noPage(String)
  /// The result of the command is not a picture.
  case notAPicture(String)
  /// The picture has too many bytes for an agent.
  case pictureTooLarge(bytes: Int, limit: Int)

  var report: ErrorReport {
    switch self {
    case .changes(let method, let allowsWrites):
      ErrorReport(
        code: "host.agent-changes", kind: .refused, "'\(method)' changes something",
        advice: allowsWrites
          ? "use the tool 'write'" : "ask the user to start 'workbench serve --mcp' with '--allow-writes'")
    case .notAllowed(let plugin):
      ErrorReport(
        code: "host.agent-not-allowed", kind: .refused,
        "commands of '\(plugin)' are not offered, as it has personal data",
        advice: "ask the user to start 'workbench serve --mcp' with '--allow \(plugin)'")
    case .withheld(let method, let reason):
      ErrorReport(
        code: "host.agent-withheld", kind: .refused, "'\(method)' is not offered to agents: \(reason.rawValue)",
        advice: "ask the user to run it")
    case .needsRoot(let method):
      ErrorReport(
        code: "host.agent-needs-root", kind: .refused, "'\(method)' writes files, and no folder may be used",
        advice: "ask the user to start 'workbench serve --mcp' with '--root FOLDER'")
    case .unknownCommand(let method):
      ErrorReport(
        code: "host.unknown-command", kind: .usage, "there is no command '\(method)'",
        advice: "find commands with the tool 'find'")
    case .timedOut(let method, let seconds):
      ErrorReport(
        code: "host.agent-timed-out", kind: .timedOut, "'\(method)' did not finish within \(Int(seconds)) s",
        advice: "ask for less", isRetryable: true)
    case .outsideRoots(let path, let roots):
      ErrorReport(
        code: "host.agent-outside-roots", kind: .refused, "'\(path)' is outside the folders that may be used",
        advice: roots.isEmpty
          ? "ask the user to start 'workbench serve --mcp' with '--root FOLDER'"
          : "name a file in " + roots.joined(separator: " or "))
    case .notOfTheWeb(let address, let parameter):
      ErrorReport(
        code: "host.agent-address", kind: .refused, "'\(address)' of '\(parameter)' is not an http or https address",
        advice: "use one that begins with https://")
    case .noRoot(let path):
      ErrorReport(
        code: "host.agent-no-root", kind: .notFound, "the folder '\(path)' does not exist", advice: "create it first")
    case .arguments(let tool, let problem):
      ErrorReport(
        code: "host.agent-arguments", kind: .usage, "the arguments of the tool '\(tool)' are wrong: \(problem)",
        advice: "see its description")
    case .noPage(let cursor):
      ErrorReport(
        code: "host.agent-no-page", kind: .notFound, "page '\(cursor)' has expired",
        advice: "run the command again")
    case .notAPicture(let method):
      ErrorReport(
        code: "host.agent-no-picture", kind: .usage, "the result of '\(method)' is not a picture",
        advice: "use the tool 'read'")
    case .pictureTooLarge(let bytes, let limit):
      ErrorReport(
        code: "host.agent-picture-too-large", kind: .failure,
        "the picture has \(bytes) bytes, more than \(limit)", advice: "ask for a smaller width and height")
    }
  }

  /// The stable codes.
  static let codes: [ErrorCodeDescription] = [
    .init("host.agent-changes", "the command changes something; agents need --allow-writes"),
    .init("host.agent-not-allowed", "agents need --allow for this plugin, which has personal data"),
    .init(
      "host.agent-withheld", "agents do not get commands for credentials, endless ones, and those of Workbench itself"),
    .init("host.agent-needs-root", "the command writes files; agents need --root"),
    .init("host.agent-timed-out", "the command of an agent did not finish in time"),
    .init("host.agent-outside-roots", "the file is outside the folders given by --root"),
    .init("host.agent-address", "agents may name http and https addresses only"),
    .init("host.agent-no-root", "the folder given by --root does not exist"),
    .init("host.agent-arguments", "the arguments of a tool do not have their form"),
    .init("host.agent-no-page", "the page of a result has expired"),
    .init("host.agent-no-picture", "the result of the command is not a picture"),
    .init("host.agent-picture-too-large", "the picture is too large for an agent"),
  ]
}
