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
  static func codes(_ contributions: [StoredContributions]) -> [ErrorCodeDescription] {
    var known: Set<String> = []
    return (HostErrorCodes.all + contributions.flatMap(\.errorCodes)).filter { known.insert($0.code).inserted }
  }

  /// Returns codes with their meanings.
  static func errors(_ codes: [ErrorCodeDescription]) -> Table {
    Table(columns: [
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
        "NO_COLOR", "TERM, COLORTERM, COLUMNS", "PAGER",
      ])),
    .init(
      "meaning",
      .texts([
        "Folder for config, data, state and cache", "Plugin folders, separated by colons",
        "Value of a setting; see 'workbench help settings'", "Base folders if WORKBENCH_HOME is not set",
        "No colors unless --color requests them", "Capabilities of the terminal; TERM=dumb means --plain",
        "Program that shows long results of the shell",
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
    In double quotes, \\n is a line feed.

    Variables

      let x = molecules info 1crn        the result of a command, which is not printed
      let n = 5                          a number, "text", true, false, null, [1crn 4hhb], or json '{"a": 1}'
      print $x.title $x.atoms            values, or text with variables in it: "$x.title"
      molecules info $m.code             a variable is one value, never an option or a command
      $x.chains[0].id                    fields by name, elements by index from 0, the last one is [-1]
      $x.count                           the number of elements or rows; $x.id of a table is its column
      ${x}.png                           braces end the name

    Blocks end with 'end'. Conditions compare with ==, !=, <, <=, >, >=, contains and in, joined by and, or and not.

      for m in molecules list            rows of a result, of $x, of [a b c], or numbers 1..10
        if $m.atoms > 1000 and $m.code != "4hhb"
          continue                       the next iteration; 'break' ends the loop
        else if $m.title contains virus
          molecules info $m.id
        end
      end
      while $n < 3                       while the condition holds
      parallel 4                         statements and iterations, up to 4 at a time; output in order

    More statements

      source common.wbs                  the statements of a file, relative to this one
      expect $x.atoms == 327             fails if the condition is false
      expect fail host.unknown-plugin plugin info absent    fails unless the command fails, with this code if given
      on-error continue                  after a failure: stop, continue, print $error.message, or run a command

    Arguments and options of the script are declared first; 'workbench script FILE --help' shows them:

      summary "Survey the chains of a structure"
      argument structure document "Structure to examine" required
      option cutoff number 5.0 "Distance" unit angstrom
      option mode fast|exact fast "Method"
      flag verbose "Print every contact"

    They are $structure, $cutoff, $mode and $verbose. Kinds are text, integer, number, file, output-file, folder,
    document, url, date and choices; 'required', 'repeatable' and 'unit UNIT' may follow the summary.

    The whole script is checked before the first command runs: commands, options, values, variables, and parts of
    results. A script stops at the first failure, reports its file, line, column and command, and exits with its status.
    With --keep-going, the other commands run too. With --json, each command prints its result on a line of its own.
    With --dry-run, the plan is printed: the commands with their effects.
    A first line that begins with #! makes the file executable: #!/usr/bin/env -S workbench script
    """

  /// The help on writing plugins.
  static let authors = """
    A plugin adds commands, screens, stores and file types. In Swift it is a library in this program's process, in
    Python, R or any other language a program that speaks JSON-RPC over its standard streams.

      workbench plugin new tide-tables                       in Swift; or --language python, --language r
      cd tide-tables
      workbench plugin dev                                   build after each change, and show the screen
      swift test                                             the tests; the README has those of other languages
      swift build -c release                                 a library for others
      workbench plugin validate .                            all checks of an installation, rules and transcripts
      workbench plugin pack .                                tide-tables-0.1.0.wbplugin
      workbench plugin install . --allow-unsigned

    Nothing is downloaded. A plugin in Swift needs the compiler that 'workbench version --json' names; 'workbench sdk
    path' is the folder with the modules it is compiled against. A program runs on every Workbench of its protocol.

    The guide 'AddingAPlugin.md' builds a plugin from scratch: 'workbench sdk path --json' has its path. It covers
    stores, screens with split views and progress, completion of ids, file types, calls of other plugins, and tests that
    hold and cancel work. 'Plugins.md' describes the protocol of programs.

      workbench plugin probe PATH                            what a library contributes
      workbench plugin profile ID                            time and memory of its parts
      workbench --plugin-dir FOLDER ID COMMAND               use a plugin where it was built
      workbench help errors                                  the meaning of a code such as host.plugin-other-compiler
    """
}
