import PluginAPI

/// The declarations at the head of a script: its summary, arguments and options.
///
/// ```
/// summary "Survey chains of a structure"
/// argument structure document "Structure to examine" required
/// option cutoff number 5.0 "Distance" unit angstrom
/// flag verbose "Print every contact"
/// ```
struct ScriptHead: Equatable {
  /// The bytes at the start of a file in which the head is.
  private static let limit = 1 << 16
  /// The names of options that a script cannot have.
  private static let reserved = ["help", "keep-going", "show", "pace"]

  private(set) var summary = ""
  private(set) var arguments: [Parameter] = []
  private(set) var options: [Parameter] = []

  /// Returns the variable that has the value of an argument or option: `min_length` for `min-length`.
  static func variable(_ parameter: String) -> String {
    String(decoding: parameter.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
  }

  /// Reads the head of a file.
  ///
  /// - Returns: The head; nil if the file declares nothing.
  /// - Throws: ``ScriptFault``, ``HostFileError`` for anything but a regular file.
  static func read(_ file: String) throws -> ScriptHead? {
    let bytes = try HostFile.start(of: file, count: limit)
    let isCut = bytes.count == limit
    let whole = isCut ? bytes[..<(bytes.lastIndex(of: 0x0A) ?? 0)] : bytes[...]
    return try read(String(decoding: whole, as: UTF8.self), file: file)
  }

  /// Reads the head of a text.
  static func read(_ text: String, file: String) throws(ScriptFault) -> ScriptHead? {
    var head: ScriptHead?
    var reader = ScriptReader(file: file, arguments: [])
    reader.ignoresArguments = true
    for text in ScriptReader.lines(of: Substring(text)) {
      for line in try reader.read(text) {
        guard let keyword = line.words[0].bare.flatMap(Keyword.init(rawValue:)) else { return head }
        head = head ?? ScriptHead()
        try head?.add(line.words, keyword)
      }
    }
    return head
  }

  private enum Keyword: String {
    case summary, argument, option, flag
  }

  private mutating func add(_ words: [ScriptWord], _ keyword: Keyword) throws(ScriptFault) {
    if let variable = words.first(where: { $0.literal == nil || $0.hasArgument }) {
      throw ScriptFault(ScriptError.declaration("declarations have no variables"), at: variable.position)
    }
    switch keyword {
    case .summary:
      guard words.count == 2 else {
        throw ScriptFault(
          ScriptError.declaration("'summary' needs one text", advice: "write: summary \"…\""), at: words[0].position)
      }
      summary = words[1].source
    case .flag:
      guard words.count == 3 else {
        throw ScriptFault(
          ScriptError.declaration("'flag' needs a name and a summary", advice: "write: flag NAME \"…\""),
          at: words[0].position)
      }
      try add(Parameter(words[1].source, .flag, words[2].source), at: words[1].position, isOption: true)
    case .argument: try add(try parameter(words, isOption: false), at: words[1].position, isOption: false)
    case .option: try add(try parameter(words, isOption: true), at: words[1].position, isOption: true)
    }
  }

  private mutating func add(_ parameter: Parameter, at position: ScriptPosition, isOption: Bool) throws(ScriptFault) {
    let name = parameter.name
    let bytes = Array(name.utf8)
    let isName =
      bytes.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } == true
      && bytes.allSatisfy { byte in
        byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
    guard isName, ScriptReader.isName(Self.variable(name)) else {
      throw ScriptFault(
        ScriptError.declaration("'\(name)' is not a name for an argument or option", advice: "use a-z, 0-9 and '-'"),
        at: position)
    }
    let isTaken = GlobalOption.all.contains { $0.name == name && $0.scope != .picture && $0.scope != .result }
    if Self.reserved.contains(name) || isOption && isTaken {
      throw ScriptFault(
        ScriptError.declaration("'--\(name)' is an option of every script", advice: "choose another name"), at: position
      )
    }
    if (arguments + options).contains(where: { $0.name == name }) {
      throw ScriptFault(ScriptError.declaration("'\(name)' is declared twice"), at: position)
    }
    if isOption { options.append(parameter) } else { arguments.append(parameter) }
  }

  /// Parses `NAME KIND [DEFAULT] "SUMMARY" [required] [repeatable] [unit UNIT]`.
  private func parameter(_ words: [ScriptWord], isOption: Bool) throws(ScriptFault) -> Parameter {
    var remaining = words.dropFirst()
    var (isRequired, isRepeatable, unit) = (false, false, String?.none)
    while remaining.count > 3, let last = remaining.last {
      if last.bare == "required" {
        isRequired = true
        remaining.removeLast()
      } else if last.bare == "repeatable" {
        isRepeatable = true
        remaining.removeLast()
      } else if remaining[remaining.endIndex - 2].bare == "unit", remaining.count > 4 {
        unit = last.source
        remaining.removeLast(2)
      } else {
        break
      }
    }
    guard (3...4).contains(remaining.count), !(isRequired && remaining.count == 4) else {
      let keyword = words[0].source
      throw ScriptFault(
        ScriptError.declaration(
          "'\(keyword)' is incomplete or has too many words",
          advice: "write: \(keyword) NAME KIND [DEFAULT] \"SUMMARY\" [required] [repeatable] [unit UNIT]"),
        at: words[0].position)
    }
    let texts = remaining.map(\.source)
    var parameter = Parameter(
      texts[0], try kind(remaining[remaining.startIndex + 1]), texts[texts.count - 1], unit: unit,
      isRequired: isRequired,
      isRepeatable: isRepeatable)
    guard texts.count == 4 else { return parameter }
    do {
      let value = try parameter.value(parsing: texts[2])
      parameter.defaultValue = isRepeatable ? .list([value]) : value
    } catch {
      throw ScriptFault(ScriptError.declaration(error.description), at: remaining[remaining.startIndex + 2].position)
    }
    return parameter
  }

  /// Returns the kind that a word names: a word of the table below, or choices such as `fast|exact`.
  private func kind(_ word: ScriptWord) throws(ScriptFault) -> Parameter.Kind {
    let name = word.source
    if let kind = Self.kinds[name] { return kind }
    let choices = name.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard choices.count > 1, !choices.contains("") else {
      throw ScriptFault(
        ScriptError.declaration(
          "'\(name)' is not a kind of value",
          advice: "kinds are \(Self.kinds.keys.sorted().joined(separator: ", ")), and choices such as fast|exact"),
        at: word.position)
    }
    return .choice(choices)
  }

  private static let kinds: [String: Parameter.Kind] = [
    "text": .text, "integer": .integer(minimum: .min, maximum: .max),
    "number": .number(minimum: -.greatestFiniteMagnitude, maximum: .greatestFiniteMagnitude),
    "file": .inputFile(extensions: []), "output-file": .outputFile, "folder": .folder,
    "document": .document(extensions: []), "url": .url, "date": .date,
  ]
}
