import PluginAPI

/// Runs text in the language of line scripts and keeps its variables: a file, lines of standard input, or a prompt.
///
/// A prompt makes one session, reads until ``isIncomplete(_:)`` is false, then calls ``run(_:isLast:)`` with the text.
@MainActor final class ScriptSession {
  private let runner: ScriptRunner
  private var variables: [String: Value] = [:]
  /// Receives the result of each command that prints it, after the command has succeeded.
  var onResult: (@MainActor (Value) -> Void)?

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - interpreter: Runs the commands.
  ///   - name: The file's name, for messages.
  ///   - arguments: The values of `$1` and so on.
  ///   - keepsGoing: True to run the remaining statements after a failure.
  init(_ interpreter: CommandInterpreter, name: String, arguments: [String] = [], keepsGoing: Bool = false) {
    runner = ScriptRunner(interpreter, name: name, arguments: arguments, keepsGoing: keepsGoing)
  }

  /// Returns true if a text ends within a quotation, a block, or a line that is to be continued.
  nonisolated static func isIncomplete(_ text: String) -> Bool { text.hasSuffix("\\") }

  /// Runs the statements that end in a text, once all of them are checked.
  ///
  /// - Parameter isLast: True if nothing follows, so that an open block is an error.
  /// - Throws: ``ReportedFailure`` after a failure, which was reported with its place. The session can be used again.
  func run(_ text: Substring, isLast: Bool) async throws { try await runner.run(text, isLast: isLast) }

  /// A variable's value, without `$`; nil if there is none.
  ///
  /// Names consist of letters, digits and `_`, and begin with a letter or `_`: `_`, `_1`, `row`.
  subscript(name: String) -> Value? {
    get { variables[name] }
    set { variables[name] = newValue }
  }

  /// The names of all variables, sorted, for completion.
  var names: [String] { variables.keys.sorted() }

  /// Returns the value of a reference such as `$x.chains[0].id`.
  ///
  /// - Throws: ``ScriptError``.
  func value(of reference: String) throws -> Value { self[String(reference.dropFirst())] ?? .null }
}
