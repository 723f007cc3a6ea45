import PluginAPI

/// The stable codes of the host's own errors and diagnostics.
enum HostErrorCodes {
  static let all: [ErrorCodeDescription] = commandLine + running + files + PluginErrorCodes.all

  private static let commandLine: [ErrorCodeDescription] = [
    .init("host.unknown-command", "no command or plugin begins so; 'workbench help' lists what there is"),
    .init("host.unfinished-command", "the words need a command after them"),
    .init("host.unknown-option", "the command has no such option"),
    .init("host.missing-value", "the option stands without its value"),
    .init("host.missing-argument", "an argument that must be given is not there"),
    .init("host.extra-argument", "more arguments than the command takes"),
    .init("host.unfitting-argument", "the value does not fit the argument or option"),
    .init("host.left-out", "a recorded script has '…' in the place of a value that tells of people"),
    .init("host.unknown-argument", "a script or plugin gave an argument the command does not take"),
    .init("host.no-picture", "an option for pictures on a command that gives none"),
    .init("host.not-in-scripts", "an option that holds for a whole run stands on a line of a script"),
    .init("host.not-utf8", "an argument is not UTF-8 text; only files that are read may have such names"),
    .init("host.not-yet", "comes in a later version"),
  ]

  private static let running: [ErrorCodeDescription] = [
    .init("host.unknown-plugin", "there is no plugin of that id"),
    .init("host.plugin-threw", "a plugin failed without saying more; tell its author"),
    .init("host.interrupted", "ended by the user"),
    .init("host.ending", "warning: a command that was interrupted keeps what it has done; a second Ctrl-C ends it now"),
    .init("host.timed-out", "not done within --timeout"),
    .init("host.failure", "something went wrong that has no code of its own"),
    .init("host.no-rows", "the result has no rows for --csv or --tsv"),
    .init("host.no-png", "the picture cannot be written as PNG"),
    .init("host.no-graphics", "the picture cannot be shown in that way"),
    .init("host.unknown-key", "a word of --keys is no key"),
    .init("host.unknown-effect", "a screen asks for something this version cannot do"),
    .init("host.plugin-unusable", "the plugin chosen on the home screen cannot be used"),
    .init("host.cancelled", "note: what ran was cancelled"),
    .init("host.copied", "note: text was put on the clipboard"),
    .init("host.interrupt", "note: a second Ctrl-C ends the program"),
    .init("host.script-quote", "a quote of a script is not closed on its line"),
    .init("host.script-variable", "a script uses a variable that does not exist"),
    .init("host.script-argument", "a script got fewer arguments than it uses"),
    .init("host.script-depth", "scripts call each other without end"),
    .init("host.script-text", "the script is not UTF-8 text"),
    .init("host.script-errors", "note: more commands of a script cannot run than are listed"),
    .init("host.not-confirmed", "nothing was done without a yes; give --yes"),
    .init("host.doctor-found-errors", "doctor found errors; they are listed on standard output"),
    .init("host.no-terminal", "full screen was asked for, and input or output is no terminal"),
    .init("host.terminal-failed", "the terminal cannot be set up"),
    .init("host.library-missing", "a system library that is opened on first use is not installed"),
    .init("host.library-unusable", "a system library is too old"),
  ]

  private static let files: [ErrorCodeDescription] = [
    .init("host.no-home", "the user's home folder is unknown; set HOME or WORKBENCH_HOME"),
    .init("host.unreadable-file", "the file cannot be read"),
    .init("host.unwritable-file", "the file cannot be written"),
    .init("host.input-twice", "a command line names standard input or a pipe more than once"),
    .init("host.no-standard-output", "a file was to be standard output and cannot be"),
    .init("host.file-too-large", "the file has more bytes than are accepted"),
    .init("host.binary-on-terminal", "binary data is not written to a terminal without --yes"),
    .init("host.output-failed", "the result cannot be written to standard output"),
    .init("host.nothing-installed", "note: this user has no plugin to compare"),
    .init("host.picture-written", "note: the picture was written to its file"),
    .init("host.whole-stores", "note: the stores were found whole"),
    .init("host.broken-settings", "settings.json cannot be used; correct it or move it away"),
    .init("host.no-reader", "no plugin reads files of this type"),
    .init("host.several-readers", "note: several plugins read files of this type"),
    .init("host.unknown-store", "there is no such store; 'workbench store list' shows all"),
    .init("host.damaged-store", "a store is not whole; rebuild it, or restore a backup"),
    .init("host.cannot-rebuild", "the store is the only copy of its data; restore a backup"),
    .init("host.file-exists", "the file is there already and is not overwritten"),
    .init("host.closed-pipe", "the reader of standard output went away"),
    .init("host.unknown-setting", "nobody declares such a setting"),
    .init("host.unfitting-setting", "the value does not fit the setting"),
  ]
}
