import PluginAPI

/// Writes manual pages.
///
/// - Source: man(7), the macros of roff manual pages.
enum ManualPage {
  /// Returns the pages of the program and of all its commands, with the names of their files.
  @MainActor static func all(_ table: CommandTable) -> [(file: String, text: String)] {
    [("workbench.1", program(table))] + table.entries.map { (name($0) + ".1", command($0)) }
  }

  /// Returns the name of a command's page.
  private static func name(_ entry: CommandEntry) -> String {
    "workbench-" + entry.words.split(separator: " ").joined(separator: "-")
  }

  /// Returns the page of one command.
  static func command(_ entry: CommandEntry) -> String {
    let declaration = entry.declaration
    let name = name(entry)
    var page = heading(name)
    page += [".SH NAME", escaped(name) + " \\- " + escaped(declaration.summary)]
    page += [".SH SYNOPSIS", ".B " + escaped(HelpText.usage(entry.words, declaration))]
    if !declaration.discussion.isEmpty { page += [".SH DESCRIPTION"] + paragraphs(declaration.discussion) }
    page += section("ARGUMENTS", declaration.arguments.map { ($0.name.uppercased(), HelpText.explanation($0)) })
    let options = declaration.options + entry.pictureOptions.map(\.parameter)
    page += section("OPTIONS", options.map { (HelpText.option($0), HelpText.explanation($0)) })
    page += section(
      "EXAMPLES", declaration.examples.map { (HelpText.line(of: $0, entry.words, declaration), $0.summary) })
    page += [".SH SEE ALSO", ".BR workbench (1)"]
    return page.joined(separator: "\n")
  }

  /// Returns the page of the program.
  @MainActor static func program(_ table: CommandTable) -> String {
    var page = heading("workbench")
    page += [".SH NAME", "workbench \\- a terminal workbench for science"]
    page += [".SH SYNOPSIS", ".B workbench", "[COMMAND | PLUGIN COMMAND] [ARG…] [\\-\\-option …]"]
    let own = table.hostCommands.filter { !$0.isHidden }.map { ($0.declaration.name, $0.declaration.summary) }
    page += section("COMMANDS", own)
    for plugin in table.plugins.contributions {
      page += section(
        plugin.plugin.name.uppercased(), plugin.commands.map { (plugin.plugin.id + " " + $0.name, $0.summary) })
    }
    page += section(
      "OPTIONS", GlobalOption.all.map { (HelpText.option($0.parameter), HelpText.explanation($0.parameter)) })
    page += section("EXIT STATUS", rows(HelpTables.statuses))
    page += section("ENVIRONMENT", rows(HelpTables.environment))
    return page.joined(separator: "\n")
  }

  private static func heading(_ name: String) -> [String] {
    [".TH \"\(escaped(name).uppercased())\" 1 \"\" \"workbench \(HostVersion.number)\" \"Workbench\""]
  }

  private static func section(_ title: String, _ rows: [(term: String, meaning: String)]) -> [String] {
    if rows.isEmpty { return [] }
    return [".SH " + escaped(title)] + rows.flatMap { [".TP", ".B " + escaped($0.term), escaped($0.meaning)] }
  }

  private static func rows(_ table: Table) -> [(term: String, meaning: String)] {
    (0..<table.rowCount).map { row in
      (GenericText.inline(table.columns[0].values[row]), GenericText.inline(table.columns[1].values[row]))
    }
  }

  private static func paragraphs(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? ".PP" : escaped(String($0)) }
  }

  /// Returns text escaped for roff: backslashes, hyphens and quotes, and lines that would begin a request.
  ///
  /// - Source: groff_char(7); a quote would group the words of a macro, and typographic quotes cannot be pasted.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\"": result += "\\(dq"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "\n": result += " "
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}
