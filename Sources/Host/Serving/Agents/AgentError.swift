import PluginAPI

/// An error in serving an agent.
enum AgentError {
  private static let changes = DeclaredError(
    "host.agent-changes", .refused, "the command changes something; agents need --allow-writes")
  static func changes(_ method: String, allowsWrites: Bool) -> ErrorReport {
    changes(
      "'\(method)' changes something",
      advice: allowsWrites
        ? "use the tool 'write'" : "ask the user to start 'workbench serve --mcp' with '--allow-writes'")
  }
  private static let notAllowed = DeclaredError(
    "host.agent-not-allowed", .refused, "agents need --allow for this plugin, which has personal data")
  static func notAllowed(plugin: String) -> ErrorReport {
    notAllowed(
      "commands of '\(plugin)' are not offered, as it has personal data",
      advice: "ask the user to start 'workbench serve --mcp' with '--allow \(plugin)'")
  }
  private static let withheld = DeclaredError(
    "host.agent-withheld", .refused,
    "agents do not get commands for credentials, endless ones, and those of Workbench itself")
  static func withheld(_ method: String, _ reason: WithheldCommands.Reason) -> ErrorReport {
    withheld("'\(method)' is not offered to agents: \(reason.rawValue)", advice: "ask the user to run it")
  }
  private static let needsRoot = DeclaredError(
    "host.agent-needs-root", .refused, "the command writes files; agents need --root")
  static func needsRoot(_ method: String) -> ErrorReport {
    needsRoot(
      "'\(method)' writes files, and no folder may be used",
      advice: "ask the user to start 'workbench serve --mcp' with '--root FOLDER'")
  }
  static func unknownCommand(_ method: String) -> ErrorReport {
    CommonHostError.unknownCommand("there is no command '\(method)'", advice: "find commands with the tool 'find'")
  }
  private static let timedOut = DeclaredError(
    "host.agent-timed-out", .timedOut, "the command of an agent did not finish in time")
  static func timedOut(_ method: String, seconds: Double) -> ErrorReport {
    timedOut("'\(method)' did not finish within \(Int(seconds)) s", advice: "ask for less", isRetryable: true)
  }
  private static let outsideRoots = DeclaredError(
    "host.agent-outside-roots", .refused, "the file is outside the folders given by --root")
  static func outsideRoots(_ path: String, roots: [String]) -> ErrorReport {
    outsideRoots(
      "'\(path)' is outside the folders that may be used",
      advice: roots.isEmpty
        ? "ask the user to start 'workbench serve --mcp' with '--root FOLDER'"
        : "name a file in " + roots.joined(separator: " or "))
  }
  private static let notOfTheWeb = DeclaredError(
    "host.agent-address", .refused, "agents may name http and https addresses only")
  static func notOfTheWeb(_ address: String, parameter: String) -> ErrorReport {
    notOfTheWeb(
      "'\(address)' of '\(parameter)' is not an http or https address", advice: "use one that begins with https://")
  }
  private static let noRoot = DeclaredError(
    "host.agent-no-root", .notFound, "the folder given by --root does not exist")
  static func noRoot(_ path: String) -> ErrorReport {
    noRoot("the folder '\(path)' does not exist", advice: "create it first")
  }
  private static let arguments = DeclaredError(
    "host.agent-arguments", .usage, "the arguments of a tool have the wrong form")
  static func arguments(tool: String, _ problem: String) -> ErrorReport {
    arguments("the arguments of the tool '\(tool)' are wrong: \(problem)", advice: "see its description")
  }
  private static let noPage = DeclaredError("host.agent-no-page", .notFound, "the page of a result has expired")
  static func noPage(_ cursor: String) -> ErrorReport {
    noPage("page '\(cursor)' has expired", advice: "run the command again")
  }
  private static let notAPicture = DeclaredError(
    "host.agent-no-picture", .usage, "the result of the command is not a picture")
  static func notAPicture(_ method: String) -> ErrorReport {
    notAPicture("the result of '\(method)' is not a picture", advice: "use the tool 'read'")
  }
  private static let pictureTooLarge = DeclaredError(
    "host.agent-picture-too-large", .failure, "the picture is too large for an agent")
  static func pictureTooLarge(bytes: Int, limit: Int) -> ErrorReport {
    pictureTooLarge("the picture has \(bytes) bytes, more than \(limit)", advice: "ask for a smaller width and height")
  }

  /// The stable codes.
  static let codes = [
    changes, notAllowed, withheld, needsRoot, timedOut, outsideRoots, notOfTheWeb, noRoot, arguments, noPage,
    notAPicture,
    pictureTooLarge,
  ].map(\.catalogueEntry)
}
