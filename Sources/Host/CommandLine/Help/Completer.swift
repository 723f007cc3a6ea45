import PluginAPI

/// Finds completions for a command line.
///
/// Commands, options and choices come from the descriptions, stored values from the command that lists them; files are
/// left to the shell.
@MainActor struct Completer {
  /// A candidate for completion.
  enum Candidate: Equatable {
    /// A word and its meaning.
    case word(String, String)
    /// Files with these extensions, all if there are none.
    case files([String])
    /// Folders.
    case folders
  }

  let table: CommandTable
  let settings: Settings
  /// Runs a command without arguments and returns its result; null if it fails.
  let result: (CommandEntry) async -> Value

  /// Returns the candidates for the last of the words.
  ///
  /// - Parameter arguments: The arguments after `workbench`; the last one is incomplete and may be empty.
  func candidates(_ arguments: [String]) async -> [Candidate] {
    let current = arguments.last ?? ""
    var remaining = arguments.dropLast()
    var name: [String] = []
    var positional: [String] = []
    var isEnded = false
    while let word = remaining.popFirst() {
      if word == "--" {
        isEnded = true
      } else if !isEnded, let option = OptionWord(word) {
        guard option.value == nil, let parameter = parameter(option.name, name), parameter.kind != .flag else {
          continue
        }
        if remaining.isEmpty { return await values(of: parameter, table.entry(name), positional, prefix: current) }
        remaining.removeFirst()
      } else if !isEnded, positional.isEmpty, table.isBeginning(name + [word]) {
        name.append(word)
      } else {
        positional.append(word)
      }
    }
    if !isEnded, current.hasPrefix("-") { return await options(name, current) }
    var found: [Candidate] = []
    if positional.isEmpty, !isEnded { found = next(name, prefix: current) }
    if let entry = table.entry(name), let argument = argument(entry, positional.count) {
      found += await values(of: argument, entry, positional, prefix: current)
    }
    // A file may take the place of the command.
    if found.isEmpty, name.isEmpty, positional.isEmpty, !isEnded { return [.files([])] }
    return found
  }

  private func next(_ name: [String], prefix: String) -> [Candidate] {
    let continuations = name.isEmpty ? table.firstWords : table.continuations(of: name)
    return continuations.filter { $0.hasPrefix(prefix) }.map { word in
      let full = name + [word]
      let summary =
        table.entry(full)?.declaration.summary
        ?? (full.count == 1 ? table.plugins.contributions(of: word)?.plugin.summary : nil) ?? ""
      return .word(word, summary)
    }
  }

