import PluginAPI

/// One command whose words are plain text.
struct ScriptCommand: Equatable, Sendable {
  /// The line it begins on, counted from 1.
  var line: Int
  /// The words, with quotes and variables resolved.
  var arguments: [String]
}

/// Reads the lines of a script into the words of its statements.
///
/// `;` and the end of a line end a statement, `#` at the start of a word begins a comment, a `\` at the end of a line
/// joins the next one. `'…'` keeps everything, `"…"` everything but `$` and `\`, `\` keeps the next character; in `"…"`,
/// `\n` is a line feed. `$1`, `${10}`, `$args` and `$#` stand for the arguments, and are never split or looked at again;
/// other names are references to variables.
///
/// Words are separated by blanks; operators of conditions, the `=` of `let`, and brackets and commas of lists also
/// separate words.
struct ScriptReader {
  /// The mark that some editors put in front of UTF-8 text.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let file: String
  private let arguments: [String]
  /// A Boolean value indicating whether missing arguments are ignored, for text that is inspected without running it.
  var ignoresArguments = false
  private var line = 0
  private var bytes: [UInt8] = []
  private var offset = 0
  private var words: [ScriptWord] = []
  private var word: OpenWord?
  private var lines: [ScriptLine] = []
  /// The positions of the brackets of lists that are open.
  private var brackets: [ScriptPosition] = []
  /// A Boolean value indicating whether the last line ended with a backslash.
  private(set) var isContinued = false

  /// A word whose end is not reached.
  private struct OpenWord {
    var word: ScriptWord
    /// The text after the last reference.
    var text: [UInt8] = []
  }

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - file: The file's name, for positions.
  ///   - arguments: The values of `$1` and so on.
  init(file: String, arguments: [String]) {
    self.file = file
    self.arguments = arguments
  }

  /// Returns all commands of a text that may use arguments, but no variables.
  static func commands(of text: String, arguments: [String]) throws(ScriptFault) -> [ScriptCommand] {
    var reader = ScriptReader(file: "text", arguments: arguments)
    var lines: [ScriptLine] = []
    for line in Self.lines(of: Substring(text)) { lines += try reader.read(line) }
    lines += try reader.end()
    var commands: [ScriptCommand] = []
    for line in lines {
      var texts: [String] = []
      for word in line.words {
        guard let literal = word.literal else {
          throw ScriptFault(
            ScriptError.unknownVariable(word.references.first?.name ?? "", known: []), at: word.position)
        }
        texts.append(literal)
      }
      commands.append(ScriptCommand(line: line.position.line, arguments: texts))
    }
    return commands
  }

