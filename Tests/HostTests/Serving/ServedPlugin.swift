import PluginAPI
import Synchronization
import TestSupport

/// A plugin for tests of serving: commands that wait, ask, notify and finish their work.
final class ServedPlugin: Plugin {
  private let id: String
  /// Opened when 'hold' runs.
  let isHeld = Door()
  /// Ends the calls of 'stubborn'.
  let isReleased = Door()
  /// The number of calls of 'hold' that began and that ended.
  private let counts = Mutex<(begun: Int, ended: Int, emitted: Int)>((0, 0, 0))

  /// Creates a plugin.
  ///
  /// - Parameter id: `served`, or that of a plugin with personal data.
  init(id: String = "served") { self.id = id }

  /// The number of calls of 'hold' that run.
  var runningCount: Int { counts.withLock { $0.begun - $0.ended } }

  /// The number of values that 'flood' has emitted.
  var emittedCount: Int { counts.withLock { $0.emitted } }

  var contributions: Contributions {
    var contributions = Contributions(
      plugin: PluginIdentity(id: id, name: "Served", version: "1.0.0", summary: "Waits and asks"))
    contributions.commands = Self.declarations
    contributions.topics = [TopicDescription("news", "Something new", payload: .any)]
    return contributions
  }

  private static let jar = Parameter("jar", .text, "Number of the jar", isRequired: true)
    .completed(by: "shelf", column: "number", summaryColumn: "label")

  private static let declarations: [CommandDescription] = [
    CommandDescription("hold", "Wait until canceled", output: .init(.any), effects: []),
    CommandDescription(
      "finish", "Finish the work after cancellation", output: .init(.text), effects: [.writes, .network]),
    CommandDescription("ask", "Ask for a password", output: .init(.any), effects: []),
    CommandDescription("tell", "Notify about something", output: .init(.any), effects: []).taking([
      Parameter("text", .text, "Text of the notification", isRequired: true)
    ]),
    CommandDescription("stubborn", "Wait in spite of cancellation", output: .init(.any), effects: []),
    CommandDescription("save", "Write a file", output: .init(.any), effects: [.writes]).taking(options: [
      Parameter("output", .outputFile, "Output file")
    ]),
    CommandDescription("login", "Send a token", output: .init(.text), effects: [.network]),
    CommandDescription("token list", "List tokens", output: .init(.text), effects: [.network]),
    CommandDescription("simulate", "Run until interrupted", output: .init(.text), effects: []),
    CommandDescription("secret", "Print a secret", output: .init(.text), effects: [.reads]),
    CommandDescription("path", "Print a path", output: .init(.list(.any)), effects: [.reads]).taking(
      [Parameter("document", .document(extensions: []), "Id or file")],
      options: [
        Parameter("input", .inputFile(extensions: []), "File"), Parameter("url", .url, "Address"),
        Parameter("text", .text, "Text"),
      ]),
    CommandDescription("long", "List many numbers", output: .init(.list(.integer)), effects: [])
      .taking([Parameter("count", .integer(minimum: 0, maximum: 10_000_000), "Count", isRequired: true)]),
    CommandDescription(
      "shelf", "List the jars on the shelf",
      output: .init(
        .table([
          .init("number", .integer), .init("label", .text), .init("weight", .integer),
          .init("enzymes", .text, "EC numbers, separated by spaces"),
        ]))),
    CommandDescription("open", "Open a jar", output: .init(.any), effects: []).taking(
      [jar],
      options: [
        Parameter("other", .text, "Another jar").completed(by: "shelf", column: "number", summaryColumn: "label")
      ]),
    CommandDescription("empty", "Empty a jar", output: .init(.any), effects: [.deletes]).taking([jar]),
    CommandDescription("cellar", "List the jars in the cellar", output: .init(.any)),
    CommandDescription("fetch", "Fetch a jar", output: .init(.any), effects: []).taking(options: [
      Parameter("from", .text, "Jar in the cellar").completed(by: "cellar", column: "number")
    ]),
    CommandDescription("flood", "Emit without end", output: .init(.text, isStream: true), effects: []),
  ]

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard let declaration = Self.declarations.first(where: { $0.name == name }) else {
      throw MissingPart.command(name)
    }
    return ServedPluginCommand(declaration: declaration, plugin: self)
  }

  private static let shelf = Table(columns: [
    .init("number", .integers([3, 4])), .init("label", .texts(["glucose kinase", "Lactase 3"])),
    .init("weight", .integers([4, 7])), .init("enzymes", .texts(["2.7.1.2 2.7.1.1", "3.2.1.108"])),
  ])

  fileprivate func run(_ name: String, _ call: CommandCall) async throws {
    switch name {
    case "hold":
      counts.withLock { $0.begun += 1 }
      defer { counts.withLock { $0.ended += 1 } }
      isHeld.open()
      try await untilCanceled()
    case "finish":
      isHeld.open()
      do { try await untilCanceled() } catch { try await call.emit("finished") }
    case "ask":
      let answer = try await call.ask(PromptRequest("Password", isSecret: true))
      try await call.emit(.optional(answer.map { "\($0.utf8.count) bytes" }))
    case "tell": call.context.notify("news", call["text"])
    case "stubborn":
      isHeld.open()
      // A task of its own is not canceled.
      await Task { [isReleased] in await isReleased.wait() }.value
    case "save": try await call.emit(call["output"])
    case "login", "token list", "simulate": try await call.emit("token")
    case "shelf": try await call.emit(.table(Self.shelf))
    case "cellar": throw ErrorReport(code: "served.dark", kind: .failure, "the cellar is dark")
    case "open", "empty", "fetch": try await call.emit("open")
    case "secret": try await call.emit("fingerprint")
    case "path": try await call.emit(.list(["document", "input", "url", "text"].map { call[$0] }))
    case "long": try await call.emit(.list((0..<(call["count"].integer ?? 0)).map(Value.integer)))
    default:
      let text = Value.text(String(repeating: "x", count: 10_000))
      while true {
        try await call.emit(text)
        counts.withLock { $0.emitted += 1 }
      }
    }
  }
}

private struct ServedPluginCommand: Command {
  let declaration: CommandDescription
  let plugin: ServedPlugin

  func run(_ call: CommandCall) async throws { try await plugin.run(declaration.name, call) }
}