  private func options(_ name: [String], _ current: String) async -> [Candidate] {
    if let option = OptionWord(current), option.value != nil {
      guard let parameter = parameter(option.name, name) else { return [] }
      return await values(of: parameter, table.entry(name), [], prefix: option.value ?? "").map { candidate in
        guard case .word(let word, let summary) = candidate else { return candidate }
        return .word(option.text + "=" + word, summary)
      }
    }
    let entry = table.entry(name)
    let own = entry?.declaration.options ?? (name.isEmpty ? table.entry(["run"])?.declaration.options : nil) ?? []
    let isPicture = entry?.declaration.givesPicture ?? false
    let global = GlobalOption.all.filter { $0.scope != .picture || isPicture }.map(\.parameter)
    var seen: Set<String> = []
    return (own + global + [Parameter("help", .flag, "Explain the command")])
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

  /// Returns the values a parameter of a command can take.
  ///
  /// - Parameter before: The arguments before it.
  private func values(
    of parameter: Parameter, _ entry: CommandEntry?, _ before: [String], prefix: String
  ) async -> [Candidate] {
    guard let entry else { return await values(of: parameter, plugin: nil, prefix: prefix) }
    if case .plugin(let id) = entry.owner { return await values(of: parameter, plugin: id, prefix: prefix) }
    if entry.words == "config set", parameter.name == "value" {
      guard let (area, setting) = before.first.flatMap({ try? book.find($0) }) else { return [] }
      if area == HostSettings.area, let files = HostSettings.files(for: setting, settings) {
        return files.filter { $0.hasPrefix(prefix) }.map { .word($0, "") }
      }
      return await values(of: setting, plugin: area, prefix: prefix)
    }
    if entry.words == "run", parameter.name == "document" {
      return await documents(of: before.first ?? "", prefix: prefix)
    }
    var seen: Set<String> = []
    let known = known(entry.words, parameter.name, before)
      .filter { $0.hasPrefix(prefix) && seen.insert($0).inserted }.map { Candidate.word($0, "") }
    return await values(of: parameter, plugin: nil, prefix: prefix) + known
  }

  /// Returns the documents that a plugin's screens can show: those that its commands accept, and files.
  private func documents(of plugin: String, prefix: String) async -> [Candidate] {
    let parameters = table.plugins.contributions(of: plugin)?.commands.flatMap(\.arguments) ?? []
    let document = parameters.first { parameter in
      if case .document = parameter.kind { parameter.completion != nil } else { false }
    }
    guard let document else { return [.files([])] }
    return await values(of: document, plugin: plugin, prefix: prefix)
  }

  /// Returns the values a parameter can take.
  ///
  /// - Parameter plugin: The id of the plugin that declares it; nil for the host.
  private func values(of parameter: Parameter, plugin: String?, prefix: String) async -> [Candidate] {
    func candidates(_ choices: [String]) -> [Candidate] {
      choices.filter { $0.hasPrefix(prefix) }.map { .word($0, "") }
    }
    let listed = await listed(parameter, plugin, prefix: prefix)
    switch parameter.kind {
    case .flag: return candidates(["yes", "no"])
    case .choice(let choices): return listed + candidates(choices)
    case .inputFile(let extensions), .document(let extensions): return listed + [.files(extensions)]
    case .outputFile: return listed + [.files([])]
    case .folder: return listed + [.folders]
    default: return listed
    }
  }

  /// Returns the values listed by the parameter's completion command, with a line about each.
  ///
  /// Other names of the values are offered once one is begun, so that no value is listed twice.
  private func listed(_ parameter: Parameter, _ plugin: String?, prefix: String) async -> [Candidate] {
    guard let completion = parameter.completion, let plugin,
      let source = table.entry([plugin] + completion.command.split(separator: " ").map(String.init)),
      source.declaration.effects.isSubset(of: [.reads])
    else { return [] }
    let rows = await result(source)
    let summaries = completion.summaryColumn.map { Self.cells(of: rows, in: $0) }
    let columns = [completion.column] + (prefix.isEmpty ? [] : completion.otherColumns)
    return columns.flatMap { column -> [Candidate] in
      let texts = Self.cells(of: rows, in: column)
      return texts.indices.compactMap { row in
        let word = texts[row].shortText
        // The shell receives a line per word, with a tab after it.
        guard word.hasPrefix(prefix), word.unicodeScalars.allSatisfy({ $0 != "\t" && StyledTextWriter.isHarmless($0) })
        else { return nil }
        return .word(word, StyledTextWriter.harmless(summaries?[row].shortText ?? ""))
      }
    }
  }

  /// Returns the values of a column of a table, or of a field of a list of records.
  private static func cells(of rows: Value, in column: String) -> [Value] {
    if let table = rows.table {
      guard let values = table[column]?.values else { return [] }
      return (0..<table.rowCount).map { values[$0] }
    }
    return (rows.list ?? []).map { (row: Value) -> Value in row.record?[column] ?? Value.null }
  }

  /// Returns the possible arguments of the host's own commands.
  private func known(_ command: String, _ parameter: String, _ before: [String]) -> [String] {
    let plugins = table.plugins.contributions
    switch (command, parameter) {
    case ("run", "plugin"): return plugins.filter { !$0.screens.isEmpty }.map(\.plugin.id)
    case (_, "id"), ("plugin probe", "path"): return table.plugins.catalog.plugins.compactMap(\.id)
    case ("plugin install", "replace"), ("plugin enable", "replace"):
      return table.plugins.installer.bundled.sorted()
    case ("plugin install", "path"): return sources.knownPlugins
    case ("plugin install", "source"), ("plugin source remove", "name"): return sources.all.map(\.name)
    case ("help", "topic"):
      if before.isEmpty { return table.firstWords + HelpTopic.allCases.map(\.rawValue) }
      return table.continuations(of: before.first == HelpTopic.schema.rawValue ? Array(before.dropFirst()) : before)
    case ("man", "command"), ("plugin why", "command"), ("plugin bisect", "command"):
      return before.isEmpty ? table.firstWords : table.continuations(of: before)
    case (_, "store"): return plugins.flatMap { plugin in plugin.stores.map { plugin.plugin.id + ":" + $0.name } }
    case (_, "setting"): return HostSettings.all.map(\.name) + book.names
    default: return []
    }
  }

  private var sources: PackageSources { PackageSources(folders: table.plugins.folders, isOffline: true) }

  private var book: SettingsBook {
    SettingsBook(settings, plugins: table.plugins.contributions, options: GlobalOptions())
  }
}
