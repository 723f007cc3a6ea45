import PluginAPI

/// An error in the arguments of a command line.
struct CommandLineError: Error, Equatable, ReportableError {
  let report: ErrorReport
  /// The text that is wrong; nil if something is missing.
  let offender: String?

  private init(_ report: ErrorReport, _ offender: String? = nil) { (self.report, self.offender) = (report, offender) }

  static let unknownOption = DeclaredError(
    "host.unknown-option", .usage, "the command does not have this option")
  /// There is no such option; `command` is the command of the line, nil before its name.
  static func unknownOption(_ option: String, command: String?, known: [String]) -> Self {
    Self(
      unknownOption(
        command.map { "'\($0)' has no option '\(option)'" } ?? "there is no option '\(option)'",
        advice: Suggestion.advice(for: option, in: known)
          ?? command.map { "list its options with 'workbench help \($0)'" }), option)
  }
  static let missingValue = DeclaredError("host.missing-value", .usage, "the option needs a value")
  static func missingValue(option: String, expectation: String) -> Self {
    Self(missingValue("option '\(option)' needs a value: \(expectation)"), option)
  }
  static let unfittingArgument = DeclaredError(
    "host.unfitting-argument", .usage, "the value does not fit the argument or option")
  static func unfitting(_ error: ParameterError) -> Self {
    Self(unfittingArgument(error.description), error.text)
  }
  /// The text of a global option does not have its form.
  static func malformed(_ text: String, option: String, expectation: String) -> Self {
    Self(unfittingArgument("'\(text)' is not \(expectation) for '\(option)'"), text)
  }
  static let extraArgument = DeclaredError(
    "host.extra-argument", .usage, "there are more arguments than the command accepts")
  static func extraArgument(_ word: String, command: String, limit: Int) -> Self {
    Self(
      extraArgument(
        "'\(command)' accepts " + (limit == 0 ? "no arguments" : limit == 1 ? "one argument" : "\(limit) arguments")
          + ", so '\(word)' is unexpected", advice: "show its arguments with 'workbench help \(command)'"), word)
  }
  static let missingArgument = DeclaredError("host.missing-argument", .usage, "a required argument is missing")
  static func missingArgument(_ name: String, command: String, expectation: String) -> Self {
    Self(
      missingArgument(
        "'\(command)' needs \(name): \(expectation)", advice: "show examples with 'workbench help \(command)'"))
  }
  static func unknownWord(_ word: String, known: [String]) -> Self {
    Self(
      CommonHostError.unknownCommand(
        "'\(word)' is not a command, plugin or file",
        advice: Suggestion.advice(for: word, in: known)
          ?? "list commands with 'workbench help' and plugins with 'workbench plugin list'"), word)
  }
  static let unknownCode = DeclaredError(
    "host.unknown-code", .usage, "'help errors' has no such code; list all with 'workbench help errors'")
  static func unknownCode(_ code: String, known: [String]) -> Self {
    Self(
      unknownCode(
        "there is no error code '\(code)'",
        advice: Suggestion.advice(for: code, in: known) ?? "list the codes with 'workbench help errors'"), code)
  }
  /// The word does not continue any command.
  static func unknownCommand(_ word: String, after prefix: String, known: [String]) -> Self {
    Self(
      CommonHostError.unknownCommand(
        "'\(prefix)' has no command '\(word)'",
        advice: Suggestion.advice(for: word, in: known)
          ?? (known.isEmpty
            ? "show its help with 'workbench help \(prefix)'" : "commands are \(known.joined(separator: ", "))")), word)
  }
  static let unfinishedCommand = DeclaredError("host.unfinished-command", .usage, "the command is incomplete")
  static func unfinishedCommand(_ name: String, known: [String], hasScreen: Bool) -> Self {
    Self(
      unfinishedCommand(
        "'\(name)' needs a command: \(known.joined(separator: ", "))",
        advice: hasScreen ? "show its screen with 'workbench run \(name)'" : nil))
  }
  static let notAPicture = DeclaredError(
    "host.no-picture", .usage, "a picture option was given to a command without a picture")
  static func notAPicture(option: String, command: String) -> Self {
    Self(
      notAPicture(
        "'\(command)' does not produce a picture, so it does not accept '\(option)'",
        advice: "list its options with 'workbench help \(command)'"), option)
  }
  static let notInScripts = DeclaredError(
    "host.not-in-scripts", .usage, "an option for the whole run was used on a line of a script")
  static func notInScripts(option: String) -> Self {
    Self(
      notInScripts(
        "'\(option)' applies to a whole run and cannot be used in a script", advice: "pass it to 'workbench script'"),
      option)
  }
  static let notUTF8Code = DeclaredError(
    "host.not-utf8", .usage, "an argument is not UTF-8 text; only names of input files may contain other bytes")
  static func notUTF8(_ text: String) -> Self {
    Self(
      notUTF8Code(
        "the argument '\(text)' is not UTF-8 text", advice: "only names of input files may contain other bytes"),
      text)
  }
}
