import PluginAPI

/// The errors that several parts of the host report.
enum CommonHostError {
  static let unknownCommand = DeclaredError(
    "host.unknown-command", .usage, "the command or plugin does not exist; list them with 'workbench help'")
  static let unknownKey = DeclaredError(
    "host.unknown-key", .usage, "--keys, or a recording, contains a word that is not a key")
  static let noTerminal = DeclaredError(
    "host.no-terminal", .usage, "the screen needs a terminal for input and output")
  static let noStandardOutput = DeclaredError(
    "host.no-standard-output", .usage, "standard output cannot be used as this file")
  static let libraryMissing = DeclaredError("host.library-missing", .failure, "a system library is not installed")
}
