import PluginAPI

/// The tools of an agent: a few that find, explain and run commands, in place of one for each command.
@MainActor final class ToolCommands {
  /// The plugins with personal data, whose commands are offered only if the user allows it.
  nonisolated static let guardedPlugins: Set<String> = ["wsabi"]
  /// The commands of the host that are offered.
  private static let hostMethods: Set<String> = ["version", "plugin.list"]
  private static let mostFound = 15
  nonisolated private static let mostPictureBytes = 1 << 20
  private static let timers = WorkQueue("workbench.agent-timers")

  private let commands: ServedCommands
  let rules: ToolRules
  private var pages = ToolPages()
  private lazy var closedFolders: [String] = {
    let folders = commands.session.folders
    return [folders.config, folders.data, folders.stores, folders.state, folders.cache].map { FilePath.real($0) ?? $0 }
  }()

  init(_ commands: ServedCommands, _ rules: ToolRules) {
    (self.commands, self.rules) = (commands, rules)
  }

  /// A Boolean value indicating whether commands may use the network.
  var isOffline: Bool { commands.session.options.isOffline }

  /// The tools that the agent gets.
  var tools: [Tool] { Tool.allCases.filter { $0 != .write || rules.allowsWrites } }

  /// Runs a tool.
  ///
  /// - Returns: The contents of its result.
  func run(_ tool: Tool, _ arguments: Value, progressToken: Value, for request: ServedRequest) async throws -> [Value] {
    let fields = ToolArguments(tool, arguments)
    try fields.check()
    switch tool {
    case .find: return [text(try find(fields))]
    case .describe: return [text(try describe(try command(fields)))]
    case .links: return [text(try await links(fields))]
    case .next: return [.content(try pages.page(try fields.text("cursor")))]
    case .read, .write, .table, .picture:
      let entry = try command(fields)
      if tool != .write, entry.changesSomething {
        throw AgentError.changes(entry.method, allowsWrites: rules.allowsWrites)
      }
      return try await run(tool, entry, fields, progressToken, request)
    }
  }

  private func run(
    _ tool: Tool, _ entry: CommandEntry, _ fields: ToolArguments, _ progressToken: Value, _ request: ServedRequest
  ) async throws -> [Value] {
    let form: ToolOutput.Form
    var size: Size?
    switch tool {
    case .table: form = .rows(entry.declaration.output.schema, columns: try fields.texts("columns"))
    case .picture:
      guard entry.declaration.givesPicture else { throw AgentError.notAPicture(entry.method) }
      form = .picture
      size = Size(width: try fields.number("width", default: 640), height: try fields.number("height", default: 480))
    case .find, .describe, .read, .links, .next, .write: form = .json
    }
    if rules.roots.isEmpty, entry.changesSomething, entry.declaration.namesOutput {
      throw AgentError.needsRoot(entry.method)
    }
    let (positional, named) = try fields.commandArguments()
    let given = try ServedCommands.arguments(of: entry, positional: positional, named: named)
    let arguments = try rules.checked(given, of: entry.declaration, closed: closedFolders)
    if entry.declaration.finishesWhenInterrupted { request.client.finishes(request.id) }
    let output = ToolOutput(form, of: entry.declaration, client: request.client, progressToken: progressToken)
    try await withinLimit(entry.method) { [commands, size] in
      try await commands.run(entry, arguments, size: size, output: output)
    }
    let notes = output.notes.isEmpty ? [] : [Value.content(output.notes.joined(separator: "\n"))]
    if tool == .picture { return [try await Self.picture(output, entry, commands.pictures)] + notes }
    return [text(await output.text())] + notes
  }

  /// Does the work of a call, and cancels it after the time limit for a tool.
  ///
  /// - Parameter name: The command or tool, for the error.
  /// - Throws: ``AgentError/timedOut(_:seconds:)``, and errors of the work.
  private func withinLimit(_ name: String, _ run: @escaping @MainActor () async throws -> Void) async throws {
    let seconds = commands.limits.toolSeconds
    let call = Task { @MainActor in try await run() }
    let timer = WorkSource(.timer(afterSeconds: seconds, everySeconds: nil), on: Self.timers)
    timer.start { call.cancel() }
    defer { timer.cancel() }
    do {
      try await withTaskCancellationHandler {
        try await call.value
      } onCancel: {
        call.cancel()
      }
    } catch {
      if call.isCancelled, !Task.isCancelled { throw AgentError.timedOut(name, seconds: seconds) }
      throw error
    }
  }

  private func text(_ text: ToolText) -> Value { .content(pages.first(of: text)) }

  /// Returns the content for the picture of a command; encoded off the loop.
  @concurrent nonisolated private static func picture(
    _ output: ToolOutput, _ entry: CommandEntry, _ pictures: PictureResult
  ) async throws -> Value {
    guard let picture = output.picture else { throw AgentError.notAPicture(entry.method) }
    let png = try pictures.encode(picture)
    guard png.count <= Self.mostPictureBytes else {
      throw AgentError.pictureTooLarge(bytes: png.count, limit: Self.mostPictureBytes)
    }
    return ["type": "image", "data": .bytes(png), "mimeType": "image/png"]
  }

  // MARK: Commands

