import PluginAPI

/// An error in the arguments of a command line.
enum CommandLineError: Error, Equatable, ReportableError {
  /// There is no such option; `command` is the command of the line, nil before its name.
  case unknownOption(String, command: String?, known: [String])
  /// The option lacks a value.
  case missingValue(option: String, expectation: String)
  /// The value does not fit the option or argument.
  case unfitting(ParameterError)
  /// The text of a global option does not have its form.
  case malformed(String, option: String, expectation: String)
  /// There are more arguments than the command accepts.
  case extraArgument(String, command: String, limit: Int)
  /// A required argument is missing.
  case missingArgument(String, command: String, expectation: String)
  /// The first word is not a command, a plugin or a file.
  case unknownWord(String, known: [String])
  /// Help has no error code of this name.
  case unknownCode(String, known: [String])
  /// The word does not continue any command.
  case unknownCommand(String, after: String, known: [String])
  /// The words are only the beginning of commands.
  case unfinishedCommand(String, known: [String], hasScreen: Bool)
  /// An option for pictures was given to a command without a picture.
  case notAPicture(option: String, command: String)
  /// An option for a whole run was used on a line of a script.
  case notInScripts(option: String)
  /// An argument that is not UTF-8, with a mark for each wrong byte.
  case notUTF8(String)

  var report: ErrorReport {
    switch self {
    case .unknownOption(let option, let command, let known):
      usage(
        "host.unknown-option",
        command.map { "'\($0)' has no option '\(option)'" } ?? "there is no option '\(option)'",
        advice: Suggestion.advice(for: option, in: known)
          ?? command.map { "list its options with 'workbench help \($0)'" })
    case .missingValue(let option, let expectation):
      usage("host.missing-value", "option '\(option)' needs a value: \(expectation)")
    case .unfitting(let error):
      usage("host.unfitting-argument", error.description)
    case .malformed(let text, let option, let expectation):
      usage("host.unfitting-argument", "'\(text)' is not \(expectation) for '\(option)'")
    case .extraArgument(let word, let command, let limit):
      usage(
        "host.extra-argument",
        "'\(command)' accepts " + (limit == 0 ? "no arguments" : limit == 1 ? "one argument" : "\(limit) arguments")
          + ", so '\(word)' is unexpected", advice: "show its arguments with 'workbench help \(command)'")
    case .missingArgument(let name, let command, let expectation):
      usage(
        "host.missing-argument", "'\(command)' needs \(name): \(expectation)",
        advice: "show examples with 'workbench help \(command)'")
    case .unknownWord(let word, let known):
      usage(
        "host.unknown-command", "'\(word)' is not a command, plugin or file",
        advice: Suggestion.advice(for: word, in: known)
          ?? "list commands with 'workbench help' and plugins with 'workbench plugin list'")
    case .unknownCode(let code, let known):
      usage(
        "host.unknown-code", "there is no error code '\(code)'",
        advice: Suggestion.advice(for: code, in: known) ?? "list the codes with 'workbench help errors'")
    case .unknownCommand(let word, let prefix, let known):
      usage(
        "host.unknown-command", "'\(prefix)' has no command '\(word)'",
        advice: Suggestion.advice(for: word, in: known)
          ?? (known.isEmpty
            ? "show its help with 'workbench help \(prefix)'" : "commands are \(known.joined(separator: ", "))"))
    case .unfinishedCommand(let words, let known, let hasScreen):
      usage(
        "host.unfinished-command", "'\(words)' needs a command: \(known.joined(separator: ", "))",
        advice: hasScreen ? "show its screen with 'workbench run \(words)'" : nil)
    case .notAPicture(let option, let command):
      usage(
        "host.no-picture", "'\(command)' does not produce a picture, so it does not accept '\(option)'",
        advice: "list its options with 'workbench help \(command)'")
    case .notInScripts(let option):
      usage(
        "host.not-in-scripts", "'\(option)' applies to a whole run and cannot be used in a script",
        advice: "pass it to 'workbench script'")
    case .notUTF8(let text):
      usage(
        "host.not-utf8", "the argument '\(text)' is not UTF-8 text",
        advice: "only names of input files may contain other bytes")
    }
  }

  private func usage(_ code: String, _ message: String, advice: String? = nil) -> ErrorReport {
    ErrorReport(code: code, kind: .usage, message, advice: advice)
  }
}
