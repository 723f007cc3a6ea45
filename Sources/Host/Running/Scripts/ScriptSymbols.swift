/// A word as the rules for symbols see it.
protocol ScriptSymbolWord {
  /// The text of a word without quotes, escapes and variables; nil for other words and for symbols.
  var bare: String? { get }

  /// Returns true for an operator or a bracket with this text.
  func isSymbol(_ text: String) -> Bool
}

/// The rules for where operators, brackets and commas stand for themselves; elsewhere they are part of a word.
enum ScriptSymbols {
  /// Returns true after `let NAME =` and `for NAME in`.
  static func areBeforeList(_ words: some Collection<some ScriptSymbolWord>) -> Bool {
    let words = Array(words.prefix(4))
    guard words.count == 3, let first = words[0].bare else { return false }
    return first == ScriptKeyword.letValue.rawValue && words[2].isSymbol("=")
      || first == ScriptKeyword.forLoop.rawValue && words[2].bare == "in"
  }

  /// Returns true after `let NAME`.
  ///
  /// - Parameter isInWord: True if a word is open after these.
  static func areBeforeAssignment(_ words: some Collection<some ScriptSymbolWord>, isInWord: Bool) -> Bool {
    words.first?.bare == ScriptKeyword.letValue.rawValue && words.count == (isInWord ? 1 : 2)
  }

  /// Returns true in a condition.
  static func areInCondition(_ words: some Collection<some ScriptSymbolWord>) -> Bool {
    guard let keyword = words.first?.bare.flatMap(ScriptKeyword.init(rawValue:)) else { return false }
    let second = words.dropFirst().first?.bare
    switch keyword {
    case .ifBlock, .whileLoop: return true
    case .elseBranch: return second == ScriptKeyword.ifBlock.rawValue
    case .expect: return second != "fail"
    case .letValue, .forLoop, .end, .parallel, .print, .source, .onError, .breakLoop, .continueLoop, .summary,
      .argument, .option, .flag:
      return false
    }
  }
}
