import PluginAPI

/// The stable codes of the host's own errors and diagnostics.
enum HostErrorCodes {
  static let all: [ErrorCodeDescription] =
    commandLine + running + ScriptError.codes + surroundings + LuaError.codes + files + PluginErrorCodes.all
    + BatchError.codes + ServeError.codes
    + AgentError.codes

  private static let commandLine: [ErrorCodeDescription] = [
    CommonHostError.unknownCommand.catalogueEntry, CommandLineError.unknownCode.catalogueEntry,
    CommandLineError.unfinishedCommand.catalogueEntry, CommandLineError.unknownOption.catalogueEntry,
    CommandLineError.missingValue.catalogueEntry, CommandLineError.missingArgument.catalogueEntry,
    CommandLineError.extraArgument.catalogueEntry, CommandLineError.unfittingArgument.catalogueEntry,
    .init("host.left-out", "a recorded script has '…' in place of personal data"),
    .init("host.unknown-argument", "a script or plugin passed an argument that the command does not accept"),
    CommandLineError.notAPicture.catalogueEntry, CommandLineError.notInScripts.catalogueEntry,
    CommandLineError.notUTF8Code.catalogueEntry,
  ]

  private static let running: [ErrorCodeDescription] = [
    PluginHostError.unknownPlugin.catalogueEntry,
    .init("host.plugin-threw", "a plugin failed for an unknown reason; report it to the plugin's author"),
    .init("host.interrupted", "the user interrupted the command"),
    .init("host.ending", "warning: an interrupted command saves its results; press Ctrl-C again to end it now"),
    .init("host.timed-out", "the command did not finish within --timeout"),
    .init("host.failure", "another error occurred"),
    .init("host.no-rows", "the result has no rows for --csv, --tsv or --arrow"),
    ArrowError.mixedColumn.catalogueEntry, ArrowError.tooLongCode.catalogueEntry,
    .init("host.no-png", "the picture cannot be written as PNG"),
    TerminalError.notEncoded.catalogueEntry, CommonHostError.unknownKey.catalogueEntry,
    ScreenStepError.noScreensCode.catalogueEntry, ScreenStepError.impossibleStep.catalogueEntry,
    .init("host.unknown-effect", "a screen requested an effect that this version does not support"),
    .init("host.plugin-unusable", "the plugin selected on the home screen cannot be used"),
    .init("host.cancelled", "note: running work was canceled"),
    .init("host.copied", "note: text was copied to the clipboard"),
    .init("host.no-sequence", "note: no action has this sequence of keys"),
    .init("host.interrupt", "note: a second Ctrl-C ends the program"),
  ]

  private static let surroundings: [ErrorCodeDescription] = [
    .init("host.not-confirmed", "the command was not confirmed; confirm with --yes"),
    .init("host.doctor-found-errors", "doctor found errors; they are listed on standard output"),
    CommonHostError.noTerminal.catalogueEntry, ShellError.noTerminalCode.catalogueEntry,
    ShellError.nestedCode.catalogueEntry, ShellError.tooLong.catalogueEntry, ShellError.statusCode.catalogueEntry,
    .init("host.shell-leave", "note: a second Ctrl-C leaves the shell"),
    .init("host.no-line-editor", "note: the shell has no history and no completion without libedit"),
    TerminalError.cannotOpen.catalogueEntry, CommonHostError.libraryMissing.catalogueEntry,
    TerminalError.libraryUnusable.catalogueEntry,
  ]

  private static let files: [ErrorCodeDescription] = [
    HostFoldersError.unknownHome.catalogueEntry,
    .init("host.unreadable-file", "the file cannot be read"),
    .init("host.unwritable-file", "the file cannot be written"),
    InputSpoolError.inputTwice.catalogueEntry, CommonHostError.noStandardOutput.catalogueEntry,
    .init("host.file-too-large", "the file is too large"),
    .init("host.binary-on-terminal", "binary data is not written to a terminal without --yes"),
    .init("host.output-failed", "the result cannot be written to standard output"),
    .init("host.nothing-installed", "note: this user has not installed or enabled a plugin"),
    .init("host.picture-written", "note: the picture was written to its file"),
    .init("host.bug-report-written", "note: the bug report was written to its file"),
    .init("host.whole-stores", "note: no store is damaged"),
    SettingsError.brokenFile.catalogueEntry,
    .init("host.unknown-theme", "there is no theme with this name"),
    .init("host.broken-theme", "the file of the theme is damaged; correct it"),
    .init("host.unknown-key-map", "there is no key map with this name"),
    .init("host.broken-key-map", "a key map, or a key in settings.json, is damaged; correct the file"),
    FileOpeningError.noReader.catalogueEntry,
    .init("host.several-readers", "note: several plugins read files of this type"),
    .init("host.unknown-store", "there is no store with this name; list them with 'workbench store list'"),
    .init("host.damaged-store", "a store is damaged; rebuild it, or restore a backup"),
    .init("host.cannot-rebuild", "the store is the only copy of its data; restore a backup"),
    .init("host.not-shareable", "the store cannot be shared; personal data and caches stay on this machine"),
    .init("host.store-not-shared", "the store is on this machine; share it with 'workbench store share'"),
    .init("host.file-exists", "the file exists and is not overwritten"),
    .init("host.closed-pipe", "the reader of standard output closed the pipe"),
    SettingsError.unknownSetting.catalogueEntry, SettingsError.unfitting.catalogueEntry,
  ]
}
