import PluginAPI

/// A command that uses the state shared by the commands and screens of the plugin.
struct OpenBISCommand: Sendable {
  private let describe: @Sendable () -> CommandDescription
  private let body: @Sendable (CommandCall, Laboratory) async throws -> Void

  init(
    _ declaration: @autoclosure @escaping @Sendable () -> CommandDescription,
    _ body: @escaping @Sendable (CommandCall, Laboratory) async throws -> Void
  ) {
    (describe, self.body) = (declaration, body)
  }

  /// Returns the command with its shared state.
  func part(_ laboratory: Laboratory) -> CommandPart {
    CommandPart(describe()) { [body] call in try await body(call, laboratory) }
  }

  /// All commands, in the order of the help.
  static let all: [OpenBISCommand] =
    ServerCommands.all + TokenCommands.all + SecretsCommands.all + [SyncCommand.command] + BrowseCommands.all
    + [SearchCommand.command, ImageCommand.command] + FileCommands.all + MappingCommands.all + [SimulateCommand.command]

  // MARK: Inputs of several commands

  /// The option that selects a server and user.
  static let account = Option(
    "account", String.self,
    "which server: the beginning of its host or of its account's id; the one used last by default")

  /// The argument that identifies an entity.
  static let entity = Argument(
    Parameter("perm-id", .text, "the entity's PERM_ID", isRequired: true)
      .completed(by: "roots", column: "permId", summaryColumn: "summaryHeader"),
    read: \.text)

  /// The flag that keeps a command from asking the server.
  static let cached = Option(flag: "cached", "do not ask the server")
}
