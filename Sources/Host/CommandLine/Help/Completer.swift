import PluginAPI

/// Finds what can follow on a command line that is being typed.
///
/// Commands, options and choices come from the descriptions; files are left to the shell.
@MainActor struct Completer {
  /// Something that can follow.
  enum Candidate: Equatable {
    /// A word, and what it means.
    case word(String, String)
    /// Files with these extensions, all if there are none.
    case files([String])
    /// Folders.
    case folders
  }

  let table: CommandTable
  let settings: Settings

  /// The candidates for the last of the words.
  ///
  /// - Parameter words: The words after `workbench`, the one being typed last; it may be empty.
  func candidates(_ words: [String]) -> [Candidate] {
    let current = words.last ?? ""
    var rest = words.dropLast()
    var name: [String] = []
    var positional = 0
    var isEnded = false
    while let word = rest.popFirst() {
      if word == "--" {
        isEnded = true
      } else if !isEnded, let option = OptionWord(word) {
        guard option.value == nil, let parameter = parameter(option.name, name), parameter.kind != .flag else {
          continue
        }
        if rest.isEmpty { return values(of: parameter, table.entry(name), prefix: current) }
        rest.removeFirst()
      } else if !isEnded, positional == 0, table.isBeginning(name + [word]) {
        name.append(word)
      } else {
        positional += 1
      }
    }
    if !isEnded, current.hasPrefix("-") { return options(name, current) }
    var found: [Candidate] = []
    if positional == 0, !isEnded { found = next(name, prefix: current) }
    if let entry = table.entry(name), let argument = argument(entry, positional) {
      found += values(of: argument, entry, prefix: current)
    }
    // A file may stand in the place of the command.
    if found.isEmpty, name.isEmpty, positional == 0, !isEnded { return [.files([])] }
    return found
  }

  private func next(_ name: [String], prefix: String) -> [Candidate] {
    let words = name.isEmpty ? table.firstWords : table.continuations(of: name)
    return words.filter { $0.hasPrefix(prefix) }.map { word in
      let full = name + [word]
      let summary =
        table.entry(full)?.declaration.summary
        ?? (full.count == 1 ? table.plugins.contributions(of: word)?.plugin.summary : nil) ?? ""
      return .word(word, summary)
    }
  }

  private func options(_ name: [String], _ current: String) -> [Candidate] {
    if let option = OptionWord(current), option.value != nil {
      guard let parameter = parameter(option.name, name) else { return [] }
      return values(of: parameter, table.entry(name), prefix: option.value ?? "").map { candidate in
        guard case .word(let word, let summary) = candidate else { return candidate }
        return .word(option.text + "=" + word, summary)
      }
    }
    let entry = table.entry(name)
    let own = entry?.declaration.options ?? (name.isEmpty ? table.entry(["run"])?.declaration.options : nil) ?? []
    let isPicture = entry?.declaration.givesPicture ?? false
    let global = GlobalOption.all.filter { $0.scope != .picture || isPicture }.map(\.parameter)
    var seen: Set<String> = []
    return (own + global + [Parameter("help", .flag, "explain the command")])
      .filter { ("--" + $0.name).hasPrefix(current) && seen.insert($0.name).inserted }
      .map { .word("--" + $0.name, $0.summary) }
  }

  private func parameter(_ option: String, _ name: [String]) -> Parameter? {
    let own = (table.entry(name) ?? (name.isEmpty ? table.entry(["run"]) : nil))?.declaration.options ?? []
    return own.first { $0.name == option } ?? GlobalOption.named(option)?.parameter
  }

  private func argument(_ entry: CommandEntry, _ position: Int) -> Parameter? {
    let arguments = entry.declaration.arguments
    if position < arguments.count { return arguments[position] }
    return arguments.last.flatMap { $0.isRepeatable ? $0 : nil }
  }

  private func values(of parameter: Parameter, _ entry: CommandEntry?, prefix: String) -> [Candidate] {
    switch parameter.kind {
    case .choice(let words): return words.filter { $0.hasPrefix(prefix) }.map { .word($0, "") }
    case .inputFile(let extensions), .document(let extensions): return [.files(extensions)]
    case .outputFile: return [.files([])]
    case .folder: return [.folders]
    default: break
    }
    guard let entry, case .host = entry.owner else { return [] }
    return known(entry.words, parameter.name).filter { $0.hasPrefix(prefix) }.map { .word($0, "") }
  }

  /// What the arguments of the host's own commands can be.
  private func known(_ command: String, _ parameter: String) -> [String] {
    let plugins = table.plugins.contributions
    switch parameter {
    case "plugin" where command == "run" || command.hasPrefix("plugin "): return plugins.map(\.plugin.id)
    case "topic" where command == "help": return table.firstWords + HelpTopic.allCases.map(\.rawValue)
    case "store": return plugins.flatMap { plugin in plugin.stores.map { plugin.plugin.id + ":" + $0.name } }
    case "setting":
      return HostSettings.all.map(\.name) + SettingsBook(settings, plugins: plugins, options: GlobalOptions()).names
    default: return []
    }
  }
}
