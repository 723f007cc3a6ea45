public import PluginAPI
internal import Synchronization

/// The result of a command in a test.
public struct CommandResult: Sendable {
  /// The emitted values, in order.
  public var values: [Value]
  /// The reported diagnostics.
  public var diagnostics: [Diagnostic]
  /// The progress reports, in order.
  public var progress: [Progress]

  /// The emitted value, or a list of several; null if there were none.
  public var value: Value {
    values.count == 1 ? values[0] : values.isEmpty ? .null : .list(values)
  }
}

/// A runner of commands that follows the host: it checks and completes arguments, and compares every value with the
/// declared schema.
struct CommandTrial: Sendable {
  let plugin: any Plugin
  let context: TestContext
  var answers = TestAnswers()

  func run(
    _ name: String, _ arguments: Record, presentation: CommandCall.Presentation = CommandCall.Presentation()
  ) async throws -> CommandResult {
    let id = context.pluginID
    let word = [id + ".", id + " "].reduce(name) { $0.hasPrefix($1) ? String($0.dropFirst($1.count)) : $0 }
    let announced = plugin.contributions.commands
    guard let declaration = announced.first(where: { $0.name == word }) else {
      throw ErrorReport(
        code: "host.unknown-command", kind: .usage, "plugin '\(id)' has no command '\(word)'",
        advice: "commands are " + announced.map(\.name).joined(separator: ", "))
    }
    let command = try plugin.makeCommand(word, context)
    let output = TrialOutput(declaration, answers)
    let complete = try ArgumentWords.complete(arguments, for: declaration)
    try await command.run(
      CommandCall(arguments: complete, context: context, presentation: presentation, output: output))
    return output.result
  }
}

/// A receiver that records a command's output and compares it with the declaration.
private final class TrialOutput: CommandOutput {
  private let declaration: CommandDescription
  private let answers: TestAnswers
  private let state = Mutex(CommandResult(values: [], diagnostics: [], progress: []))

  init(_ declaration: CommandDescription, _ answers: TestAnswers = TestAnswers()) {
    self.declaration = declaration
    self.answers = answers
  }

  var result: CommandResult { state.withLock { $0 } }

  func emit(_ value: Value) async throws {
    try Task.checkCancellation()
    let output = declaration.output
    if let mismatch = SchemaComparison.mismatch(of: value, with: output.schema) {
      throw SchemaMismatch(command: declaration.name, mismatch: mismatch)
    }
    if let name = output.typeName, value.typeName != name {
      let found = value.typeName.map { "'\($0)'" } ?? "none"
      throw SchemaMismatch(command: declaration.name, mismatch: "the type name is \(found), declared is '\(name)'")
    }
    let isSecond = state.withLock { state in
      state.values.append(value)
      return state.values.count == 2
    }
    if isSecond, !output.isStream {
      throw SchemaMismatch(command: declaration.name, mismatch: "a second value, though no stream is declared")
    }
  }

  func report(_ progress: Progress) { state.withLock { $0.progress.append(progress) } }

  func warn(_ diagnostic: Diagnostic) { state.withLock { $0.diagnostics.append(diagnostic) } }

  func request(_ request: CommandRequest) async throws -> Value {
    try Task.checkCancellation()
    switch request {
    case .prompt(let prompt): return .optional(answers.answer(prompt))
    case .inputLine: return .optional(answers.inputLine)
    case .key: return .bool(answers.pressesKeys)
    @unknown default: return .null
    }
  }
}

/// An error for a command that emitted a value other than declared.
public struct SchemaMismatch: Error, Equatable, CustomStringConvertible {
  /// The command.
  public var command: String
  /// A description of the difference, with its path.
  public var mismatch: String

  /// The error in words.
  public var description: String { "command '\(command)' emits what it does not declare: \(mismatch)" }
}
