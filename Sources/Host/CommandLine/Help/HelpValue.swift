import PluginAPI

/// The help texts as values: `--json` prints them, ``HelpText`` renders them as text.
@MainActor enum HelpValue {
  /// Returns help about a command.
  static func command(_ entry: CommandEntry) -> Value {
    var record: Record = ["words": .text(entry.words)]
    for field in entry.declaration.value.record?.fields ?? [] { record[field.name] = field.value }
    record["pictureOptions"] = .list(entry.pictureOptions.map(\.parameter.value))
    return Value(record).typed("host.command-help")
  }

  /// Returns help about a plugin, or about the common first words of several commands.
  static func group(_ words: [String], in table: CommandTable) -> Value {
    let prefix = words.joined(separator: " ")
    let first = words.first ?? ""
    if table.isHostWord(first) {
      let commands = table.hostCommands.filter {
        !$0.isHidden && ($0.declaration.name == prefix || $0.declaration.name.hasPrefix(prefix + " "))
      }
      return group(prefix, summary: "", commands.map { ($0.declaration.name, $0.declaration.summary) }, screens: [])
    }
    guard let contributions = table.plugins.contributions(of: first) else { return .null }
    let rest = words.dropFirst().joined(separator: " ")
    let commands = contributions.commands.filter { rest.isEmpty || $0.name.hasPrefix(rest + " ") }
    let title = rest.isEmpty ? contributions.plugin.name + " " + contributions.plugin.version : ""
    return group(
      prefix, summary: title.isEmpty ? "" : title + ": " + contributions.plugin.summary,
      commands.map { (first + " " + $0.name, $0.summary) }, screens: rest.isEmpty ? contributions.screens : [])
  }

  /// Help about options.
  static func parameters(_ parameters: [Parameter], title: String) -> Value {
    Value(["title": .text(title), "options": .list(parameters.map(\.value))] as Record).typed("host.options-help")
  }

  private static func group(
    _ words: String, summary: String, _ commands: [(name: String, summary: String)], screens: [ScreenDescription]
  ) -> Value {
    Value(
      [
        "words": .text(words), "summary": .text(summary),
        "commands": .list(commands.map { ["name": .text($0.name), "summary": .text($0.summary)] }),
        "screens": .list(
          screens.map { ["name": .text($0.name), "title": .text($0.title), "summary": .text($0.summary)] }),
      ] as Record
    ).typed("host.group-help")
  }
}
