import PluginAPI

/// An error between the host and a plugin that is a program.
enum ProgramError: Error, Equatable, ReportableError {
  /// The program that the manifest names is not installed.
  case noProgram(plugin: String, String)
  /// The system cannot start the program.
  case notStarted(plugin: String, program: String, reason: String)
  /// The program speaks another version of the protocol, or is another plugin.
  case otherProtocol(plugin: String, String)
  /// The program ended before it answered.
  case ended(plugin: String, during: String, how: String)
  /// The program wrote something that the protocol does not allow.
  case badMessage(plugin: String, String)
  /// The program does not answer in time.
  case notResponding(plugin: String, during: String, seconds: Double)

  var report: ErrorReport {
    let log = "its messages are in workbench.log"
    switch self {
    case .noProgram(let id, let program):
      return ErrorReport(
        code: "host.plugin-no-program", kind: .pluginFailed,
        "plugin '\(id)' needs the program '\(program)', which is not installed",
        advice: "install it, or correct 'run' in the plugin's plugin.json",
        details: ["plugin": .text(id), "program": .text(program)])
    case .notStarted(let id, let program, let reason):
      return ErrorReport(
        code: "host.plugin-not-started", kind: .pluginFailed,
        "cannot start '\(program)' of plugin '\(id)': \(reason)", details: ["plugin": .text(id)])
    case .otherProtocol(let id, let reason):
      return ErrorReport(
        code: "host.plugin-other-protocol", kind: .pluginFailed, "cannot use the program of plugin '\(id)': \(reason)",
        advice: "get another version of the plugin, or a newer workbench", details: ["plugin": .text(id)])
    case .ended(let id, let doing, let how):
      return ErrorReport(
        code: "host.plugin-ended", kind: .pluginFailed, "the program of plugin '\(id)' ended during \(doing): \(how)",
        advice: log, details: ["plugin": .text(id), "during": .text(doing), "end": .text(how)])
    case .badMessage(let id, let reason):
      return ErrorReport(
        code: "host.plugin-bad-message", kind: .pluginFailed,
        "the program of plugin '\(id)' was ended: \(reason)", advice: "report this to the plugin's author",
        details: ["plugin": .text(id)])
    case .notResponding(let id, let doing, let seconds):
      return ErrorReport(
        code: "host.plugin-not-responding", kind: .pluginFailed,
        "the program of plugin '\(id)' did not answer within \(GenericText.inline(.number(seconds))) s during \(doing)",
        advice: log, details: ["plugin": .text(id), "during": .text(doing)])
    }
  }
}
