import PluginAPI

/// A command of this plugin: its declaration and what it does.
struct WSABICommand: Sendable {
  let declaration: CommandDescription
  private let body: @Sendable (CommandCall, Station) async throws -> Void

  init(
    _ declaration: CommandDescription, _ body: @escaping @Sendable (CommandCall, Station) async throws -> Void
  ) {
    self.declaration = declaration
    self.body = body
  }

  /// The command as the host takes it.
  func bound(to station: Station) -> any Command {
    StationCommand(declaration: declaration) { [body] call in try await body(call, station) }
  }

  /// All commands, in the order help shows them.
  static let all: [WSABICommand] =
    StoreCommands.all + PersonCommands.all + ReviewCommands.all + ExchangeCommands.all + [SimulateSensorCommand.command]
}

/// A command that knows what it shares with the others.
private struct StationCommand: Command {
  let declaration: CommandDescription
  let body: @Sendable (CommandCall) async throws -> Void

  func run(_ call: CommandCall) async throws { try await body(call) }
}
