import PluginAPI
import PluginTesting
import Synchronization

@testable import Molecules

/// A plugin with the commands for search, download and pages, whose results are set by the test.
final class ServingPlugin: Plugin {
  /// The implementation of a command.
  typealias Answer = @Sendable (CommandCall) async throws -> Void

  private let molecules = MoleculesPlugin()
  private let answers: [String: Answer]
  private let asked = Mutex<[(command: String, arguments: Record)]>([])

  init(_ answers: [String: Answer]) {
    self.answers = answers
  }

  /// The calls so far.
  var calls: [(command: String, arguments: Record)] { asked.withLock { $0 } }

  var contributions: Contributions {
    var all = molecules.contributions
    all.commands.removeAll { answers.keys.contains($0.name) }
    all.commands += Self.declarations.filter { answers.keys.contains($0.name) }
    return all
  }

  private static let declarations = [
    CommandDescription("search", "searches", output: .init(.any)).taking(
      [Parameter("text", .text, "words")], options: [Parameter("service", .text, "service")]),
    CommandDescription("fetch", "downloads", output: .init(.any)).taking(
      [Parameter("code", .text, "code")], options: [Parameter("service", .text, "service")]),
    CommandDescription("page", "reads", output: .init(.any)).taking(
      [Parameter("code", .text, "code")],
      options: [
        Parameter("service", .text, "service"), Parameter("read", .flag, "read"), Parameter("url", .text, "address"),
        Parameter("open", .flag, "open"),
      ]),
  ]

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard let answer = answers[name], let declaration = Self.declarations.first(where: { $0.name == name }) else {
      return try molecules.makeCommand(name, context)
    }
    return ServedCommand(declaration: declaration) { [self] call in
      asked.withLock { $0.append((name, call.arguments)) }
      try await answer(call)
    }
  }

  func makeStore(_ name: String, _ context: any PluginContext) throws -> any Store {
    try molecules.makeStore(name, context)
  }

  @MainActor func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller {
    try molecules.makeController(request, context)
  }
}

private struct ServedCommand: Command {
  let declaration: CommandDescription
  let body: ServingPlugin.Answer
  func run(_ call: CommandCall) async throws { try await body(call) }
}
