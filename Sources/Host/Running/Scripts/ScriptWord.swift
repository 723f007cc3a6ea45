/// A position in a script.
struct ScriptPosition: Hashable, Sendable, CustomStringConvertible {
  /// The file as the user named it; `exec` or `stdin` for text without one.
  var file: String
  /// The line, counted from 1; 0 if it is unknown or part of the file's name here.
  var line: Int
  /// The column in bytes, counted from 1; 0 if it is unknown.
  var column: Int

  /// The position as `file:line:column`, as far as it is known.
  var description: String {
    if line == 0 { return file }
    return column == 0 ? "\(file):\(line)" : "\(file):\(line):\(column)"
  }
}

/// A reference to a variable, or to a part of its value: `$x`, `$x.chains[0].id`.
struct ScriptReference: Hashable, Sendable {
  /// A step from a value to a part of it.
  enum Step: Hashable, Sendable {
    /// The field of a record, or that field of every row.
    case field(String)
    /// The element or row at an index; negative ones count from the end.
    case index(Int)
  }

  /// The variable's name, without `$`.
  var name: String
  /// The steps, outermost first.
  var steps: [Step] = []
  /// The reference as written.
  var text: String
}

/// A word of a script: literal text, references, or both.
struct ScriptWord: Hashable, Sendable, ScriptSymbolWord {
  /// A part of a word.
  enum Part: Hashable, Sendable {
    case text(String)
    case reference(ScriptReference)
  }

  var position: ScriptPosition
  /// The parts in order; never empty.
  var parts: [Part]
  /// A Boolean value indicating whether any character was quoted or escaped.
  var isQuoted = false
  /// A Boolean value indicating whether any text comes from an argument of the script.
  var hasArgument = false
  /// A Boolean value indicating whether this is an operator or a bracket.
  var isSymbol = false

  /// The text of a word without references; nil if it has any.
  var literal: String? {
    if parts.count == 1, case .text(let text) = parts[0] { text } else { nil }
  }

  /// The text of a word without quotes, escapes and variables; nil for other words, which cannot be keywords.
  var bare: String? { isQuoted || hasArgument || isSymbol ? nil : literal }

  /// The reference that is the whole word, without quotes; its value keeps its kind.
  var reference: ScriptReference? {
    if !isQuoted, parts.count == 1, case .reference(let reference) = parts[0] { reference } else { nil }
  }

  /// The references in the word.
  var references: [ScriptReference] {
    parts.compactMap { if case .reference(let reference) = $0 { reference } else { nil } }
  }

  /// The word for messages, with references as written.
  var source: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .reference(let reference): reference.text
      }
    }.joined()
  }

  /// Returns true for an operator or a bracket with this text.
  func isSymbol(_ text: String) -> Bool { isSymbol && literal == text }
}

/// The words of one statement, from one or more lines.
struct ScriptLine: Hashable, Sendable {
  /// The words; never empty.
  var words: [ScriptWord]

  /// The position of the first word.
  var position: ScriptPosition { words[0].position }
}
