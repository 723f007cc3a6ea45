import PluginAPI

/// A command of this plugin: its declaration and what it does.
struct OpenBISCommand: Command {
  let declaration: CommandDescription
  private let body: @Sendable (CommandCall) async throws -> Void

  init(_ declaration: CommandDescription, _ body: @escaping @Sendable (CommandCall) async throws -> Void) {
    self.declaration = declaration
    self.body = body
  }

  func run(_ call: CommandCall) async throws { try await body(call) }

  /// All commands, in the order help shows them.
  static let all: [OpenBISCommand] = [SimulateCommand.command]
}
