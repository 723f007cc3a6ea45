import PluginAPI

/// A command of this plugin: its declaration and its implementation.
struct OpenBISCommand: Sendable {
  let declaration: CommandDescription
  private let body: @Sendable (CommandCall, Laboratory) async throws -> Void

  init(
    _ declaration: CommandDescription, _ body: @escaping @Sendable (CommandCall, Laboratory) async throws -> Void
  ) {
    self.declaration = declaration
    self.body = body
  }

  /// Creates a command that does not use the shared state.
  init(_ declaration: CommandDescription, _ body: @escaping @Sendable (CommandCall) async throws -> Void) {
    self.init(declaration) { call, _ in try await body(call) }
  }

  /// Returns the command in the form the host expects.
  func bound(to laboratory: Laboratory) -> any Command {
    BoundCommand(declaration: declaration) { [body] call in try await body(call, laboratory) }
  }

  /// All commands, in the order of the help.
  static let all: [OpenBISCommand] =
    ServerCommands.all + TokenCommands.all + SecretsCommands.all + [SyncCommand.command] + BrowseCommands.all
    + [SearchCommand.command] + ImageCommands.all
    + FileCommands.all + MappingCommands.all + [SimulateCommand.command]

  /// The option that selects a server and user.
  static let account = Parameter(
    "account", .text, "which server: the beginning of its host or of its account's id; the one used last by default")

  /// The argument that identifies an entity.
  static let entity = Parameter("perm-id", .text, "the entity's PERM_ID", isRequired: true)
    .completed(by: "roots", column: "permId", summaryColumn: "summaryHeader")
}

/// A command with access to the shared state.
private struct BoundCommand: Command {
  let declaration: CommandDescription
  let body: @Sendable (CommandCall) async throws -> Void

  func run(_ call: CommandCall) async throws { try await body(call) }
}
