/// The words of a line up to the cursor, split as the script language splits them.
///
/// The line need not be complete: completion looks at its last word, the history at all its commands.
struct LineWords: Equatable {
  /// A word.
  struct Word: Equatable, ScriptSymbolWord {
    /// The word without quotes and backslashes; variables are kept as written.
    var text = ""
    /// The number of scalars of the line that it takes.
    var typedCount = 0
    /// The quote that is still open at its end; nil for none.
    var quote: Unicode.Scalar?
    /// A Boolean value indicating whether it contains a variable that is replaced.
    var hasVariable = false
    /// A Boolean value indicating whether any character is quoted or escaped.
    var isQuoted = false
    /// A Boolean value indicating whether this is an operator or a bracket.
    var isSymbol = false

    var bare: String? { isQuoted || isSymbol || hasVariable ? nil : text }

    func isSymbol(_ text: String) -> Bool { isSymbol && self.text == text }
  }

  /// The words of each command; the last word of the last command is the one at the cursor, which may be empty.
  private(set) var commands: [[Word]] = [[]]
  private var word: Word?
  /// The number of brackets of lists that are open.
  private var openBrackets = 0

  /// Splits a text.
  init(_ text: String) {
    var remaining = Substring(text).unicodeScalars
    while let scalar = remaining.popFirst() { take(scalar, &remaining) }
    commands[commands.count - 1].append(word ?? Word())
    word = nil
  }

  /// The words of the command at the cursor before the incomplete one.
  var before: [String] { (commands.last ?? []).dropLast().map(\.text) }

  /// The incomplete word.
  var current: Word { commands.last?.last ?? Word() }

  private mutating func take(_ scalar: Unicode.Scalar, _ remaining: inout Substring.UnicodeScalarView) {
    if let quote = word?.quote { return takeQuoted(scalar, quote, &remaining) }
    switch scalar {
    case " ", "\t": endWord()
    case ";", "\n": endCommand()
    case "#" where word == nil:
      while let next = remaining.first, next != "\n" { remaining.removeFirst() }
    case "'", "\"":
      add("", isQuoted: true)
      word?.quote = scalar
    case "\\":
      add("", isQuoted: true)
      guard let next = remaining.popFirst() else { return }
      word?.typedCount += 1
      if next != "\n" { word?.text.unicodeScalars.append(next) }
    case "[", "]", ",", "=", "!", "<", ">", "(", ")":
      if !takeSymbol(scalar, &remaining) { add(String(scalar)) }
    default:
      add(String(scalar))
      if scalar == "$" { takeVariable(&remaining) }
    }
  }

  /// Takes an operator, bracket or comma if it stands for itself here.
  ///
  /// - Returns: False if it is part of a word.
  private mutating func takeSymbol(_ scalar: Unicode.Scalar, _ remaining: inout Substring.UnicodeScalarView) -> Bool {
    let words = commands[commands.count - 1]
    switch scalar {
    case "[":
      guard word == nil, openBrackets > 0 || ScriptSymbols.areBeforeList(words) else { return false }
      openBrackets += 1
    case "]":
      if openBrackets == 0 { return false }
      openBrackets -= 1
    case ",":
      if openBrackets == 0 { return false }
      endWord()
      return true
    case "=" where ScriptSymbols.areBeforeAssignment(words, isInWord: word != nil): break
    default:
      guard ScriptSymbols.areInCondition(words) else { return false }
      let hasEqual = scalar != "(" && scalar != ")" && remaining.first == "="
      if !hasEqual, scalar == "=" || scalar == "!" { return false }
      if hasEqual { remaining.removeFirst() }
      addSymbol(String(scalar) + (hasEqual ? "=" : ""))
      return true
    }
    addSymbol(String(scalar))
    return true
  }

  private mutating func addSymbol(_ text: String) {
    endWord()
    commands[commands.count - 1].append(Word(text: text, typedCount: text.unicodeScalars.count, isSymbol: true))
  }

  /// Takes the rest of a reference after its `$`, so that an index is not taken for a list.
  private mutating func takeVariable(_ remaining: inout Substring.UnicodeScalarView) {
    word?.hasVariable = true
    if remaining.first == "{" {
      while let next = remaining.popFirst() {
        add(String(next))
        if next == "}" { return }
      }
    }
    while let next = remaining.first,
      next == "." || next == "_" || next == "[" || next.properties.isAlphabetic
        || next.properties.numericType != nil
    {
      remaining.removeFirst()
      add(String(next))
      if next == "[" { takeIndex(&remaining) }
    }
  }

  private mutating func takeIndex(_ remaining: inout Substring.UnicodeScalarView) {
    while let next = remaining.first, ![" ", "\t", "\n", ";"].contains(next) {
      remaining.removeFirst()
      add(String(next))
      if next == "]" { return }
    }
  }

  private mutating func takeQuoted(
    _ scalar: Unicode.Scalar, _ quote: Unicode.Scalar, _ remaining: inout Substring.UnicodeScalarView
  ) {
    if scalar == quote {
      add("")
      word?.quote = nil
    } else if quote == "\"", scalar == "\\", let next = remaining.first, ["\"", "\\", "$", "n"].contains(next) {
      remaining.removeFirst()
      add(next == "n" ? "\n" : String(next))
      word?.typedCount += 1
    } else {
      add(String(scalar))
      if quote == "\"", scalar == "$" { word?.hasVariable = true }
    }
  }

  /// Adds text to the word, for one scalar of the line.
  private mutating func add(_ text: String, isQuoted: Bool = false) {
    var changed = word ?? Word()
    // The text has one owner, so that it grows in place.
    word = nil
    if isQuoted { changed.isQuoted = true }
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
    openBrackets = 0
    commands.append([])
  }
}
