import PluginAPI

/// Builds the statements of a script from its lines, block by block.
struct ScriptParser {
  /// A block whose `end` is not reached.
  private struct Block {
    var words: [ScriptWord]
    var kind: Kind
    var body: [ScriptStatement] = []

    enum Kind {
      case loop(String, ScriptSource)
      case loopWhile(ScriptCondition)
      case choose(done: [ScriptStatement.Branch], condition: ScriptCondition?, words: [ScriptWord])
      case parallel(Int)
    }
  }

  private var blocks: [Block] = []
  private var isAtHead = true
  private var wordCount = 0

  /// A Boolean value indicating whether a block is open.
  var isInBlock: Bool { !blocks.isEmpty }

  /// Begins another text, whose word count starts at zero unless a block is open.
  mutating func beginText() { if blocks.isEmpty { wordCount = 0 } }

  /// Forgets the open blocks, after an error.
  mutating func discard() { blocks = [] }

  /// Adds a line.
  ///
  /// - Returns: The statement that ends with it; nil for one in an open block.
  mutating func add(_ line: ScriptLine) throws(ScriptFault) -> ScriptStatement? {
    let words = line.words
    wordCount += words.count
    if wordCount > ScriptLimits.words {
      throw ScriptFault(ScriptError.tooLarge("the script", limit: "\(ScriptLimits.words) words"), at: line.position)
    }
    let statement: ScriptStatement
    switch words[0].keyword {
    case .forLoop:
      let (name, source) = try binding(words, joint: "in")
      return try open(words, .loop(name, source))
    case .whileLoop: return try open(words, .loopWhile(try ScriptConditionParser.condition(words, after: 1)))
    case .ifBlock:
      let condition = try ScriptConditionParser.condition(words, after: 1)
      return try open(words, .choose(done: [], condition: condition, words: words))
    case .parallel: return try open(words, .parallel(try parallelCount(words)))
    case .elseBranch:
      try beginElse(words)
      return nil
    case .end:
      try expectCount(words, 1, "end")
      statement = try close(at: line.position)
    case .letValue, .print, .expect, .source, .onError, .breakLoop, .continueLoop, .summary, .argument, .option, .flag,
      nil:
      statement = ScriptStatement(words: words, kind: try kind(words))
    }
    guard let last = blocks.indices.last else { return statement }
    blocks[last].body.append(statement)
    return nil
  }

  /// Ends the script.
  ///
  /// - Throws: ``ScriptError/block(_:advice:)`` if a block is open.
  func end() throws(ScriptFault) {
    guard let block = blocks.last else { return }
    throw ScriptFault(
      ScriptError.block("'\(block.words[0].source)' has no 'end'", advice: "write 'end' after the block"),
      at: block.words[0].position)
  }

  private mutating func open(_ words: [ScriptWord], _ kind: Block.Kind) throws(ScriptFault) -> ScriptStatement? {
    isAtHead = false
    if blocks.count == ScriptLimits.nesting {
      throw ScriptFault(ScriptError.nesting(limit: ScriptLimits.nesting), at: words[0].position)
    }
    blocks.append(Block(words: words, kind: kind))
    return nil
  }

  private mutating func close(at position: ScriptPosition) throws(ScriptFault) -> ScriptStatement {
    guard let block = blocks.popLast() else {
      throw ScriptFault(ScriptError.block("'end' without a block", advice: "delete it"), at: position)
    }
    switch block.kind {
    case .loop(let name, let source):
      return ScriptStatement(words: block.words, kind: .loop(name, source, block.body))
    case .loopWhile(let condition): return ScriptStatement(words: block.words, kind: .loopWhile(condition, block.body))
    case .parallel(let count): return ScriptStatement(words: block.words, kind: .parallel(count, block.body))
    case .choose(let done, let condition, let words):
      let last = ScriptStatement.Branch(condition: condition, body: block.body, words: words)
      return ScriptStatement(words: block.words, kind: .choose(done + [last]))
    }
  }

  private mutating func beginElse(_ words: [ScriptWord]) throws(ScriptFault) {
    guard let last = blocks.indices.last, case .choose(let done, let condition, let begun) = blocks[last].kind else {
      throw ScriptFault(ScriptError.block("'else' without 'if'"), at: words[0].position)
    }
    guard let condition else {
      throw ScriptFault(ScriptError.block("'else' follows the last branch of its 'if'"), at: words[0].position)
    }
    let next: ScriptCondition?
    if words.count > 1 {
      guard words[1].bare == "if" else {
        throw ScriptFault(ScriptError.syntax("'else' is followed by 'if' or nothing"), at: words[1].position)
      }
      next = try ScriptConditionParser.condition(words, after: 2)
    } else {
      next = nil
    }
    let branch = ScriptStatement.Branch(condition: condition, body: blocks[last].body, words: begun)
    blocks[last].body = []
    blocks[last].kind = .choose(done: done + [branch], condition: next, words: words)
  }

