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

  /// The declared output.
  let output: CommandDescription.Output

  /// The result that a call of the command returns: one value, or a list of several; null if there were none.
  public var value: Value { output.joined(values) }
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
  private let state: Mutex<CommandResult>

  init(_ declaration: CommandDescription, _ answers: TestAnswers = TestAnswers()) {
    self.declaration = declaration
    self.answers = answers
    state = Mutex(CommandResult(values: [], diagnostics: [], progress: [], output: declaration.output))
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

/// A comparison of values with schemas.
public enum SchemaComparison {
  /// Returns the first part of a value that its schema does not allow; nil if all of it fits.
  ///
  /// A whole number fits where a number is expected. The columns of a table are compared value by value.
  /// - Complexity: O(*n*) in the size of the value.
  public static func mismatch(of value: Value, with schema: ValueSchema) -> String? {
    mismatch(of: value, with: schema, at: "value")
  }

  private static func mismatch(of value: Value, with schema: ValueSchema, at place: String) -> String? {
    switch (schema, value.content) {
    case (.any, _), (.bool, .bool), (.integer, .integer), (.number, .integer), (.number, .number),
      (.number, .decimal), (.text, .text), (.date, .date), (.bytes, .bytes), (.quantity, .quantity),
      (.picture, .picture), (.array, .array), (.optional, .null):
      return nil
    case (.optional(let inner), _): return mismatch(of: value, with: inner, at: place)
    case (.choice(let words), .text(let text)):
      return words.contains(text) ? nil : "\(place) is '\(text)', declared are \(words.joined(separator: ", "))"
    case (.list(let inner), .list(let values)):
      return first(values.enumerated()) { mismatch(of: $1, with: inner, at: "\(place)[\($0)]") }
    case (.map(let inner), .record(let record)):
      return first(record.fields) { mismatch(of: $0.value, with: inner, at: "\(place).\($0.name)") }
    case (.record(let fields), .record(let record)): return mismatch(of: record, with: fields, at: place)
    case (.table(let fields), .table(let table)): return mismatch(of: table, with: fields, at: place)
    default: return "\(place) is \(kind(of: value)), declared is \(name(of: schema))"
    }
  }

  private static func mismatch(of record: Record, with fields: [ValueSchema.Field], at place: String) -> String? {
    if let extra = record.names.first(where: { name in !fields.contains { $0.name == name } }) {
      return "\(place).\(extra) is not declared"
    }
    return first(fields) { field in
      guard let value = record[field.name] else { return "\(place).\(field.name) is missing" }
      return mismatch(of: value, with: field.schema, at: "\(place).\(field.name)")
    }
  }

  private static func mismatch(of table: Table, with fields: [ValueSchema.Field], at place: String) -> String? {
    let names = table.columns.map(\.name)
    if names != fields.map(\.name) {
      return "\(place) has the columns \(names.joined(separator: ", ")), declared are "
        + fields.map(\.name).joined(separator: ", ")
    }
    return first(zip(table.columns, fields)) { column, field in
      first(0..<table.rowCount) { row in
        mismatch(of: column.values[row], with: field.schema, at: "\(place).\(field.name)[\(row)]")
      }
    }
  }

  private static func first<Elements: Sequence>(
    _ elements: Elements, _ find: (Elements.Element) -> String?
  ) -> String? {
    for element in elements {
      if let found = find(element) { return found }
    }
    return nil
  }

  private static func kind(of value: Value) -> String {
    switch value.content {
    case .null: "null"
    case .bool: "a truth value"
    case .integer: "a whole number"
    case .number: "a number"
    case .decimal: "a decimal number"
    case .text: "text"
    case .bytes: "bytes"
    case .date: "a date"
    case .quantity: "a quantity"
    case .list: "a list"
    case .record: "a record"
    case .table: "a table"
    case .picture: "a picture"
    case .array: "an array of numbers"
    @unknown default: "something newer"
    }
  }

  private static func name(of schema: ValueSchema) -> String {
    schema.value["is"].text ?? "something else"
  }
}
