import PluginAPI

/// Quotes words so that a script reads them back.
enum ScriptQuoting {
  /// Returns the line of these words.
  static func line(_ arguments: [String]) -> String {
    arguments.map(quoted).joined(separator: " ")
  }

  /// Returns a word, in quotes if it needs them: double ones for a line feed, which must not end the line.
  static func quoted(_ word: String) -> String {
    let isSafe = word.utf8.allSatisfy { byte in
      byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
        || Array("-_./:=,+@%^".utf8).contains(byte)
    }
    if isSafe && !word.isEmpty { return word }
    if word.utf8.contains(UInt8(ascii: "\n")) { return "\"" + escaped(word) + "\"" }
    return "'" + singleQuoted(word) + "'"
  }

  /// Returns a word with references in double quotes.
  static func quoted(_ word: ScriptWord) -> String {
    let parts = word.parts.map { part in
      switch part {
      case .text(let text): escaped(text)
      case .reference(let reference): reference.text
      }
    }
    return "\"" + parts.joined() + "\""
  }

  /// Returns text as it stands between single quotes.
  ///
  /// By scalars: for Swift, a quote and an accent after it are one character.
  static func singleQuoted(_ text: String) -> String { replacing(text) { $0 == "'" ? "'\\''" : nil } }

  /// Returns text as it stands between double quotes.
  static func escaped(_ text: String) -> String {
    replacing(text) { scalar in
      switch scalar {
      case "\"", "\\", "$": "\\" + String(scalar)
      case "\n": "\\n"
      default: nil
      }
    }
  }

  private static func replacing(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let replacement = replacement(scalar) {
        result.append(contentsOf: replacement.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}

/// Converts a call back into the words of a command line.
enum CommandLineWords {
  /// Returns the arguments after `workbench`.
  static func arguments(calling entry: CommandEntry, _ arguments: Record) -> [String] {
    var commandLine = entry.words.split(separator: " ").map(String.init)
    for option in entry.declaration.options {
      guard let value = arguments[option.name], !value.isNull, value != option.defaultValue else { continue }
      if option.kind == .flag {
        commandLine.append(value.bool == true ? "--" + option.name : "--\(option.name)=no")
      } else {
        for text in texts(value, option) { commandLine.append("--\(option.name)=\(text)") }
      }
    }
    let positional = entry.declaration.arguments.flatMap { argument in
      arguments[argument.name].map { texts($0, argument) } ?? []
    }
    if positional.contains(where: { OptionWord($0) != nil || $0 == "--" }) { commandLine.append("--") }
    return commandLine + positional
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