  /// Returns the reference that a text such as `$x.id` is; nil if it is not one.
  static func reference(_ text: String) -> ScriptReference? {
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "$"), let scan = ReferenceScan.read(bytes, from: 1), scan.end == bytes.count,
      !scan.isBroken
    else { return nil }
    return scan.reference(text)
  }

  /// Returns true if a text can be the name of a variable.
  static func isName(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let scan = ReferenceScan.read(bytes, from: 0) else { return false }
    return scan.end == bytes.count && scan.steps.isEmpty && !scan.isOfArguments
  }

  /// Returns the lines of a text; a carriage return before a line feed stays, which the reader drops.
  static func lines(of text: Substring) -> [Substring] {
    // By bytes: for Swift a carriage return and a line feed together are one character of their own.
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { Substring($0) }
  }

  /// Reads one line, without its line feed.
  ///
  /// - Returns: The statements that end on it.
  mutating func read(_ text: Substring) throws(ScriptFault) -> [ScriptLine] {
    line += 1
    isContinued = false
    bytes = Array(text.utf8)
    offset = line == 1 && bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    if bytes.contains(0) { throw ScriptFault(ScriptError.notText("the line"), at: position) }
    while let byte = next() {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"): try endWord()
      case UInt8(ascii: ";"): try endStatement()
      case UInt8(ascii: "#") where word == nil:
        try endStatement()
        return take()
      case UInt8(ascii: "'"): try readQuoted()
      case UInt8(ascii: "\""): try readDoubleQuoted()
      case UInt8(ascii: "\\"):
        guard let escaped = next() else {
          isContinued = true
          return take()
        }
        add([escaped], at: offset - 1, isQuoted: true)
      case UInt8(ascii: "$"): try readVariable(isQuoted: false)
      case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: "="), UInt8(ascii: "!"),
        UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "("), UInt8(ascii: ")"):
        if !(try readSymbol(byte)) { add([byte], at: offset) }
      default: readRun()
      }
    }
    try endStatement()
    return take()
  }

  /// Ends the script.
  ///
  /// - Returns: A statement whose last line was to be continued.
  mutating func end() throws(ScriptFault) -> [ScriptLine] {
    try endStatement()
    isContinued = false
    return take()
  }

  private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func next() -> UInt8? {
    guard let byte = current else { return nil }
    offset += 1
    return byte
  }

  /// The position of the last byte that was read.
  private var position: ScriptPosition { position(offset) }

  private func position(_ column: Int) -> ScriptPosition {
    ScriptPosition(file: file, line: line, column: max(1, column))
  }

  /// Reads the plain bytes that begin with the last one.
  private mutating func readRun() {
    let start = offset
    while offset < bytes.count, Self.isPlain[Int(bytes[offset])] { offset += 1 }
    add(bytes[(start - 1)..<offset], at: start)
  }

  /// True for the bytes that mean nothing but themselves.
  private static let isPlain: [Bool] = {
    var isPlain = [Bool](repeating: true, count: 256)
    for byte in " \t;#'\"\\$[],=!<>()".utf8 { isPlain[Int(byte)] = false }
    return isPlain
  }()

  private mutating func readQuoted() throws(ScriptFault) {
    guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "'")) else {
      throw ScriptFault(ScriptError.unclosedQuote("'"), at: position)
    }
    add(bytes[offset..<end], at: offset, isQuoted: true)
    offset = end + 1
  }

  private mutating func readDoubleQuoted() throws(ScriptFault) {
    let start = position
    add([UInt8](), at: offset, isQuoted: true)
    while let byte = next() {
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "\\"):
        guard let escaped = next() else { throw ScriptFault(ScriptError.unclosedQuote("\""), at: start) }
        switch escaped {
        case byte, UInt8(ascii: "\""), UInt8(ascii: "$"): add([escaped], at: offset)
        case UInt8(ascii: "n"): add([0x0A], at: offset)
        default: add([byte, escaped], at: offset)
        }
      case UInt8(ascii: "$"): try readVariable(isQuoted: true)
      default: readRun()
      }
    }
    throw ScriptFault(ScriptError.unclosedQuote("\""), at: start)
  }

  /// Adds text to the open word, or begins one at a column.
  private mutating func add(
    _ text: some Collection<UInt8>, at column: Int, isQuoted: Bool = false, isArgument: Bool = false
  ) {
    var open = word ?? OpenWord(word: ScriptWord(position: position(column), parts: []))
    // The array of the word has one owner, so that it grows in place.
    word = nil
    open.text += text
    if isQuoted { open.word.isQuoted = true }
    if isArgument { open.word.hasArgument = true }
    word = open
  }

  private mutating func add(_ reference: ScriptReference, isQuoted: Bool, at column: Int) {
    var open = word ?? OpenWord(word: ScriptWord(position: position(column), parts: []))
    word = nil
    if !open.text.isEmpty { open.word.parts.append(.text(String(decoding: open.text, as: UTF8.self))) }
    open.text = []
    open.word.parts.append(.reference(reference))
    if isQuoted { open.word.isQuoted = true }
    word = open
  }

  private mutating func endWord() throws(ScriptFault) {
    guard var open = word else { return }
    word = nil
    if words.count == ScriptLimits.words {
      throw ScriptFault(
        ScriptError.tooLarge("the statement", limit: "\(ScriptLimits.words) words"), at: open.word.position)
    }
    if !open.text.isEmpty || open.word.parts.isEmpty {
      open.word.parts.append(.text(String(decoding: open.text, as: UTF8.self)))
    }
    words.append(open.word)
  }

  private mutating func endStatement() throws(ScriptFault) {
    try endWord()
    if let bracket = brackets.last { throw ScriptFault(ScriptError.unclosedQuote("["), at: bracket) }
    if !words.isEmpty { lines.append(ScriptLine(words: words)) }
    words = []
  }

  /// Forgets a statement that has begun, after an error.
  mutating func discard() {
    (words, word, lines, brackets, isContinued) = ([], nil, [], [], false)
  }

  private mutating func take() -> [ScriptLine] {
    defer { lines = [] }
    return lines
  }
}

