import PluginAPI

/// All commands: the host's own and those of the plugins.
@MainActor struct CommandTable {
  /// The host's commands, in the order help shows them.
  let hostCommands: [HostCommand]
  /// The plugins; asked only when a line is not about the host's own commands.
  let plugins: PluginHost
  /// Returns the command `script FILE` for a file that declares arguments or options of its own.
  var script: (@MainActor (_ file: String) -> CommandEntry?)?
  /// The names of the host's commands, in their order: scripts and batch runs look them up for each line.
  private let hostNames: [String]

  init(hostCommands: [HostCommand], plugins: PluginHost) {
    (self.hostCommands, self.plugins) = (hostCommands, plugins)
    hostNames = hostCommands.map(\.declaration.name)
  }

  /// Returns the command with exactly these words.
  func entry(_ arguments: [String]) -> CommandEntry? {
    guard let first = arguments.first else { return nil }
    if let file = Self.scriptFile(arguments) { return script?(file) }
    let name = arguments.joined(separator: " ")
    if let index = hostNames.firstIndex(of: name) {
      let command = hostCommands[index]
      return CommandEntry(owner: .host(command), declaration: command.declaration)
    }
    if arguments.count < 2 || isHostWord(first) { return nil }
    let remaining = arguments.dropFirst().joined(separator: " ")
    return plugins.contributions(of: first)?.command(remaining)
      .map { CommandEntry(owner: .plugin(first), declaration: $0) }
  }

  /// Returns true if the words are a command or the beginning of one.
  func isBeginning(_ arguments: [String]) -> Bool {
    guard let first = arguments.first else { return true }
    if let file = Self.scriptFile(arguments) { return script?(file) != nil }
    if isHostWord(first) {
      return hostNames.contains { Self.begins($0, with: arguments) }
    }
    guard let contributions = plugins.contributions(of: first) else { return false }
    let remaining = Array(arguments.dropFirst())
    return remaining.isEmpty || contributions.commandNames.contains { Self.begins($0, with: remaining) }
  }

  /// Returns the words that can follow these, without repetition, in the order of help.
  func continuations(of arguments: [String]) -> [String] {
    let names: [[Substring]]
    if let first = arguments.first, !isHostWord(first) {
      let commands = plugins.contributions(of: first)?.commandNames ?? []
      let remaining = Array(arguments.dropFirst())
      names = commands.filter { Self.begins($0, with: remaining) }
        .map { Array($0.split(separator: " ").dropFirst(remaining.count)) }
    } else {
      names = hostCommands.filter { !$0.isHidden && Self.begins($0.declaration.name, with: arguments) }
        .map { Array($0.declaration.name.split(separator: " ").dropFirst(arguments.count)) }
    }
    var seen: Set<Substring> = []
    return names.compactMap(\.first).filter { seen.insert($0).inserted }.map(String.init)
  }

  /// Returns true if any of the host's own commands begins with a word.
  func isHostWord(_ word: String) -> Bool {
    hostNames.contains { Self.begins($0, with: [word]) }
  }

  /// The possible first words: those of the host's commands, then the plugins' ids.
  var firstWords: [String] {
    continuations(of: []) + plugins.contributions.map(\.plugin.id)
  }

  /// Returns the file that follows the command `script`; nil for other words.
  private static func scriptFile(_ arguments: [String]) -> String? {
    arguments.count == 2 && arguments[0] == "script" && arguments[1] != "-" ? arguments[1] : nil
  }

  private static func begins(_ name: String, with arguments: [String]) -> Bool {
    var remaining = name.utf8[...]
    for word in arguments {
      guard !word.isEmpty, remaining.starts(with: word.utf8), !word.utf8.contains(UInt8(ascii: " ")) else {
        return false
      }
      remaining = remaining.dropFirst(word.utf8.count)
      guard remaining.popFirst().map({ $0 == UInt8(ascii: " ") }) ?? true else { return false }
    }
    return true
  }
}

/// A command on the command line: its owner and description.
struct CommandEntry: Sendable {
  /// The owner of a command.
  enum Owner: Sendable {
    case host(HostCommand)
    case plugin(String)
  }

  let owner: Owner
  let declaration: CommandDescription

  /// The words of the command: `config get`, `molecules measure distance`.
  var words: String {
    switch owner {
    case .host: declaration.name
    case .plugin(let id): id + " " + declaration.name
    }
  }

  /// A Boolean value indicating whether it shows screens, which can show pictures in several ways.
  var showsScreens: Bool {
    if case .host = owner { ["run", "open"].contains(declaration.name) } else { false }
  }

  /// The options for pictures that the host adds because the command declares none of that name.
  var pictureOptions: [GlobalOption] {
    let own = Set(declaration.options.map(\.name))
    return GlobalOption.all.filter {
      !own.contains($0.name)
        && (declaration.givesPicture && [.picture, .result].contains($0.scope)
          || showsScreens && $0.name == "graphics")
    }
  }
}
