import PluginAPI

/// A command of the host itself, such as `plugin list`; declared and run like those of plugins.
struct HostCommand: Command {
  let declaration: CommandDescription
  /// A Boolean value indicating whether help, completion and palette omit it.
  let isHidden: Bool
  /// A Boolean value indicating whether it opens the files of its arguments itself, pipes included.
  let opensPipes: Bool
  private let body: @Sendable (CommandCall) async throws -> Void

  init(
    _ declaration: CommandDescription, isHidden: Bool = false, opensPipes: Bool = false,
    _ body: @escaping @Sendable (CommandCall) async throws -> Void
  ) {
    self.declaration = declaration
    self.isHidden = isHidden
    self.opensPipes = opensPipes
    self.body = body
  }

  func run(_ call: CommandCall) async throws {
    try await body(call)
  }
}
