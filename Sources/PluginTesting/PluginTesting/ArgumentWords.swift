public import PluginAPI

/// A parser of command lines that follows the host's rules: `predict brest --days 2`.
public enum ArgumentWords {
  /// Returns the command that a line names, and its arguments.
  ///
  /// - Parameters:
  ///   - line: The arguments after `workbench PLUGIN`; single and double quotes keep spaces.
  ///   - commands: The known commands.
  /// - Throws: ``ErrorReport`` of kind usage.
  public static func parse(
    _ line: String, for commands: [CommandDescription]
  ) throws -> (command: CommandDescription, arguments: Record) {
    let words = split(line)
    let named = commands.filter { words.starts(with: $0.name.split(separator: " ").map(String.init)) }
    guard let command = named.max(by: { $0.name.count < $1.name.count }) else {
      throw usage("'\(line)' does not begin with a command")
    }
    let remaining = words.dropFirst(command.name.split(separator: " ").count)
    return (command, try arguments(Array(remaining), for: command))
  }

  /// Parses the words that follow the command's name.
  static func arguments(_ words: [String], for command: CommandDescription) throws -> Record {
    var arguments = Record()
    var positions: [String] = []
    var remaining = words[...]
    while let word = remaining.popFirst() {
      if word == "--" {
        positions += remaining
        break
      }
      guard word.hasPrefix("--") else {
        positions.append(word)
        continue
      }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      guard let option = command.options.first(where: { $0.name == parts[0] }) else {
        // The host's own options; those for pictures take a value.
        if ["--output", "--size", "--graphics"].contains(word) { _ = remaining.popFirst() }
        if globalOptions.contains(parts[0]) { continue }
        throw usage("'\(command.name)' has no option '\(word)'")
      }
      if option.kind == .flag, parts.count == 1 {
        arguments[option.name] = true
      } else {
        guard let text = parts.count == 2 ? parts[1] : remaining.popFirst() else {
          throw usage("'\(word)' needs a value")
        }
        add(try parsed(text, option), option, to: &arguments)
      }
    }
    try assign(positions, command, to: &arguments)
    return arguments
  }

  private static func assign(_ words: [String], _ command: CommandDescription, to arguments: inout Record) throws {
    var remaining = words[...]
    for (index, parameter) in command.arguments.enumerated() {
      let later = command.arguments[(index + 1)...].count(where: \.isRequired)
      let count = parameter.isRepeatable ? max(0, remaining.count - later) : min(1, remaining.count)
      for word in remaining.prefix(count) { add(try parsed(word, parameter), parameter, to: &arguments) }
      remaining = remaining.dropFirst(count)
    }
    if let extra = remaining.first { throw usage("'\(command.name)' does not accept the argument '\(extra)'") }
  }

  private static func add(_ value: Value, _ parameter: Parameter, to arguments: inout Record) {
    arguments[parameter.name] =
      parameter.isRepeatable ? .list((arguments[parameter.name]?.list ?? []) + [value]) : value
  }

  private static func parsed(_ text: String, _ parameter: Parameter) throws -> Value {
    do {
      return try parameter.value(parsing: text)
    } catch {
      throw usage(error.description)
    }
  }

  /// Returns the arguments with defaults filled in, each checked against its parameter.
  ///
  /// - Throws: ``ErrorReport`` of kind usage for an unknown, missing or unfitting argument.
  static func complete(_ arguments: Record, for command: CommandDescription) throws -> Record {
    let parameters = command.arguments + command.options
    if let name = arguments.names.first(where: { name in !parameters.contains { $0.name == name } }) {
      throw usage("'\(command.name)' has no argument or option '\(name)'")
    }
    var complete = Record()
    for parameter in parameters {
      if let given = arguments[parameter.name], !given.isNull {
        do {
          complete[parameter.name] = try parameter.value(accepting: given)
        } catch {
          throw usage(error.description)
        }
      } else if parameter.isRequired {
        throw usage("'\(command.name)' needs '\(parameter.name)': \(parameter.expectation)")
      } else {
        complete[parameter.name] = parameter.defaultValue
      }
    }
    return complete
  }

  private static func usage(_ message: String) -> ErrorReport {
    ErrorReport(code: "host.usage", kind: .usage, message)
  }

  /// Splits a line into words.
  static func split(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      switch (character, quote) {
      case ("'", nil), ("\"", nil): (quote, word) = (character, word ?? "")
      case (let mark, let open?) where mark == open: quote = nil
      case (" ", nil):
        if let finished = word { words.append(finished) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  /// The names of the host's own options, which no command may declare.
  static let globalOptions: Set<String> = [
    "json", "jsonl", "csv", "tsv", "plain", "color", "quiet", "yes", "no-input", "timeout", "home", "plugin-dir",
    "safe-mode", "isolate", "trace", "offline", "record", "dry-run", "graphics", "size", "output", "help", "headless",
    "keys", "frame-format", "version",
  ]
}
