import PluginAPI
import Synchronization

/// Runs commands of plugins for all callers: command line, scripts, screens, other plugins.
struct CommandRunner: Sendable {
  let host: PluginHost

  /// Runs a command.
  ///
  /// Stays on the caller's actor until the command itself runs: scripts call thousands of them. In a `parallel` block,
  /// commands that change something wait for their turn.
  ///
  /// - Parameters:
  ///   - name: `plugin.command`; words of the command's name separated by spaces; without a plugin one of `asker`.
  ///   - asker: The id of the calling plugin; nil for the host.
  ///   - arguments: Values by name; checked against the declaration, defaults filled in.
  /// - Returns: The description of the output.
  /// - Throws: `CancellationError`, or ``ErrorReport``: a plugin's error without a report becomes `host.plugin-threw`.
  @discardableResult nonisolated(nonsending) func run(
    _ name: String, from asker: String?, _ arguments: Record,
    presentation: CommandCall.Presentation = CommandCall.Presentation(), output: any CommandOutput
  ) async throws -> CommandDescription.Output {
    let (plugin, command) = try await prepare(name, from: asker)
    let declaration = command.declaration
    let checked = try ArgumentCheck.complete(arguments, for: declaration)
    let call = CommandCall(arguments: checked, context: plugin.context, presentation: presentation, output: output)
    try await ParallelTurn.take(plugin.id, declaration) {
      try await plugin.entrance(.command, declaration.name) { try await command.run(call) }
    }
    return declaration.output
  }

  @MainActor private func prepare(_ name: String, from asker: String?) throws -> (ActivePlugin, any Command) {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    let (id, word) = parts.count == 2 ? (parts[0], parts[1]) : (asker ?? "", name)
    let plugin = try host.activated(id)
    let known = plugin.contributions.commandNames
    guard known.contains(word) else {
      throw PluginHostError.unknownCommand(plugin: id, command: word, known: known)
    }
    return (plugin, try plugin.command(word))
  }
}

extension ErrorReport {
  /// The report of an error that came out of a plugin.
  init(wrapping error: any Error, plugin: String, command: String) {
    if let reportable = error as? any ReportableError {
      self = reportable.report
      // Messages and traces are written by code that walks through the details.
      if Value.record(details).isNested(deeperThan: Value.maximumDepth) { details = Record() }
      details["plugin"] = details["plugin"] ?? .text(plugin)
    } else {
      self.init(
        code: "host.plugin-threw", kind: .pluginFailed, "plugin '\(plugin)' failed in '\(command)': \(error)",
        details: ["plugin": .text(plugin), "command": .text(command)])
    }
  }

  /// The report of an error of the host.
  init(_ error: any Error) {
    self =
      (error as? any ReportableError)?.report
      ?? ErrorReport(code: "host.failure", kind: .failure, "unexpected error: \(error)")
  }
}

/// A command of the host itself, such as `plugin list`; declared and run like those of plugins.
struct HostCommand: Command {
  let declaration: CommandDescription
  /// A Boolean value indicating whether help, completion and palette omit it.
  let isHidden: Bool
  /// A Boolean value indicating whether it opens the files of its arguments itself, pipes included.
  let opensPipes: Bool
  /// A Boolean value indicating whether it writes its result to standard output itself, in a form of its own.
  let writesOutput: Bool
  /// A Boolean value indicating whether it does something useful with '--dry-run', in place of a description.
  let takesDryRun: Bool
  private let body: @Sendable (CommandCall) async throws -> Void

  init(
    _ declaration: CommandDescription, isHidden: Bool = false, opensPipes: Bool = false, writesOutput: Bool = false,
    takesDryRun: Bool = false, _ body: @escaping @Sendable (CommandCall) async throws -> Void
  ) {
    self.declaration = declaration
    self.isHidden = isHidden
    self.opensPipes = opensPipes
    self.writesOutput = writesOutput
    self.takesDryRun = takesDryRun
    self.body = body
  }

  func run(_ call: CommandCall) async throws {
    try await body(call)
  }
}

/// A receiver that records a command's output.
final class CollectedOutput: CommandOutput {
  private let state = Mutex<(values: [Value], diagnostics: [Diagnostic])>(([], []))

  func emit(_ value: Value) async throws {
    try Task.checkCancellation()
    state.withLock { $0.values.append(value) }
  }

  func report(_ progress: Progress) {}

  func warn(_ diagnostic: Diagnostic) {
    state.withLock { $0.diagnostics.append(diagnostic) }
  }

  /// The emitted values.
  var values: [Value] { state.withLock { $0.values } }

  /// The reported diagnostics.
  var diagnostics: [Diagnostic] { state.withLock { $0.diagnostics } }

  /// Returns the value, with the parts of one list or table joined.
  func value(of output: CommandDescription.Output) -> Value { output.joined(values) }
}
