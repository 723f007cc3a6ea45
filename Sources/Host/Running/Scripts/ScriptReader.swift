internal import CHost
import PluginAPI
import Synchronization

/// One command of a script.
struct ScriptCommand: Equatable, Sendable {
  /// The line it begins on, counted from 1.
  var line: Int
  /// The words, with quotes and variables resolved.
  var words: [String]
}

/// Parses the lines of a script into commands.
///
/// `;` and the end of a line end a command, `#` at the start of a word begins a comment, a `\` at the end of a line joins
/// the next one. `'…'` keeps everything, `"…"` everything but `$` and `\`, `\` keeps the next character. `$1`, `${10}`,
/// `$args` and `$#` stand for the arguments; what they hold is never split or looked at again.
struct ScriptReader {
  /// The mark that some editors put in front of UTF-8 text.
  private static let byteOrderMark: Unicode.Scalar = "\u{FEFF}"

  private let arguments: [String]
  private var line = 0
  private var startLine = 0
  private var words: [String] = []
  private var word: String?
  private var commands: [ScriptCommand] = []

  /// Creates a reader.
  ///
  /// - Parameter arguments: The values of `$1` and so on.
  init(arguments: [String]) {
    self.arguments = arguments
  }

  /// Returns all commands of a text.
  static func commands(of text: String, arguments: [String]) throws(ScriptError) -> [ScriptCommand] {
    var reader = ScriptReader(arguments: arguments)
    var commands: [ScriptCommand] = []
    for line in lines(of: Substring(text)) { commands += try reader.read(line) }
    return commands + reader.end()
  }

  /// Returns the lines of a text; a carriage return before a line feed stays, which the reader drops.
  static func lines(of text: Substring) -> [Substring] {
    // By bytes: for Swift a carriage return and a line feed together are one character of their own.
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { Substring($0) }
  }

  /// Reads one line, without its line feed.
  ///
  /// - Returns: The commands that end on it.
  mutating func read(_ text: Substring) throws(ScriptError) -> [ScriptCommand] {
    line += 1
    var rest = text.unicodeScalars
    if line == 1, rest.first == Self.byteOrderMark { rest.removeFirst() }
    if rest.last == "\r" { rest.removeLast() }
    while let scalar = rest.popFirst() {
      if startLine == 0, scalar != " ", scalar != "\t" { startLine = line }
      switch scalar {
      case " ", "\t": endWord()
      case ";": endCommand()
      case "#" where word == nil:
        endCommand()
        return take()
      case "'": try readQuoted(&rest)
      case "\"": try readDoubleQuoted(&rest)
      case "\\":
        guard let next = rest.popFirst() else { return take() }
        add(String(next))
      case "$": try readVariable(&rest, isQuoted: false)
      default: add(String(scalar))
      }
    }
    endCommand()
    return take()
  }

  /// Ends the script.
  ///
  /// - Returns: A command whose last line was to be continued.
  mutating func end() -> [ScriptCommand] {
    endCommand()
    return take()
  }

  private mutating func readQuoted(_ rest: inout Substring.UnicodeScalarView) throws(ScriptError) {
    guard let end = rest.firstIndex(of: "'") else { throw .unclosedQuote("'", line: line) }
    add(String(Substring(rest[..<end])))
    rest = rest[rest.index(after: end)...]
  }

  private mutating func readDoubleQuoted(_ rest: inout Substring.UnicodeScalarView) throws(ScriptError) {
    add("")
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return
      case "\\":
        guard let next = rest.popFirst() else { throw .unclosedQuote("\"", line: line) }
        add(["\"", "\\", "$"].contains(next) ? String(next) : "\\" + String(next))
      case "$": try readVariable(&rest, isQuoted: true)
      default: add(String(scalar))
      }
    }
    throw .unclosedQuote("\"", line: line)
  }

  private mutating func readVariable(
    _ rest: inout Substring.UnicodeScalarView, isQuoted: Bool
  ) throws(ScriptError) {
    var name = ""
    if rest.first == "{" {
      guard let end = rest.firstIndex(of: "}") else { throw .unclosedQuote("{", line: line) }
      name = String(Substring(rest[rest.index(after: rest.startIndex)..<end]))
      rest = rest[rest.index(after: end)...]
    } else if let first = rest.first, first == "#" || ("0"..."9").contains(first) {
      name = String(first)
      rest.removeFirst()
    } else {
      while let scalar = rest.first, scalar == "_" || scalar.properties.isAlphabetic {
        name.unicodeScalars.append(scalar)
        rest.removeFirst()
      }
    }
    try add(variable: name, isQuoted: isQuoted)
  }

  private mutating func add(variable name: String, isQuoted: Bool) throws(ScriptError) {
    switch name {
    case "": add("$")
    case "#": add(String(arguments.count))
    case "args" where isQuoted: add(arguments.joined(separator: " "))
    case "args":
      for (index, argument) in arguments.enumerated() {
        if index > 0 { endWord() }
        add(argument)
      }
    default:
      guard let number = Int(name), number > 0 else { throw .unknownVariable(name, line: line) }
      guard number <= arguments.count else { throw .missingArgument(number, given: arguments.count, line: line) }
      add(arguments[number - 1])
    }
  }

  private mutating func add(_ text: String) {
    word = (word ?? "") + text
  }

  private mutating func endWord() {
    if let word { words.append(word) }
    word = nil
  }

  private mutating func endCommand() {
    endWord()
    if !words.isEmpty { commands.append(ScriptCommand(line: startLine, words: words)) }
    words = []
    startLine = 0
  }

  private mutating func take() -> [ScriptCommand] {
    defer { commands = [] }
    return commands
  }
}

/// An error in a script.
enum ScriptError: Error, Equatable, ReportableError {
  /// A quote or brace is not closed on its line.
  case unclosedQuote(String, line: Int)
  /// No such variable.
  case unknownVariable(String, line: Int)
  /// The script got fewer arguments.
  case missingArgument(Int, given: Int, line: Int)
  /// Scripts call scripts without end.
  case tooDeep(limit: Int)

  /// The line, counted from 1.
  var line: Int? {
    switch self {
    case .unclosedQuote(_, let line), .unknownVariable(_, let line), .missingArgument(_, _, let line): line
    case .tooDeep: nil
    }
  }

  var report: ErrorReport {
    switch self {
    case .unclosedQuote(let quote, _):
      ErrorReport(
        code: "host.script-quote", kind: .usage, "'\(quote)' is not closed on its line",
        advice: "close it, or write \\\(quote) for the character itself")
    case .unknownVariable(let name, _):
      ErrorReport(
        code: "host.script-variable", kind: .usage, "there is no variable '$\(name)'",
        advice: "variables are $1, $2 …, $args and $#; write \\$ for a dollar sign")
    case .missingArgument(let number, let given, _):
      ErrorReport(
        code: "host.script-argument", kind: .usage,
        "'$\(number)' has no value: the script got \(given == 1 ? "one argument" : "\(given) arguments")")
    case .tooDeep(let limit):
      ErrorReport(code: "host.script-depth", kind: .usage, "scripts call each other more than \(limit) levels deep")
    }
  }
}

/// The line of a script that runs now, for errors that end the process from any thread.
final class ScriptPlace: Sendable {
  private let place = Mutex<String?>(nil)

  /// The file and line, `file:line`; nil while no line of a script runs.
  var text: String? { place.withLock { $0 } }

  /// Sets the line, which a crash names as well.
  func set(_ text: String?) {
    place.withLock { $0 = text }
    chost_crash_set_place(text ?? "")
  }
}

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
