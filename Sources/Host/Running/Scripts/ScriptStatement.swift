import PluginAPI

/// A statement of a script, with the statements of its blocks.
struct ScriptStatement: Sendable {
  /// The words of the statement's line.
  var words: [ScriptWord]
  var kind: Kind

  /// The position of the first word.
  var position: ScriptPosition { words[0].position }

  /// The kinds of statements.
  indirect enum Kind: Sendable {
    /// A command whose result is printed.
    case command(ScriptCall)
    /// `let NAME = …`
    case assign(String, ScriptSource)
    /// `for NAME in …`
    case loop(String, ScriptSource, [ScriptStatement])
    /// `while CONDITION`
    case loopWhile(ScriptCondition, [ScriptStatement])
    /// `if CONDITION`, `else if CONDITION`, `else`
    case choose([Branch])
    /// `parallel N`
    case parallel(Int, [ScriptStatement])
    /// `source FILE`
    case include(ScriptInclude)
    /// `expect CONDITION`
    case expect(ScriptCondition)
    /// `expect fail [CODE] COMMAND`
    case expectFailure(code: String?, ScriptCall)
    /// `on-error …`
    case onError(Policy)
    /// `print VALUE…`
    case print([ScriptExpression])
    /// `break`
    case leave
    /// `continue`
    case skip
    /// `summary`, `argument`, `option` or `flag` at the head
    case declare
  }

  /// A branch of `if`.
  struct Branch: Sendable {
    /// The condition; nil for `else`.
    var condition: ScriptCondition?
    var body: [ScriptStatement]
    /// The words of the branch's line.
    var words: [ScriptWord]
  }

  /// The reaction to a failed statement.
  enum Policy: Sendable {
    /// Ends the script.
    case stop
    /// Runs the next statement.
    case proceed
    /// Runs a command, then ends the script.
    case call(ScriptCall)
    /// Prints values, then ends the script.
    case print([ScriptExpression], ScriptPosition)
  }

  /// The statement as text on one line.
  var text: String { Self.text(of: words) }

  /// Returns words as text on one line.
  static func text(of words: [ScriptWord]) -> String {
    words.map { word in
      if word.isSymbol { return word.source }
      if let literal = word.literal { return ScriptQuoting.quoted(literal) }
      return word.isQuoted ? ScriptQuoting.quoted(word) : word.source
    }.joined(separator: " ")
  }
}

/// The source of a variable's value.
enum ScriptSource: Sendable {
  /// The result of a command.
  case command(ScriptCall)
  case value(ScriptExpression)
  /// Whole numbers from one to another, both included: `1..10`; for loops only.
  case range(ScriptWord)
}

/// An expression of a script.
indirect enum ScriptExpression: Sendable {
  case constant(Value)
  /// A reference, or text with references in it.
  case word(ScriptWord)
  case list([ScriptExpression])
}

/// A condition of `if`, `while` and `expect`.
indirect enum ScriptCondition: Sendable {
  /// A value that must be true or false.
  case value(ScriptExpression, ScriptPosition)
  case comparison(ScriptExpression, ScriptComparison, ScriptExpression, ScriptPosition)
  case not(ScriptCondition)
  case all([ScriptCondition])
  case any([ScriptCondition])
}

/// A comparison in a condition.
enum ScriptComparison: String, Sendable, CaseIterable {
  case equal = "=="
  case unequal = "!="
  case less = "<"
  case atMost = "<="
  case greater = ">"
  case atLeast = ">="
  case contains
  case isIn = "in"
}

/// A call of a command in a script, parsed once if all its words are known.
@MainActor final class ScriptCall {
  /// The words; never empty.
  nonisolated let words: [ScriptWord]
  /// The parsed line, if no word has a variable; set by the checker.
  var line: ParsedLine?
  /// The command; nil until the checker has found it.
  var entry: CommandEntry?

  nonisolated init(_ words: [ScriptWord]) { self.words = words }

  /// The position of the command's name.
  nonisolated var position: ScriptPosition { words[0].position }

  /// The name of the command, for messages; nil until it is known.
  var command: String? { entry?.words }

  /// A Boolean value indicating whether any word has a variable.
  nonisolated var hasVariables: Bool { words.contains { $0.literal == nil } }
}

/// A file that a script includes, read by the checker.
@MainActor final class ScriptInclude {
  /// The path as written.
  nonisolated let path: String
  /// The statements; empty until the checker has read them.
  var statements: [ScriptStatement] = []
  /// The reason why they cannot be read; nil if they can.
  var problem: (any Error)?

  nonisolated init(_ path: String) { self.path = path }
}
