import PluginAPI

/// The names by which programs call commands, in Lua, over JSON-RPC and in Python.
extension CommandEntry {
  /// The name of the command as a method: `version`, `plugin.list`, `molecules.list`, `wsabi.person-add`.
  var method: String {
    let parts = words.split(separator: " ")
    return parts.count == 1 ? words : parts[0] + "." + parts.dropFirst().joined(separator: "-")
  }
}

extension CommandTable {
  /// Returns the command that a program calls by this name; underscores stand for dashes.
  func entry(method: String) -> CommandEntry? {
    let name = String(decoding: method.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
    return entries(beginningWith: String(name.prefix { $0 != "." })).first { $0.method == name }
  }

  /// The commands whose method begins with this word, hidden ones of the host left out.
  func entries(beginningWith word: String) -> [CommandEntry] {
    let own = hostCommands.filter { !$0.isHidden }
      .map { CommandEntry(owner: .host($0), declaration: $0.declaration) }
      .filter { $0.words == word || $0.words.hasPrefix(word + " ") }
    if !own.isEmpty || isHostWord(word) { return own }
    guard let contributions = plugins.contributions(of: word) else { return [] }
    return contributions.commandNames.compactMap { contributions.command($0) }
      .map { CommandEntry(owner: .plugin(word), declaration: $0) }
  }

  /// All commands: the host's in the order of help, hidden ones left out, then those of the plugins.
  var entries: [CommandEntry] { firstWords.flatMap(entries(beginningWith:)) }
}