  private func parallelCount(_ words: [ScriptWord]) throws(ScriptFault) -> Int {
    guard words.count == 2, let count = words[1].literal.flatMap({ Int($0) }),
      (1...ScriptLimits.parallel).contains(count)
    else {
      throw ScriptFault(
        ScriptError.syntax(
          "'parallel' needs a number from 1 to \(ScriptLimits.parallel)",
          advice: "write 'parallel 4', statements, and 'end'"), at: words[words.count > 1 ? 1 : 0].position)
    }
    return count
  }

  private func expectCount(_ words: [ScriptWord], _ count: Int, _ name: String) throws(ScriptFault) {
    guard words.count > count else { return }
    throw ScriptFault(
      ScriptError.syntax("'\(words[count].source)' after '\(name)' is unexpected"), at: words[count].position)
  }
}

extension ScriptParser {
  /// Returns the kind of a statement without a block.
  private mutating func kind(_ words: [ScriptWord]) throws(ScriptFault) -> ScriptStatement.Kind {
    let wasAtHead = isAtHead
    isAtHead = false
    switch words[0].keyword {
    case .summary, .argument, .option, .flag:
      guard wasAtHead, blocks.isEmpty else {
        throw ScriptFault(
          ScriptError.declaration(
            "'\(words[0].source)' comes after other statements", advice: "move it to the head of the script"),
          at: words[0].position)
      }
      isAtHead = true
      return .declare
    case .letValue:
      let (name, source) = try binding(words, joint: "=")
      return .assign(name, source)
    case .source:
      guard words.count == 2, let path = words[1].literal, !path.isEmpty else {
        throw ScriptFault(
          ScriptError.syntax(
            "'source' needs one file, named without variables", advice: "write 'source FILE', relative to this script"),
          at: words[0].position)
      }
      return .include(ScriptInclude(path))
    case .expect: return try expectation(words)
    case .onError: return .onError(try policy(words))
    case .print: return .print(try printed(words[...]))
    case .breakLoop, .continueLoop:
      let isBreak = words[0].keyword == .breakLoop
      try expectCount(words, 1, words[0].source)
      guard isInLoop else {
        throw ScriptFault(ScriptError.block("'\(words[0].source)' is not in a loop"), at: words[0].position)
      }
      return isBreak ? .leave : .skip
    case .forLoop, .whileLoop, .ifBlock, .elseBranch, .end, .parallel, nil: return .command(try call(words[...]))
    }
  }

  /// True in a loop that one task runs.
  private var isInLoop: Bool {
    for (index, block) in blocks.enumerated().reversed() {
      switch block.kind {
      case .loop:
        guard index > 0, case .parallel = blocks[index - 1].kind else { return true }
        // Each turn of this loop is a task of its own.
        return false
      case .loopWhile: return true
      case .parallel: return false
      case .choose: continue
      }
    }
    return false
  }

  private func call(_ words: ArraySlice<ScriptWord>) throws(ScriptFault) -> ScriptCall {
    guard let first = words.first else { preconditionFailure("a statement has a word") }
    guard first.literal != nil, !first.isSymbol else {
      throw ScriptFault(
        ScriptError.syntax(
          "'\(first.source)' cannot be the name of a command", advice: "write the name without variables"),
        at: first.position)
    }
    return ScriptCall(Array(words))
  }

  /// Parses `let NAME = …` and `for NAME in …`.
  private func binding(
    _ words: [ScriptWord], joint: String
  ) throws(ScriptFault) -> (name: String, source: ScriptSource) {
    let keyword = words[0].source
    guard words.count > 3, words[2].isSymbol(joint) || words[2].bare == joint else {
      throw ScriptFault(
        ScriptError.syntax("'\(keyword)' is incomplete", advice: "write '\(keyword) NAME \(joint) …'"),
        at: words[0].position)
    }
    guard let name = words[1].bare, ScriptReader.isName(name) else {
      throw ScriptFault(
        ScriptError.syntax(
          "'\(words[1].source)' is not a name for a variable",
          advice: "use letters, digits and '_', and no digit first; 'args' is reserved"), at: words[1].position)
    }
    return (name, try source(words[3...], isLoop: keyword == "for"))
  }

