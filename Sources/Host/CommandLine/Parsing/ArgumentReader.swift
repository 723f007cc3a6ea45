import PluginAPI

/// Parses the words after a command's name: its arguments and options, and global options.
struct ArgumentReader {
  let entry: CommandEntry
  /// The global options, with those of the line.
  var options: GlobalOptions
  private let spliced: SplicedValues
  private var values = Record()

  /// Creates a reader.
  ///
  /// - Parameter spliced: The values that words stand for.
  init(entry: CommandEntry, options: GlobalOptions, spliced: SplicedValues = .none) {
    self.entry = entry
    self.options = options
    self.spliced = spliced
  }

  /// Parses the words.
  ///
  /// - Parameters:
  ///   - first: Words already known to be arguments.
  ///   - arguments: The remaining arguments of the line.
  /// - Returns: Values by name; defaults are left out.
  mutating func read(_ first: [String], _ arguments: ArraySlice<String>) throws(CommandLineError) -> Record {
    var positional = first
    var remaining = arguments
    while let word = remaining.popFirst() {
      if word == "--" {
        positional += remaining
        break
      }
      if let option = OptionWord(word) {
        try take(option, from: &remaining)
      } else {
        positional.append(word)
      }
    }
    try assign(positional)
    for option in GlobalOption.all where options.given.contains(option.name) { try checkPicture(option) }
    if entry.declaration.givesPicture { try checkPictureFile() }
    return values
  }

  private mutating func take(_ word: OptionWord, from remaining: inout ArraySlice<String>) throws(CommandLineError) {
    guard word.isLong else { throw unknown(word) }
    if let own = entry.declaration.options.first(where: { $0.name == word.name }) {
      // The search for global options, which does not know commands, mistook it and the next word for one.
      if word.name == "record" { options.recordFile = nil }
      try take(own, word, from: &remaining)
    } else if let global = GlobalOption.named(word.name) {
      // Before its value, which may be meant otherwise: most commands that write a file have no picture.
      try checkPicture(global)
      try global.take(word, from: &remaining, to: &options, spliced: spliced)
    } else {
      throw unknown(word)
    }
  }

  private mutating func take(
    _ parameter: Parameter, _ word: OptionWord, from remaining: inout ArraySlice<String>
  ) throws(CommandLineError) {
    if parameter.kind == .flag, word.value == nil {
      values[parameter.name] = true
      return
    }
    let text: String
    if let value = word.value {
      text = value
    } else {
      guard let next = remaining.first, OptionWord(next)?.isLong != true else {
        throw .missingValue(option: word.text, expectation: parameter.expectation)
      }
      text = next
      remaining.removeFirst()
    }
    let given = try spliced.values(text, for: parameter)
    values[parameter.name] =
      parameter.isRepeatable ? .list((values[parameter.name]?.list ?? []) + given) : given.first ?? .null
  }

  /// Assigns the words to the declared arguments in order; a repeatable one leaves enough for those after it.
  private mutating func assign(_ arguments: [String]) throws(CommandLineError) {
    let parameters = entry.declaration.arguments
    var remaining = arguments[...]
    for (index, parameter) in parameters.enumerated() {
      let neededLater = parameters[(index + 1)...].count(where: \.isRequired)
      if parameter.isRepeatable {
        let mine = remaining.prefix(max(parameter.isRequired ? 1 : 0, remaining.count - neededLater))
        var list: [Value] = []
        for word in mine { list += try spliced.values(word, for: parameter) }
        if !list.isEmpty { values[parameter.name] = .list(list) }
        remaining = remaining.dropFirst(mine.count)
      } else if !remaining.isEmpty, parameter.isRequired || remaining.count > neededLater {
        values[parameter.name] = try spliced.values(remaining.removeFirst(), for: parameter).first
      }
      if parameter.isRequired, values[parameter.name] == nil {
        throw .missingArgument(
          parameter.name.uppercased(), command: entry.words, expectation: parameter.expectation)
      }
    }
    if let extra = remaining.first { throw .extraArgument(extra, command: entry.words, limit: parameters.count) }
  }

  private func checkPicture(_ option: GlobalOption) throws(CommandLineError) {
    if option.scope == .result { return }
    if option.scope != .picture || entry.declaration.givesPicture { return }
    if entry.pictureOptions.contains(where: { $0.name == option.name }) { return }
    throw .notAPicture(option: "--" + option.name, command: entry.words)
  }

  private func checkPictureFile() throws(CommandLineError) {
    guard let file = options.outputFile, file != "-", !file.lowercased().hasSuffix(".png") else { return }
    throw .malformed(file, option: "output", expectation: "a file name that ends in .png, or -")
  }

  private func unknown(_ word: OptionWord) -> CommandLineError {
    let global = (GlobalOption.all.filter { $0.scope != .picture } + entry.pictureOptions).map(\.name)
    let known = entry.declaration.options.map(\.name) + global + ["help"]
    return .unknownOption(word.text, command: entry.words, known: known.map { "--" + $0 })
  }
}
