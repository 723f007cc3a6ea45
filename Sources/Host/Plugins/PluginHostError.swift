import PluginAPI

/// An error between host and plugins at run time.
enum PluginHostError: Error, Equatable, ReportableError {
  /// There is no such plugin.
  case unknownPlugin(String, known: [String])
  /// The plugin has no such command.
  case unknownCommand(plugin: String, command: String, known: [String])
  /// The user disabled the plugin.
  case disabled(String)
  /// The plugin is in the user's folder but not enabled.
  case notEnabled(String, path: String)
  /// Others could change the plugin, or a folder above it.
  case untrusted(String, reason: ErrorReport)
  /// The plugin crashed in an earlier run.
  case quarantined(PluginQuarantine.Entry)
  /// The plugin's activation failed; the reason is its own error.
  case activationFailed(String, reason: ErrorReport)

  /// The code of ``notEnabled(_:path:)``.
  static let notEnabledCode = "host.plugin-not-enabled"

  var report: ErrorReport {
    switch self {
    case .unknownPlugin(let id, let known):
      let nearest = Suggestion.advice(for: id, in: known)
      return ErrorReport(
        code: "host.unknown-plugin", kind: .notFound, "there is no plugin '\(id)'",
        advice: nearest ?? (known.isEmpty ? "no plugin is installed" : "plugins are " + known.joined(separator: ", ")))
    case .unknownCommand(let plugin, let command, let known):
      let nearest = Suggestion.advice(for: command, in: known)
      return ErrorReport(
        code: "host.unknown-command", kind: .usage, "plugin '\(plugin)' has no command '\(command)'",
        advice: nearest ?? "commands are " + known.joined(separator: ", "))
    case .disabled(let id):
      return ErrorReport(
        code: "host.plugin-disabled", kind: .refused, "plugin '\(id)' is disabled",
        advice: "enable it with 'workbench plugin enable \(id)'", details: ["plugin": .text(id)])
    case .notEnabled(let id, let path):
      return ErrorReport(
        code: Self.notEnabledCode, kind: .refused, "plugin '\(id)' at '\(path)' is not enabled yet",
        advice: "if you trust it, enable it with 'workbench plugin enable \(id)'",
        details: ["plugin": .text(id), "path": .text(path)])
    case .untrusted(let id, let reason):
      return ErrorReport(
        code: reason.code, kind: reason.kind, "plugin '\(id)' cannot be used: \(reason.message)", advice: reason.advice,
        details: reason.details)
    case .quarantined(let entry):
      return ErrorReport(
        code: "host.plugin-quarantined", kind: .pluginFailed, "plugin '\(entry.id)' is quarantined: it \(entry.reason)",
        advice: "re-enable it with 'workbench plugin unquarantine \(entry.id)'",
        details: ["plugin": .text(entry.id), "signal": .text(entry.signal), "phase": .text(entry.phase)])
    case .activationFailed(let id, let reason):
      return ErrorReport(
        code: "host.plugin-activation-failed", kind: .pluginFailed,
        "cannot activate plugin '\(id)': \(reason.message)", advice: reason.advice,
        details: ["plugin": .text(id), "cause": .text(reason.code)])
    }
  }
}

extension PluginHostError {
  /// Returns the warning that a plugin is set aside because of an earlier run.
  static func setAside(_ entry: PluginQuarantine.Entry) -> Diagnostic {
    Diagnostic(
      .warning, code: "host.plugin-set-aside", "plugin '\(entry.id)' \(entry.reason) and is quarantined", line: nil,
      advice: "re-enable it with 'workbench plugin unquarantine \(entry.id)'")
  }
}