  /// Returns the command that the arguments of a tool name.
  private func command(_ fields: ToolArguments) throws -> CommandEntry {
    let method = try fields.text("command").split(separator: " ").joined(separator: ".")
    let word = String(method.prefix { $0 != "." })
    if Self.guardedPlugins.contains(word), !rules.allowed.contains(word) { throw AgentError.notAllowed(plugin: word) }
    let entry: CommandEntry
    do {
      entry = try commands.entry(Self.method(method))
    } catch MethodError.unknown(let method, let known) where Suggestion.advice(for: method, in: known) == nil {
      throw AgentError.unknownCommand(method)
    } catch MethodError.notServed(let method) {
      throw AgentError.withheld(method, .ofWorkbench)
    }
    guard isOffered(entry) else { throw AgentError.withheld(entry.method, .ofWorkbench) }
    if let reason = WithheldCommands.reason(for: entry) { throw AgentError.withheld(entry.method, reason) }
    return entry
  }

  /// Returns a method for the words of a command line: `molecules.measure.distance` is `molecules.measure-distance`.
  private static func method(_ dotted: String) -> String {
    let parts = dotted.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count < 3 ? dotted : parts[0] + "." + parts.dropFirst().joined(separator: "-")
  }

  private func isOffered(_ entry: CommandEntry) -> Bool {
    switch entry.owner {
    case .host: Self.hostMethods.contains(entry.method)
    case .plugin(let id): !Self.guardedPlugins.contains(id) || rules.allowed.contains(id)
    }
  }

  /// Returns true if the agent may run a command.
  private func mayRun(_ entry: CommandEntry) -> Bool {
    isOffered(entry) && WithheldCommands.reason(for: entry) == nil && (rules.allowsWrites || !entry.changesSomething)
  }

  /// Returns the stored data that has an id, and the commands that take it.
  ///
  /// Plugins with personal data are left out, even if the user allows their commands: people are not linked.
  private func links(_ fields: ToolArguments) async throws -> ToolText {
    let id = try fields.text("id")
    if id.isEmpty { throw AgentError.arguments(tool: Tool.links.rawValue, "'id' is empty") }
    let entries = commands.entries(beginningWith: nil).filter { mayRun($0) && !isGuarded($0) }
    let known = Dictionary(entries.map { ($0.method, $0) }) { first, _ in first }
    let lists = IDList.lists(of: entries) { known[$0] }
    let links = ToolLinks(id)
    try await withinLimit(Tool.links.rawValue) { [commands] in
      for list in lists {
        let rows = LinkedRows(list, forms: links.forms)
        do {
          try await commands.run(list.entry, Record(), size: nil, output: rows)
          links.add(rows, of: list)
        } catch {
          try Task.checkCancellation()
          links.add(error, of: list)
        }
      }
    }
    let result = links.result { method in
      known[method].flatMap { isOffline && $0.declaration.effects.contains(.network) ? nil : $0 }
    }
    return ToolText([JSONWriter.bytes(of: result)], .whole)
  }

  private func isGuarded(_ entry: CommandEntry) -> Bool {
    if case .plugin(let id) = entry.owner { Self.guardedPlugins.contains(id) } else { false }
  }

  /// Returns the commands whose words, synonyms or summaries have words of a text, the best first.
  private func find(_ fields: ToolArguments) throws -> ToolText {
    let terms = try fields.terms("text")
    let plugin = try fields.optionalText("plugin")
    let entries = commands.entries(beginningWith: plugin).filter(mayRun)
    let ranked = entries.map { (entry: $0, score: Self.score($0, terms)) }.filter { $0.score > 0 || terms.isEmpty }
      .enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(\.element.entry)
    let found = ranked.prefix(Self.mostFound).map { entry in
      JSONWriter.bytes(of: ["command": .text(entry.method), "summary": .text(entry.declaration.summary)])
    }
    if found.isEmpty {
      return ToolText([Array("no command fits; use other words, or leave 'plugin' out".utf8)], .whole)
    }
    return ToolText(found, .list)
  }

  private static func score(_ entry: CommandEntry, _ terms: [String]) -> Int {
    terms.reduce(0) { score, word in
      if contains(entry.words, word) { return score + 4 }
      if entry.declaration.synonyms.contains(word) { return score + 3 }
      return score + (contains(entry.declaration.summary, word) ? 2 : 0)
    }
  }

  private static func contains(_ text: String, _ word: String) -> Bool {
    FuzzyMatch(word, in: text).map { $0.kind >= .substring } ?? false
  }

  private func describe(_ entry: CommandEntry) throws -> ToolText {
    let declaration = entry.declaration
    var description: Record = [
      "command": .text(entry.method), "summary": .text(declaration.summary),
      "discussion": .text(declaration.discussion),
      "positional": .list(declaration.arguments.map { .text($0.name) }),
      "arguments": .record(JSONSchema.parameters(of: declaration)),
      "result": .record(JSONSchema.schema(declaration.output.schema)),
      "picture": .bool(declaration.givesPicture),
    ]
    for field in Tool.annotations(declaration.effects, isOffline: isOffline).fields {
      description[field.name] = field.value
    }
    let examples = declaration.examples.map { Value.text("\($0.line): \($0.summary)") }
    description["examples"] = .list(examples)
    return ToolText([JSONWriter.bytes(of: .record(description))], .whole)
  }
}

extension Value {
  /// Makes a text in the contents of a tool's result.
  static func content(_ text: String) -> Value { ["type": "text", "text": .text(text)] }
}
