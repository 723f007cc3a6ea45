import PluginAPI

/// The commands that programs can call, for all clients of a server.
@MainActor final class ServedCommands {
  private let interpreter: CommandInterpreter
  private let options: GlobalOptions
  /// A Boolean value indicating whether commands that change something are refused.
  let isReadOnly: Bool
  /// The limits of each client.
  let limits: ServeLimits
  /// The entries found so far; a search goes through all commands of a plugin.
  private var known: [String: CommandEntry] = [:]
  /// The description of all commands; nil until it is requested.
  private var description: [UInt8]?

  /// The longest name of a method in bytes.
  private static let longestMethod = 256
  /// The first words of commands that need a terminal, run others or run until they are interrupted.
  private static let notServed: Set<String> = ["run", "open", "script", "exec", "shell", "serve"]
  /// The methods of such commands that have several words.
  private static let notServedMethods: Set<String> = ["plugin.dev"]

  /// Creates the commands of an interpreter.
  init(_ interpreter: CommandInterpreter, isReadOnly: Bool, limits: ServeLimits) {
    (self.interpreter, self.isReadOnly, self.limits) = (interpreter, isReadOnly, limits)
    var options = interpreter.options
    options.format = .json
    options.noInput = true
    self.options = options
  }

  var session: HostSession { interpreter.session }
  var pictures: PictureResult { interpreter.pictures }

  /// Returns the command that a method names.
  ///
  /// - Throws: ``MethodError``; ``ErrorReport`` of a plugin that cannot be used.
  func entry(_ method: String) throws -> CommandEntry {
    let entry = try known[method] ?? find(method)
    guard Self.isServed(entry) else { throw MethodError.notServed(entry.method) }
    if isReadOnly, entry.changesSomething { throw ServeError.readOnly(entry.method) }
    return entry
  }

  private func find(_ method: String) throws -> CommandEntry {
    guard method.utf8.count <= Self.longestMethod else { throw MethodError.unknown(method, known: []) }
    guard let entry = interpreter.table.entry(method: method) else {
      let word = String(method.prefix { $0 != "." })
      if !interpreter.table.isHostWord(word), let error = session.plugins.catalog.plugin(word)?.error { throw error }
      let methods = interpreter.table.entries(beginningWith: word).map(\.method)
      throw MethodError.unknown(method, known: methods.isEmpty ? interpreter.table.firstWords : methods)
    }
    known[method] = entry
    return entry
  }

  private static func isServed(_ entry: CommandEntry) -> Bool {
    guard case .host(let command) = entry.owner else { return true }
    return !command.writesOutput && !notServed.contains(String(entry.words.prefix { $0 != " " }))
      && !notServedMethods.contains(entry.method)
  }

  /// Returns the commands that programs can call.
  ///
  /// - Parameter word: A plugin's id or the first word of commands of the host; nil for all.
  func entries(beginningWith word: String?) -> [CommandEntry] {
    let entries = word.map(interpreter.table.entries(beginningWith:)) ?? interpreter.table.entries
    return entries.filter { Self.isServed($0) && !(isReadOnly && $0.changesSomething) }
  }

  /// Returns a description of the commands that programs can call; that of all commands is made once.
  ///
  /// - Parameters:
  ///   - word: A plugin's id or the first word of commands of the host; nil for all.
  ///   - describe: Makes the description.
  func description(beginningWith word: String?, _ describe: ([CommandEntry]) -> [UInt8]) -> [UInt8] {
    if word == nil, let description { return description }
    let made = describe(entries(beginningWith: word))
    if word == nil { description = made }
    return made
  }

