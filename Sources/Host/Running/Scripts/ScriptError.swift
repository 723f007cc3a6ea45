import PluginAPI

/// An error in a script.
enum ScriptError: Error, Hashable, ReportableError {
  /// A quote, brace or bracket is not closed on its line.
  case unclosedQuote(String)
  /// The text is not UTF-8, or contains a NUL character.
  case notText(String)
  /// A reference is malformed.
  case badReference(String)
  /// There is no variable of that name.
  case unknownVariable(String, known: [String])
  /// The script got fewer arguments.
  case missingArgument(Int, given: Int)
  /// A statement is malformed.
  case syntax(String, advice: String?)
  /// A block lacks its `end`, or an `end` its block.
  case block(String, advice: String?)
  /// Blocks, conditions or lists are nested too deeply.
  case nesting(limit: Int)
  /// Scripts call or include each other without end.
  case tooDeep(limit: Int)
  /// A declaration at the head of the script is malformed.
  case declaration(String, advice: String?)
  /// The value has no such part.
  case unknownPart(String, of: String, known: [String])
  /// The value is null where one is needed.
  case noValue(String)
  /// The value does not fit its use.
  case unfitting(String, advice: String?)
  /// A value or the script is too large.
  case tooLarge(String, limit: String)
  /// The command's result cannot be stored in a variable.
  case notAValue(command: String)
  /// The option cannot be used in a statement.
  case optionNotAllowed(String, statement: String)
  /// The command cannot run in parallel with others.
  case notParallel(command: String)
  /// An expectation is not met.
  case expectation(String)

  var report: ErrorReport {
    switch self {
    case .unclosedQuote(let quote):
      usage(
        "host.script-quote", "'\(quote)' is not closed on its line",
        advice: "close it, or write \\\(quote) for the character itself")
    case .notText(let what):
      ErrorReport(code: "host.script-text", kind: .unusableInput, "\(what) is not UTF-8 text without NUL characters")
    case .badReference(let text):
      usage(
        "host.script-variable", "'\(text)' is not a reference to a variable",
        advice: "write $name, $name.field, $name[0] or ${name}; write \\$ for a dollar sign")
    case .unknownVariable(let name, let known):
      usage(
        "host.script-variable", "there is no variable '$\(name)'",
        advice: Suggestion.nearest(to: name, in: known).map { "did you mean '$\($0)'?" }
          ?? "set it with 'let \(name) = …'; write \\$ for a dollar sign")
    case .missingArgument(let number, let given):
      usage(
        "host.script-argument",
        "'$\(number)' has no value: the script got \(given == 1 ? "one argument" : "\(given) arguments")")
    case .syntax(let message, let advice): usage("host.script-syntax", message, advice: advice)
    case .block(let message, let advice): usage("host.script-block", message, advice: advice)
    case .nesting(let limit):
      usage("host.script-nesting", "blocks, conditions or lists are nested more than \(limit) levels deep")
    case .tooDeep(let limit): usage("host.script-depth", "scripts call each other more than \(limit) levels deep")
    case .declaration(let message, let advice): usage("host.script-declaration", message, advice: advice)
    case .unknownPart(let part, let whole, let known):
      usage(
        "host.script-path", "'\(whole)' has no part '\(part)'",
        advice: Suggestion.advice(for: part, in: known)
          ?? (known.isEmpty ? nil : "its parts are \(Self.list(known))"))
    case .noValue(let text):
      ErrorReport(
        code: "host.script-no-value", kind: .unusableInput, "'\(text)' has no value",
        advice: "test it before with 'if \(text) != null'")
    case .unfitting(let message, let advice):
      ErrorReport(code: "host.script-value", kind: .unusableInput, message, advice: advice)
    case .tooLarge(let what, let limit):
      ErrorReport(code: "host.script-too-large", kind: .unusableInput, "\(what) is larger than \(limit)")
    case .notAValue(let command):
      usage(
        "host.script-no-result", "'\(command)' prints its result, which cannot be stored",
        advice: "run it as a statement of its own")
    case .optionNotAllowed(let option, let statement):
      usage("host.script-syntax", "'\(option)' has no effect in '\(statement)', which keeps the result", advice: nil)
    case .notParallel(let command):
      usage(
        "host.script-parallel", "'\(command)' cannot run in parallel with other commands",
        advice: "move it out of the block")
    case .expectation(let message):
      ErrorReport(code: "host.script-expectation", kind: .failure, message)
    }
  }

  /// The names in a message, which must not be longer than a few lines.
  private static func list(_ names: [String]) -> String {
    names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
  }

  private func usage(_ code: String, _ message: String, advice: String? = nil) -> ErrorReport {
    ErrorReport(code: code, kind: .usage, message, advice: advice)
  }
}

/// An error at a position of a script.
struct ScriptFault: Error, Hashable, ReportableError {
  var position: ScriptPosition
  var error: ScriptError

  /// Creates an error at a position.
  init(_ error: ScriptError, at position: ScriptPosition) { (self.error, self.position) = (error, position) }

  var report: ErrorReport { error.report }
}
