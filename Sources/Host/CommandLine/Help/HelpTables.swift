import PluginAPI

/// The lists that help prints.
enum HelpTables {
  /// The exit statuses.
  static let statuses = Table(columns: [
    .init("status", .texts(["0", "1", "2", "3", "4", "5", "6", "7", "124", "130", "141", "128+n"])),
    .init(
      "meaning",
      .texts([
        "Success", "Failure", "Usage error", "Not found", "Plugin failure",
        "Unusable input data, or a model without an optimum", "Network or device failure",
        "Refused: permission, trust, wrong password or lock", "Timeout", "Interrupted",
        "Closed pipe on standard output", "Ended by signal n",
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

  /// Returns the keys of all screens, with the names that key maps use.
  static func keys(_ contributions: [StoredContributions]) -> Table {
    let host = HostKey.allCases.map { key in
      ("all", key.standardKeyTexts.joined(separator: ", "), key.title, "host." + key.rawValue)
    }
    let own = contributions.flatMap { plugin in
      plugin.screens.flatMap { screen in
        let scope = plugin.plugin.id + "." + screen.name
        return screen.actions.map { action in
          let name = scope + "." + KeyMap.name(of: action, among: screen.actions)
          return (scope, action.keys.joined(separator: " "), action.title, name)
        }
      }
    }
    let rows = host + own
    return Table(columns: [
      .init("screen", .texts(rows.map(\.0))), .init("keys", .texts(rows.map(\.1))),
      .init("action", .texts(rows.map(\.2))), .init("name", .texts(rows.map(\.3))),
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
        "Folder for config, data, state and cache", "Plugin folders, separated by colons",
        "Value of a setting; see 'workbench help settings'", "Base folders if WORKBENCH_HOME is not set",
        "No colors unless --color requests them", "Capabilities of the terminal; TERM=dumb means --plain",
      ])),
  ])

  /// The help on writing scripts.
  static let scripts = """
    A script has one command per line, without 'workbench'. Run it with 'workbench script FILE ARG…', where '-' reads
    standard input. 'workbench exec "A; B"' runs commands given as an argument.

      # comment                          up to the end of the line; blank lines are ignored
      molecules info 1crn                a command
      molecules info "$1"                the first argument; $args is all arguments, $# is their number
      molecules render 1crn \\            a trailing backslash continues the line
        --mode spacefilling
      molecules list; molecules info 1   two commands on a line

    'single quotes' preserve all characters, "double quotes" all but $ and \\, and \\ preserves the next character.
    All lines are checked before the first one runs. A script stops at the first failure, reports its file and line,
    and exits with its status. With --keep-going, the other commands run too. With --json, each command prints its
    result on a line of its own.
    A first line that begins with #! makes the file executable: #!/usr/bin/env -S workbench script
    """
}