  /// Runs a command.
  ///
  /// - Parameters:
  ///   - arguments: Arguments and options by name.
  ///   - size: The size of a picture in pixels; nil to let the command choose.
  func run(_ entry: CommandEntry, _ arguments: Record, size: Size?, output: any CommandOutput) async throws {
    try Self.checkFiles(arguments, of: entry.declaration)
    try RawFileNames.check(arguments, of: entry.declaration, options)
    var options = options
    options.picture.size = size
    defer {
      // It may have installed or removed a plugin.
      if case .host = entry.owner, entry.changesSomething { (known, description) = ([:], nil) }
    }
    try await interpreter.call(entry, arguments, options: options, output: output)
  }

  /// Refuses standard streams as files: they carry messages.
  private static func checkFiles(_ arguments: Record, of declaration: CommandDescription) throws(ErrorReport) {
    for parameter in declaration.arguments + declaration.options where parameter.namesFile {
      guard let value = arguments[parameter.name] else { continue }
      for path in (value.list ?? [value]).compactMap(\.text)
      where InputSpool.isStandardInput(path) || StandardOutput.isNamed(path) {
        throw ServeError.standardStream(parameter: parameter.name, path)
      }
    }
  }
}

// MARK: - Arguments

extension ServedCommands {
  /// Returns arguments by name.
  ///
  /// - Parameters:
  ///   - positional: Values by position.
  ///   - named: Values by name, with dashes or underscores.
  static func arguments(
    of entry: CommandEntry, positional: [Value] = [], named: Record = Record()
  ) throws -> Record {
    var arguments = try assign(positional, entry)
    let names = Set((entry.declaration.arguments + entry.declaration.options).map(\.name))
    for field in named.fields {
      let dashed = String(
        decoding: field.name.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
      let name = names.contains(field.name) ? field.name : dashed
      guard arguments[name] == nil else {
        throw ServeError.badParameters(method: entry.method, "'\(name)' is given twice")
      }
      arguments[name] = field.value
    }
    return arguments
  }

  /// Assigns values to the declared arguments in order; a repeatable one leaves enough for those after it.
  private static func assign(_ values: [Value], _ entry: CommandEntry) throws -> Record {
    let parameters = entry.declaration.arguments
    var arguments = Record()
    var remaining = values[...]
    for (index, parameter) in parameters.enumerated() {
      let neededLater = parameters[(index + 1)...].count(where: \.isRequired)
      if parameter.isRepeatable {
        // One list may stand for all of them.
        if let list = remaining.first?.list, remaining.count == 1, neededLater == 0, !parameter.takesLists {
          arguments[parameter.name] = .list(list)
          remaining = []
          continue
        }
        let own = remaining.prefix(max(0, remaining.count - neededLater))
        if !own.isEmpty { arguments[parameter.name] = .list(Array(own)) }
        remaining = remaining.dropFirst(own.count)
      } else if !remaining.isEmpty, parameter.isRequired || remaining.count > neededLater {
        arguments[parameter.name] = remaining.removeFirst()
      }
    }
    if let extra = remaining.first {
      throw CommandLineError.extraArgument(extra.shortText, command: entry.words, limit: parameters.count)
    }
    return arguments
  }
}

extension CommandEntry {
  /// A Boolean value indicating whether the command changes or deletes something, by its declaration.
  var changesSomething: Bool { declaration.changesSomething }
}

extension CommandDescription {
  /// A Boolean value indicating whether a parameter names a file that the command writes, or a folder.
  var namesOutput: Bool {
    (arguments + options).contains { parameter in
      switch parameter.kind {
      case .outputFile, .folder: true
      case .inputFile, .document, .flag, .text, .integer, .number, .choice, .numbers, .url, .date: false
      @unknown default: false
      }
    }
  }
}

extension Parameter {
  /// A Boolean value indicating whether values are, or may be, paths of files or folders.
  var namesFile: Bool {
    switch kind {
    case .inputFile, .document, .outputFile, .folder: true
    case .flag, .text, .integer, .number, .choice, .numbers, .url, .date: false
    @unknown default: false
    }
  }

  /// A Boolean value indicating whether a single value is a list.
  fileprivate var takesLists: Bool { if case .numbers = kind { true } else { false } }
}
