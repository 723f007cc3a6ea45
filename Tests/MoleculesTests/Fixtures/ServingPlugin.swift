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

  var identity: PluginIdentity { molecules.identity }

  var parts: PluginParts {
    var parts = molecules.parts
    parts.commands.removeAll { answers.keys.contains($0.declaration.name) }
    for declaration in Self.declarations {
      guard let answer = answers[declaration.name] else { continue }
      let served = CommandPart(declaration) { [self] call in
        asked.withLock { $0.append((declaration.name, call.arguments)) }
        try await answer(call)
      }
      parts.commands.append(served)
    }
    return parts
  }

  private static let code = Argument("code", optional: String.self, "code")
  private static let service = Option("service", String.self, "service")

  private static let declarations = [
    CommandDescription("search", "searches", output: .init(.any)).taking(
      Argument("text", optional: String.self, "words"), service),
    CommandDescription("fetch", "downloads", output: .init(.any)).taking(code, service),
    CommandDescription("page", "reads", output: .init(.any)).taking(
      code, service, Option(flag: "read", "read"), Option("url", String.self, "address"), Option(flag: "open", "open")),
  ]
}
