import PluginAPI

/// A command of this plugin: its declaration and what it does.
struct OpenBISCommand: Sendable {
  let declaration: CommandDescription
  private let body: @Sendable (CommandCall, Laboratory) async throws -> Void

  init(
    _ declaration: CommandDescription, _ body: @escaping @Sendable (CommandCall, Laboratory) async throws -> Void
  ) {
    self.declaration = declaration
    self.body = body
  }

  /// A command that needs nothing the others share.
  init(_ declaration: CommandDescription, _ body: @escaping @Sendable (CommandCall) async throws -> Void) {
    self.init(declaration) { call, _ in try await body(call) }
  }

  /// The command as the host takes it.
  func bound(to laboratory: Laboratory) -> any Command {
    BoundCommand(declaration: declaration) { [body] call in try await body(call, laboratory) }
  }

  /// All commands, in the order help shows them.
  static let all: [OpenBISCommand] =
    ServerCommands.all + TokenCommands.all + SecretsCommands.all + [SyncCommand.command] + BrowseCommands.all
    + [SearchCommand.command] + ImageCommands.all
    + FileCommands.all + MappingCommands.all + [SimulateCommand.command]

  /// Which server and user.
  static let account = Parameter(
    "account", .text, "which server: the beginning of its host or of its account's id; the one used last by default")

  /// An entity by its id.
  static let entity = Parameter("perm-id", .text, "the entity's PERM_ID", isRequired: true)
    .completed(by: "roots", column: "permId", summaryColumn: "summaryHeader")
}

/// A command that knows what it shares with the others.
private struct BoundCommand: Command {
  let declaration: CommandDescription
  let body: @Sendable (CommandCall) async throws -> Void

  func run(_ call: CommandCall) async throws { try await body(call) }
}