  private func source(_ words: ArraySlice<ScriptWord>, isLoop: Bool) throws(ScriptFault) -> ScriptSource {
    guard let first = words.first else { preconditionFailure("the caller checked that words follow") }
    if first.isSymbol("[") {
      var remaining = words
      let list = try Self.list(&remaining)
      if let extra = remaining.first {
        throw ScriptFault(ScriptError.syntax("'\(extra.source)' after the list is unexpected"), at: extra.position)
      }
      return .value(list)
    }
    if words.count == 2, first.bare == "json", let text = words.last {
      guard let literal = text.literal else {
        throw ScriptFault(ScriptError.syntax("'json' needs text without variables"), at: text.position)
      }
      do {
        return .value(.constant(try JSONReader.read(Array(literal.utf8))))
      } catch {
        throw ScriptFault(
          ScriptError.syntax("the text is not JSON: \(error.problem) (column \(error.column))"), at: text.position)
      }
    }
    guard words.count == 1 else { return .command(try call(words)) }
    if isLoop, first.isRange { return .range(first) }
    if first.bare == nil { return .value(Self.operand(first)) }
    if case .constant(let value) = Self.operand(first), value.text == nil { return .value(.constant(value)) }
    return .command(try call(words))
  }

  /// Parses a list up to its closing bracket, which the reader has checked.
  private static func list(_ words: inout ArraySlice<ScriptWord>) throws(ScriptFault) -> ScriptExpression {
    words.removeFirst()
    var elements: [ScriptExpression] = []
    while let word = words.first {
      if word.isSymbol("]") {
        words.removeFirst()
        break
      }
      if word.isSymbol("[") {
        elements.append(try list(&words))
      } else {
        elements.append(operand(word))
        words.removeFirst()
      }
    }
    return .list(elements)
  }

  /// Returns the expression of a word: a number, `true`, `false`, `null`, text, or references.
  static func operand(_ word: ScriptWord) -> ScriptExpression {
    guard let text = word.literal else { return .word(word) }
    if word.isQuoted { return .constant(.text(text)) }
    if let integer = Int(text) { return .constant(.integer(integer)) }
    // Not for words such as 'nan', 'inf' and '0x10', which are text.
    if text.utf8.allSatisfy(isOfNumber), let number = Double(text), number.isFinite {
      return .constant(.number(number))
    }
    switch word.bare {
    case "true": return .constant(true)
    case "false": return .constant(false)
    case "null": return .constant(.null)
    default: return .constant(.text(text))
    }
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(byte)
  }

  private func expectation(_ words: [ScriptWord]) throws(ScriptFault) -> ScriptStatement.Kind {
    guard words.count > 1, words[1].bare == "fail" else {
      return .expect(try ScriptConditionParser.condition(words, after: 1))
    }
    var remaining = words[2...]
    var code: String?
    // The first word of a command has no dot, unless it is a file.
    if remaining.count > 1, let text = remaining.first?.bare, text.contains(".") {
      code = text
      remaining.removeFirst()
    }
    guard !remaining.isEmpty else {
      throw ScriptFault(
        ScriptError.syntax("'expect fail' needs a command", advice: "write 'expect fail [CODE] COMMAND'"),
        at: words[0].position)
    }
    return .expectFailure(code: code, try call(remaining))
  }

  /// Returns the values of 'print'.
  ///
  /// - Parameter words: The statement, which begins with its keyword.
  private func printed(_ words: ArraySlice<ScriptWord>) throws(ScriptFault) -> [ScriptExpression] {
    if words.count == 1, let keyword = words.first {
      throw ScriptFault(ScriptError.syntax("'print' needs a value"), at: keyword.position)
    }
    return words.dropFirst().map(Self.operand)
  }

  private func policy(_ words: [ScriptWord]) throws(ScriptFault) -> ScriptStatement.Policy {
    guard words.count > 1 else {
      throw ScriptFault(
        ScriptError.syntax("'on-error' needs 'stop', 'continue', 'print' or a command"), at: words[0].position)
    }
    if words[1].keyword == .print { return .print(try printed(words[1...]), words[1].position) }
    if words.count == 2 {
      switch words[1].bare {
      case "stop": return .stop
      case "continue": return .proceed
      default: break
      }
    }
    return .call(try call(words[1...]))
  }
}

extension ScriptWord {
  /// The keyword that this is; nil for another word.
  fileprivate var keyword: ScriptKeyword? { bare.flatMap(ScriptKeyword.init(rawValue:)) }

  /// A Boolean value indicating whether the word is `FIRST..LAST`, without quotes.
  fileprivate var isRange: Bool {
    if isQuoted { return false }
    return parts.contains { part in
      guard case .text(let text) = part else { return false }
      return zip(text.utf8, text.utf8.dropFirst()).contains { $0 == UInt8(ascii: ".") && $1 == $0 }
    }
  }
}
