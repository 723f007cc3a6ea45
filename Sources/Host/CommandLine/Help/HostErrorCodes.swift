import PluginAPI

/// The stable codes of the host's own errors and diagnostics.
enum HostErrorCodes {
  static let all: [ErrorCodeDescription] =
    commandLine + running + files + PluginErrorCodes.all + BatchError.codes

  private static let commandLine: [ErrorCodeDescription] = [
    .init("host.unknown-command", "the command or plugin does not exist; list them with 'workbench help'"),
    .init("host.unfinished-command", "the command is incomplete"),
    .init("host.unknown-option", "the command does not have this option"),
    .init("host.missing-value", "the option needs a value"),
    .init("host.missing-argument", "a required argument is missing"),
    .init("host.extra-argument", "there are more arguments than the command accepts"),
    .init("host.unfitting-argument", "the value does not fit the argument or option"),
    .init("host.left-out", "a recorded script has '…' in place of personal data"),
    .init("host.unknown-argument", "a script or plugin passed an argument that the command does not accept"),
    .init("host.no-picture", "a picture option was given to a command without a picture"),
    .init("host.not-in-scripts", "an option for a whole run was used on a line of a script"),
    .init("host.not-utf8", "an argument is not UTF-8 text; only names of input files may contain other bytes"),
    .init("host.not-yet", "the feature is not available yet"),
  ]

  private static let running: [ErrorCodeDescription] = [
    .init("host.unknown-plugin", "there is no plugin with this id"),
    .init("host.plugin-threw", "a plugin failed for an unknown reason; report it to the plugin's author"),
    .init("host.interrupted", "the user interrupted the command"),
    .init("host.ending", "warning: an interrupted command saves its results; press Ctrl-C again to end it now"),
    .init("host.timed-out", "the command did not finish within --timeout"),
    .init("host.failure", "another error occurred"),
    .init("host.no-rows", "the result has no rows for --csv or --tsv"),
    .init("host.no-png", "the picture cannot be written as PNG"),
    .init("host.no-graphics", "the picture cannot be shown in this graphics mode"),
    .init("host.unknown-key", "--keys contains a word that is not a key"),
    .init("host.unknown-effect", "a screen requested an effect that this version does not support"),
    .init("host.plugin-unusable", "the plugin selected on the home screen cannot be used"),
    .init("host.cancelled", "note: running work was canceled"),
    .init("host.copied", "note: text was copied to the clipboard"),
    .init("host.interrupt", "note: a second Ctrl-C ends the program"),
    .init("host.script-quote", "a quotation in a script is not closed on its line"),
    .init("host.script-variable", "a script uses a variable that does not exist"),
    .init("host.script-argument", "a script got fewer arguments than it uses"),
    .init("host.script-depth", "scripts call each other in an endless loop"),
    .init("host.script-text", "the script is not UTF-8 text"),
    .init("host.script-errors", "note: more commands of the script have errors than are listed"),
    .init("host.not-confirmed", "the command was not confirmed; confirm with --yes"),
    .init("host.doctor-found-errors", "doctor found errors; they are listed on standard output"),
    .init("host.no-terminal", "the screen needs a terminal for input and output"),
    .init("host.terminal-failed", "the terminal cannot be set up"),
    .init("host.library-missing", "a system library is not installed"),
    .init("host.library-unusable", "a system library is too old"),
  ]

  private static let files: [ErrorCodeDescription] = [
    .init("host.no-home", "the user's home folder is unknown; set HOME or WORKBENCH_HOME"),
    .init("host.unreadable-file", "the file cannot be read"),
    .init("host.unwritable-file", "the file cannot be written"),
    .init("host.input-twice", "standard input or a pipe is named more than once"),
    .init("host.no-standard-output", "the file cannot be standard output"),
    .init("host.file-too-large", "the file is too large"),
    .init("host.binary-on-terminal", "binary data is not written to a terminal without --yes"),
    .init("host.output-failed", "the result cannot be written to standard output"),
    .init("host.nothing-installed", "note: this user has not installed or enabled a plugin"),
    .init("host.picture-written", "note: the picture was written to its file"),
    .init("host.bug-report-written", "note: the bug report was written to its file"),
    .init("host.whole-stores", "note: no store is damaged"),
    .init("host.broken-settings", "settings.json is damaged; correct it or move it away"),
    .init("host.unknown-theme", "there is no theme with this name"),
    .init("host.broken-theme", "the file of the theme is damaged; correct it"),
    .init("host.unknown-key-map", "there is no key map with this name"),
    .init("host.broken-key-map", "a key map, or the keys in settings.json, are damaged; correct the file"),
    .init("host.no-reader", "no plugin reads files of this type"),
    .init("host.several-readers", "note: several plugins read files of this type"),
    .init("host.unknown-store", "there is no store with this name; list them with 'workbench store list'"),
    .init("host.damaged-store", "a store is damaged; rebuild it, or restore a backup"),
    .init("host.cannot-rebuild", "the store is the only copy of its data; restore a backup"),
    .init("host.not-shareable", "the store cannot be shared; personal data and caches stay on this machine"),
    .init("host.store-not-shared", "the store is on this machine; share it with 'workbench store share'"),
    .init("host.file-exists", "the file exists and is not overwritten"),
    .init("host.closed-pipe", "the reader of standard output closed the pipe"),
    .init("host.unknown-setting", "there is no setting with this name"),
    .init("host.unfitting-setting", "the value does not fit the setting"),
  ]
}