extension ScriptReader {
  /// Reads an operator or bracket, if one is expected here.
  ///
  /// - Returns: False if the byte is part of a word.
  private mutating func readSymbol(_ byte: UInt8) throws(ScriptFault) -> Bool {
    switch byte {
    case UInt8(ascii: "["):
      guard word == nil, !brackets.isEmpty || ScriptSymbols.areBeforeList(words) else { return false }
      if brackets.count == ScriptLimits.nesting {
        throw ScriptFault(ScriptError.nesting(limit: ScriptLimits.nesting), at: position)
      }
      brackets.append(position)
      try addSymbol("[")
    case UInt8(ascii: "]"):
      if brackets.isEmpty { return false }
      try addSymbol("]")
      brackets.removeLast()
    case UInt8(ascii: ","):
      if brackets.isEmpty { return false }
      try endWord()
    case UInt8(ascii: "=") where ScriptSymbols.areBeforeAssignment(words, isInWord: word != nil): try addSymbol("=")
    default:
      guard ScriptSymbols.areInCondition(words) else { return false }
      let isComparison = byte != UInt8(ascii: "(") && byte != UInt8(ascii: ")")
      let hasEqual = isComparison && current == UInt8(ascii: "=")
      if !hasEqual, byte == UInt8(ascii: "=") || byte == UInt8(ascii: "!") { return false }
      try addSymbol(String(Character(Unicode.Scalar(byte))) + (hasEqual ? "=" : ""))
      if hasEqual { offset += 1 }
    }
    return true
  }

  private mutating func addSymbol(_ text: String) throws(ScriptFault) {
    try endWord()
    words.append(ScriptWord(position: position, parts: [.text(text)], isSymbol: true))
  }
}

extension ScriptReader {
  private mutating func readVariable(isQuoted: Bool) throws(ScriptFault) {
    let column = offset
    if current == UInt8(ascii: "{") {
      guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "}")) else {
        throw ScriptFault(ScriptError.unclosedQuote("{"), at: position(column))
      }
      let text = Array(bytes[(offset + 1)..<end])
      offset = end + 1
      let name = String(decoding: text, as: UTF8.self)
      if name == "#" || name == "args" || text.allSatisfy(Self.isDigit) {
        return try addArgument(name, isQuoted: isQuoted, at: column)
      }
      let scan = ReferenceScan.read(text, from: 0)
      guard let scan, scan.end == text.count, !scan.isBroken else {
        throw ScriptFault(ScriptError.badReference("${\(name)}"), at: position(column))
      }
      add(scan.reference("${\(name)}"), isQuoted: isQuoted, at: column)
    } else if let byte = current, byte == UInt8(ascii: "#") || Self.isDigit(byte) {
      offset += 1
      try addArgument(String(Character(Unicode.Scalar(byte))), isQuoted: isQuoted, at: column)
    } else if let scan = ReferenceScan.read(bytes, from: offset) {
      if scan.isOfArguments {
        offset += 4
        return try addArgument("args", isQuoted: isQuoted, at: column)
      }
      let text = "$" + String(decoding: bytes[offset..<scan.end], as: UTF8.self)
      offset = scan.end
      if scan.isBroken { throw ScriptFault(ScriptError.badReference(text + "["), at: position(column)) }
      add(scan.reference(text), isQuoted: isQuoted, at: column)
    } else {
      add([UInt8(ascii: "$")], at: column)
    }
  }

  private mutating func addArgument(_ name: String, isQuoted: Bool, at column: Int) throws(ScriptFault) {
    // Other programs pass arguments too; NUL marks the words of values.
    if arguments.contains(where: { $0.utf8.contains(0) }) {
      throw ScriptFault(ScriptError.notText("an argument"), at: position(column))
    }
    switch name {
    case "#": add("\(arguments.count)".utf8, at: column, isArgument: true)
    case "args" where isQuoted: add(arguments.joined(separator: " ").utf8, at: column, isArgument: true)
    case "args":
      for (index, argument) in arguments.enumerated() {
        if index > 0 { try endWord() }
        add(argument.utf8, at: column, isArgument: true)
      }
    default:
      guard let number = Int(name), number > 0 else {
        throw ScriptFault(ScriptError.unknownVariable(name, known: []), at: position(column))
      }
      if ignoresArguments { return add("0".utf8, at: column, isArgument: true) }
      guard number <= arguments.count else {
        throw ScriptFault(ScriptError.missingArgument(number, given: arguments.count), at: position(column))
      }
      add(arguments[number - 1].utf8, at: column, isArgument: true)
    }
  }

  fileprivate static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

