import PluginAPI

/// An error in a script.
enum ScriptError {
  static let unclosedQuoteCode = DeclaredError(
    "host.script-quote", .usage, "a quotation, bracket or brace in a script is not closed on its line")
  static func unclosedQuote(_ quote: String) -> ErrorReport {
    unclosedQuoteCode(
      "'\(quote)' is not closed on its line", advice: "close it, or write \\\(quote) for the character itself")
  }
  static let text = DeclaredError(
    "host.script-text", .unusableInput, "the script is not UTF-8 text, or contains NUL characters")
  static func notText(_ what: String) -> ErrorReport { text("\(what) is not UTF-8 text without NUL characters") }
  static let variable = DeclaredError(
    "host.script-variable", .usage, "a script uses a variable that does not exist")
  static func badReference(_ text: String) -> ErrorReport {
    variable(
      "'\(text)' is not a reference to a variable",
      advice: "write $name, $name.field, $name[0] or ${name}; write \\$ for a dollar sign")
  }
  /// There is no variable of that name.
  static func unknownVariable(_ name: String, known: [String]) -> ErrorReport {
    variable(
      "there is no variable '$\(name)'",
      advice: Suggestion.nearest(to: name, in: known).map { "did you mean '$\($0)'?" }
        ?? "set it with 'let \(name) = …'; write \\$ for a dollar sign")
  }
  static let missingArgument = DeclaredError(
    "host.script-argument", .usage, "a script got fewer arguments than it uses")
  static func missingArgument(_ number: Int, given: Int) -> ErrorReport {
    missingArgument("'$\(number)' has no value: the script got \(given == 1 ? "one argument" : "\(given) arguments")")
  }
  static let syntax = DeclaredError(
    "host.script-syntax", .usage, "a statement of a script is malformed; see 'workbench help scripts'")
  static let block = DeclaredError(
    "host.script-block", .usage, "a block of a script has no 'end', or an 'end' has no block")
  static let nesting = DeclaredError(
    "host.script-nesting", .usage, "blocks, conditions or lists of a script are nested too deeply")
  static func nesting(limit: Int) -> ErrorReport {
    nesting("blocks, conditions or lists are nested more than \(limit) levels deep")
  }
  static let tooDeep = DeclaredError(
    "host.script-depth", .usage, "scripts call or include each other in an endless loop")
  static func tooDeep(limit: Int) -> ErrorReport { tooDeep("scripts call each other more than \(limit) levels deep") }
  static let declaration = DeclaredError(
    "host.script-declaration", .usage, "a declaration at the head of a script is malformed")
  static let unknownPart = DeclaredError("host.script-path", .usage, "the value of a variable has no such part")
  static func unknownPart(_ part: String, of whole: String, known: [String]) -> ErrorReport {
    unknownPart(
      "'\(whole)' has no part '\(part)'",
      advice: Suggestion.advice(for: part, in: known) ?? (known.isEmpty ? nil : "its parts are \(list(known))"))
  }
  static let noValueCode = DeclaredError(
    "host.script-no-value", .unusableInput, "a variable of a script, or a part of it, is null where a value is needed")
  static func noValue(_ text: String) -> ErrorReport {
    noValueCode("'\(text)' has no value", advice: "test it first with 'if \(text) != null'")
  }
  static let unfitting = DeclaredError(
    "host.script-value", .unusableInput, "a value does not fit its use in a script, such as a list in a comparison")
  static let tooLarge = DeclaredError(
    "host.script-too-large", .unusableInput, "a script, or a value in it, is too large")
  static func tooLarge(_ what: String, limit: String) -> ErrorReport { tooLarge("\(what) is larger than \(limit)") }
  static let notAValue = DeclaredError(
    "host.script-no-result", .usage, "the command prints its result itself, so a script cannot store it")
  static func notAValue(command: String) -> ErrorReport {
    notAValue("'\(command)' prints its result, which cannot be stored", advice: "run it as a statement of its own")
  }
  /// The option cannot be used in a statement.
  static func optionNotAllowed(_ option: String, statement: String) -> ErrorReport {
    syntax("'\(option)' has no effect in '\(statement)', which keeps the result")
  }
  static let notParallel = DeclaredError(
    "host.script-parallel", .usage, "the command cannot run in a 'parallel' block of a script")
  static func notParallel(command: String) -> ErrorReport {
    notParallel("'\(command)' cannot run in parallel with other commands", advice: "move it out of the block")
  }
  static let expectation = DeclaredError(
    "host.script-expectation", .failure, "an 'expect' statement of a script failed")

  /// The stable codes.
  static let codes: [ErrorCodeDescription] =
    reading + [
      .init("host.script-errors", "note: more commands of the script have errors than are listed")
    ] + statements

  private static let reading = [unclosedQuoteCode, variable, missingArgument, tooDeep, text].map(\.catalogueEntry)
  private static let statements = [
    syntax, block, nesting, declaration, unknownPart, noValueCode, unfitting, tooLarge, notAValue, notParallel,
    expectation,
  ].map(\.catalogueEntry)

  /// The names in a message, which must not be longer than a few lines.
  private static func list(_ names: [String]) -> String {
    names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
  }
}

/// An error at a position of a script.
struct ScriptFault: Error, Hashable, ReportableError {
  var position: ScriptPosition
  var error: ErrorReport

  /// Creates an error at a position.
  init(_ error: ErrorReport, at position: ScriptPosition) { (self.error, self.position) = (error, position) }

  var report: ErrorReport { error.report }
}
