/// The words of a line up to the cursor, split as the language of scripts splits them.
///
/// The line need not be complete: completion looks at its last word, the history at all its commands.
struct LineWords: Equatable {
  /// A word.
  struct Word: Equatable {
    /// The word without quotes and backslashes; variables stand as they are written.
    var text = ""
    /// The number of scalars of the line that it takes.
    var typedCount = 0
    /// The quote that is still open at its end; nil for none.
    var quote: Unicode.Scalar?
    /// A Boolean value indicating whether it contains a variable that is replaced.
    var hasVariable = false
  }

  /// The words of each command; the last word of the last command is the one at the cursor, which may be empty.
  private(set) var commands: [[Word]] = [[]]
  private var word: Word?

  /// Splits a text.
  init(_ text: String) {
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.popFirst() { take(scalar, &rest) }
    commands[commands.count - 1].append(word ?? Word())
    word = nil
  }

  /// The words of the command at the cursor before the incomplete one.
  var before: [String] { (commands.last ?? []).dropLast().map(\.text) }

  /// The incomplete word.
  var current: Word { commands.last?.last ?? Word() }

  private mutating func take(_ scalar: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView) {
    if let quote = word?.quote { return takeQuoted(scalar, quote, &rest) }
    switch scalar {
    case " ", "\t": endWord()
    case ";", "\n": endCommand()
    case "#" where word == nil:
      while let next = rest.first, next != "\n" { rest.removeFirst() }
    case "'", "\"":
      add("")
      word?.quote = scalar
    case "\\":
      add("")
      guard let next = rest.popFirst() else { return }
      word?.typedCount += 1
      if next != "\n" { word?.text.unicodeScalars.append(next) }
    default:
      add(String(scalar))
      if scalar == "$" { word?.hasVariable = true }
    }
  }

  private mutating func takeQuoted(
    _ scalar: Unicode.Scalar, _ quote: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView
  ) {
    if scalar == quote {
      add("")
      word?.quote = nil
    } else if quote == "\"", scalar == "\\", let next = rest.first, ["\"", "\\", "$"].contains(next) {
      rest.removeFirst()
      add(String(next))
      word?.typedCount += 1
    } else {
      add(String(scalar))
      if quote == "\"", scalar == "$" { word?.hasVariable = true }
    }
  }

  /// Adds text to the word, for one scalar of the line.
  private mutating func add(_ text: String) {
    var changed = word ?? Word()
    changed.text += text
    changed.typedCount += 1
    word = changed
  }

  private mutating func endWord() {
    if let word { commands[commands.count - 1].append(word) }
    word = nil
  }

  private mutating func endCommand() {
    endWord()
    commands.append([])
  }
}