/// A reference found in the bytes of a line.
private struct ReferenceScan {
  var name = ""
  var steps: [ScriptReference.Step] = []
  /// The offset after it.
  var end: Int
  /// True if a `[` follows that does not begin an index.
  var isBroken = false

  /// True for `args`, also if a digit follows, which does not belong to that name.
  var isOfArguments: Bool {
    let name = Array(name.utf8)
    return name.starts(with: "args".utf8) && (name.count == 4 || ScriptReader.isDigit(name[4]))
  }

  func reference(_ text: String) -> ScriptReference { ScriptReference(name: name, steps: steps, text: text) }

  /// Returns the reference at an offset; nil if no name is there.
  static func read(_ bytes: [UInt8], from start: Int) -> ReferenceScan? {
    var scan = ReferenceScan(end: start)
    guard let name = scan.readName(bytes) else { return nil }
    scan.name = name
    while scan.end < bytes.count, scan.steps.count < Value.maximumDepth {
      if bytes[scan.end] == UInt8(ascii: ".") {
        scan.end += 1
        guard let field = scan.readName(bytes) else {
          scan.end -= 1
          break
        }
        scan.steps.append(.field(field))
      } else if bytes[scan.end] == UInt8(ascii: "[") {
        guard scan.readIndex(bytes) else {
          scan.isBroken = true
          break
        }
      } else {
        break
      }
    }
    return scan
  }

  /// Reads a name: letters, digits and underscores, no digit first.
  private mutating func readName(_ bytes: [UInt8]) -> String? {
    let start = end
    while end < bytes.count {
      let byte = bytes[end]
      if byte >= 0x80 {
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        let text = String(decoding: bytes[end..<min(end + length, bytes.count)], as: UTF8.self)
        guard text.unicodeScalars.first?.properties.isAlphabetic == true else { break }
        end += length
      } else {
        let isLetter =
          byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        guard isLetter || end > start && ScriptReader.isDigit(byte) else { break }
        end += 1
      }
    }
    return end > start ? String(decoding: bytes[start..<end], as: UTF8.self) : nil
  }

  /// Reads `[0]`, `[-1]`, `['name']` or `["name"]`.
  private mutating func readIndex(_ bytes: [UInt8]) -> Bool {
    let start = end + 1
    guard start < bytes.count else { return false }
    let quote = bytes[start]
    if quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
      guard let close = bytes[(start + 1)...].firstIndex(of: quote), close + 1 < bytes.count,
        bytes[close + 1] == UInt8(ascii: "]")
      else { return false }
      steps.append(.field(String(decoding: bytes[(start + 1)..<close], as: UTF8.self)))
      end = close + 2
      return true
    }
    guard let close = bytes[start...].firstIndex(of: UInt8(ascii: "]")),
      let index = Int(String(decoding: bytes[start..<close], as: UTF8.self))
    else { return false }
    steps.append(.index(index))
    end = close + 1
    return true
  }
}
