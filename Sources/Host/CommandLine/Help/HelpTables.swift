import PluginAPI

/// The lists that help prints.
enum HelpTables {
  /// The exit statuses.
  static let statuses = Table(columns: [
    .init("status", .texts(["0", "1", "2", "3", "4", "5", "6", "7", "124", "130", "141", "128+n"])),
    .init(
      "meaning",
      .texts([
        "ok", "failure", "wrong usage", "not found", "a plugin failed; the program goes on",
        "input data unusable, also a model without an optimum", "network or device failed",
        "refused: permission, trust, wrong password, locked", "timed out", "interrupted",
        "the reader of standard output went away", "ended by signal n",
      ])),
  ])

  /// Returns the codes of the host's and the plugins' errors and diagnostics; a code of the kit is listed once.
  static func errors(_ contributions: [StoredContributions]) -> Table {
    var known: Set<String> = []
    let codes = (HostErrorCodes.all + contributions.flatMap(\.errorCodes)).filter { known.insert($0.code).inserted }
    return Table(columns: [
      .init("code", .texts(codes.map(\.code))), .init("summary", title: "meaning", .texts(codes.map(\.summary))),
    ])
  }

  /// Returns the keys of all screens.
  static func keys(_ contributions: [StoredContributions]) -> Table {
    let host = HostKey.allCases.filter { !$0.standardKeys.isEmpty }.map { key in
      ("all", key.standardKeys.map(\.description).joined(separator: " "), key.title)
    }
    let own = contributions.flatMap { plugin in
      plugin.screens.flatMap { screen in
        screen.actions.map { (plugin.plugin.id + "." + screen.name, $0.keys.joined(separator: " "), $0.title) }
      }
    }
    let rows = host + own
    return Table(columns: [
      .init("screen", .texts(rows.map(\.0))), .init("keys", .texts(rows.map(\.1))),
      .init("action", .texts(rows.map(\.2))),
    ])
  }

  /// Returns the declared settings.
  static func settings(_ contributions: [StoredContributions]) -> Table {
    let areas = [(HostSettings.area, HostSettings.all)] + contributions.map { ($0.plugin.id, $0.settings) }
    let rows = areas.flatMap { area, settings in settings.map { (area, $0) } }
    return Table(columns: [
      .init("name", .texts(rows.map { $0.0 + "." + $0.1.name })),
      .init("summary", title: "meaning", .texts(rows.map { HelpText.explanation($0.1) })),
      .init("variable", .texts(rows.map { Settings.variable($0.0, $0.1.name) })),
    ])
  }

  /// The environment variables that are looked at.
  static let environment = Table(columns: [
    .init(
      "variable",
      .texts([
        "WORKBENCH_HOME", "WORKBENCH_PLUGIN_PATH", "WORKBENCH_<AREA>_<SETTING>", "XDG_CONFIG_HOME, XDG_DATA_HOME, …",
        "NO_COLOR", "TERM, COLORTERM, COLUMNS",
      ])),
    .init(
      "meaning",
      .texts([
        "folder of config, data, state and cache", "folders with plugins, separated by colons",
        "a setting; see 'workbench help settings'", "where config, data, state and cache lie otherwise",
        "no colours, unless --color says otherwise", "what the terminal can show; TERM=dumb means --plain",
      ])),
  ])

  /// The help on writing scripts.
  static let scripts = """
    A script has one command a line: the words after 'workbench'. 'workbench script FILE ARG…' runs it, with '-' from
    standard input; 'workbench exec "A; B"' runs commands written in place.

      # comment                          to the end of the line; blank lines are passed over
      molecules info 1crn                a command
      molecules info "$1"                the first argument; $args stands for all, $# for their number
      molecules render 1crn \\            a line that ends in a backslash goes on in the next
        --mode spacefilling
      molecules list; molecules info 1   two commands on a line

    'single quotes' keep everything, "double quotes" everything but $ and \\, and \\ keeps the next character.
    All lines are checked before the first runs. The first failure ends the script with its status and names file and
    line; with --keep-going the rest runs too and the first failure's status comes at the end. With --json every
    command prints its result on a line of its own.
    A first line that begins with #! makes the file a program: #!/usr/bin/env -S workbench script
    """
}
