import PluginAPI

/// Quotes words so that a script reads them back.
enum ScriptQuoting {
  /// Returns the line of these words.
  static func line(_ words: [String]) -> String {
    words.map(quoted).joined(separator: " ")
  }

  /// Returns a word, in single quotes where it needs them.
  static func quoted(_ word: String) -> String {
    let isSafe = word.utf8.allSatisfy { byte in
      byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
        || Array("-_./:=,+@%^".utf8).contains(byte)
    }
    if isSafe && !word.isEmpty { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

/// Converts a call back into the words of a command line.
enum CommandLineWords {
  /// Returns the arguments after `workbench`.
  static func words(calling entry: CommandEntry, _ arguments: Record) -> [String] {
    var words = entry.words.split(separator: " ").map(String.init)
    for option in entry.declaration.options {
      guard let value = arguments[option.name], !value.isNull, value != option.defaultValue else { continue }
      if option.kind == .flag {
        words.append(value.bool == true ? "--" + option.name : "--\(option.name)=no")
      } else {
        for text in texts(value, option) { words.append("--\(option.name)=\(text)") }
      }
    }
    let positional = entry.declaration.arguments.flatMap { argument in
      arguments[argument.name].map { texts($0, argument) } ?? []
    }
    if positional.contains(where: { OptionWord($0) != nil || $0 == "--" }) { words.append("--") }
    return words + positional
  }

  private static func texts(_ value: Value, _ parameter: Parameter) -> [String] {
    if parameter.isRepeatable, let list = value.list { return list.map { text($0) } }
    return [text(value)]
  }

  private static func text(_ value: Value) -> String {
    switch value.content {
    case .list(let numbers): numbers.map { text($0) }.joined(separator: ",")
    case .bool(let flag): flag ? "yes" : "no"
    default: GenericText.inline(value)
    }
  }
}
