import PluginAPI

/// Parses the words of a command line into a command with typed arguments.
///
/// A file in place of the command, or `-`, is opened, as by `open`, unless a command or plugin has its name. Options
/// may come before, between and after the words of the command; `--` ends them. After a command's name its own options
/// take precedence over global ones of the same name.
@MainActor struct LineParser {
  let table: CommandTable
  /// The values that words stand for.
  var spliced = SplicedValues.none

  /// Parses a line.
  ///
  /// - Parameters:
  ///   - commandLine: The arguments after `workbench`.
  ///   - defaults: The default global options.
  /// - Throws: ``CommandLineError``.
  func parse(_ commandLine: [String], defaults: GlobalOptions = GlobalOptions()) throws -> ParsedLine {
    var options = defaults
    var remaining = commandLine[...]
    let wantsHelp = commandLine.prefix { $0 != "--" }.contains { OptionWord($0)?.isHelp ?? false }
    var name = try takeName(from: &remaining, options: &options)
    if wantsHelp { return ParsedLine(request: .help(name), options: options) }
    if remaining.first == "help", !name.isEmpty, table.entry(name) == nil {
      // 'molecules help render' as well as 'help molecules render'.
      return ParsedLine(request: .help(name + remaining.dropFirst()), options: options)
    }
    if name.isEmpty {
      if let word = remaining.first, OptionWord(word) == nil, word != "--" {
        let error = unknownFirstWord(word)
        // The error of a plugin that cannot be used comes before a file of its name.
        guard error is CommandLineError, word == "-" || HostFile.isDocument(word) else { throw error }
        name = ["open"]
      } else {
        name = ["run"]
      }
    }
    var entry = table.entry(name)
    var arguments: [String] = []
    let full = name
    while entry == nil, name.count > 1 {
      arguments.insert(name.removeLast(), at: 0)
      entry = table.entry(name)
    }
    guard let entry else { throw unfinished(full, next: remaining.first) }
    var reader = ArgumentReader(entry: entry, options: options, spliced: spliced)
    let record = try reader.read(arguments, remaining)
    return ParsedLine(request: .run(entry, record), options: reader.options)
  }

  /// Consumes the words of the command's name, and the global options before and between them.
  private func takeName(from remaining: inout ArraySlice<String>, options: inout GlobalOptions) throws -> [String] {
    var name: [String] = []
    while let word = remaining.first, word != "--" {
      if let option = OptionWord(word) {
        if option.isHelp {
          remaining.removeFirst()
          continue
        }
        let isOwn = table.entry(name)?.declaration.options.contains { $0.name == option.name } ?? false
        guard option.isLong, !isOwn, let global = GlobalOption.named(option.name) else {
          if name.isEmpty, !isRunOption(option) { throw unknownOption(option) }
          break
        }
        remaining.removeFirst()
        try global.take(option, from: &remaining, to: &options, spliced: spliced)
      } else if table.isBeginning(name + [word]) {
        name.append(word)
        remaining.removeFirst()
      } else {
        break
      }
    }
    return name
  }

  /// Returns true for an option of `run`, which is the default command of a line.
  private func isRunOption(_ option: OptionWord) -> Bool {
    table.entry(["run"])?.declaration.options.contains { $0.name == option.name && option.isLong } ?? false
  }

  private func unknownOption(_ option: OptionWord) -> CommandLineError {
    .unknownOption(option.text, command: nil, known: GlobalOption.all.map { "--" + $0.name } + ["--help"])
  }

  private func unknownFirstWord(_ word: String) -> any Error {
    do {
      _ = try table.plugins.activated(word)
    } catch PluginHostError.unknownPlugin {
      // Not known at all: the line is wrong, rather than a plugin.
    } catch {
      return error
    }
    return CommandLineError.unknownWord(word, known: table.firstWords)
  }

  private func unfinished(_ name: [String], next: String?) -> CommandLineError {
    let prefix = name.joined(separator: " ")
    let known = table.continuations(of: name)
    if let next, OptionWord(next) == nil, next != "--" { return .unknownCommand(next, after: prefix, known: known) }
    let contributions = name.count == 1 && !table.isHostWord(prefix) ? table.plugins.contributions(of: prefix) : nil
    return .unfinishedCommand(prefix, known: known, hasScreen: contributions?.screens.isEmpty == false)
  }
}

extension GlobalOption {
  /// Applies the option, consuming its value from the words after it if it needs one.
  func take(
    _ word: OptionWord, from remaining: inout ArraySlice<String>, to options: inout GlobalOptions,
    spliced: SplicedValues = .none
  ) throws(CommandLineError) {
    var text = word.value
    if text == nil, parameter.kind != .flag {
      guard let next = remaining.first, OptionWord(next)?.isLong != true else {
        throw .missingValue(option: word.text, expectation: parameter.expectation)
      }
      remaining.removeFirst()
      text = next
    }
    if let word = text {
      text = spliced.text(word)
      if text == nil {
        // The value exists only when the script runs.
        options.given.insert(name)
        return
      }
    }
    try apply(text, to: &options)
  }

  /// Returns the global options anywhere in a line, as far as they can be recognized before its command is known.
  ///
  /// Unknown options are skipped: the real parse reports them. Options of pictures and results are left to it: nothing
  /// needs them earlier, and a command may have options of the same names.
  static func scan(_ arguments: [String], over defaults: GlobalOptions = GlobalOptions()) -> GlobalOptions {
    var options = defaults
    var remaining = arguments[...]
    while let word = remaining.popFirst(), word != "--" {
      guard let option = OptionWord(word), option.isLong, let global = named(option.name),
        global.scope != .picture, global.scope != .result
      else { continue }
      let before = options
      do {
        try global.take(option, from: &remaining, to: &options)
      } catch {
        options = before
      }
    }
    return options
  }
}

/// A word of a command line that names an option: `--name`, `--name=value` or `-h`.
struct OptionWord {
  /// As written, without the value.
  let text: String
  /// The name without dashes.
  let name: String
  /// The text after the first `=`.
  let value: String?

  /// Parses a word.
  ///
  /// - Returns: nil if it is not an option: a plain word, `-` alone (standard input) or a negative number.
  init?(_ word: String) {
    guard word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 else { return nil }
    let second = word.utf8[word.utf8.index(after: word.utf8.startIndex)]
    if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second) || second == UInt8(ascii: ".") { return nil }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    text = String(parts[0])
    name = String(text.drop { $0 == "-" })
    value = parts.count == 2 ? String(parts[1]) : nil
  }

  var isHelp: Bool { text == "-h" || text == "--help" }

  var isLong: Bool { text.hasPrefix("--") }
}

/// A command line that was understood.
struct ParsedLine: Sendable {
  /// The request of the line.
  enum Request: Sendable {
    /// To run a command with these arguments.
    case run(CommandEntry, Record)
    /// Help about these words of a command's name; none for the overview.
    case help([String])
  }

  var request: Request
  var options: GlobalOptions
}
