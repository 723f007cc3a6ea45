import PluginAPI

/// An error between host and plugins at run time.
enum PluginHostError {
  static let unknownPlugin = DeclaredError("host.unknown-plugin", .notFound, "there is no plugin with this id")
  static func unknownPlugin(_ id: String, known: [String]) -> ErrorReport {
    let nearest = Suggestion.advice(for: id, in: known)
    return unknownPlugin(
      "there is no plugin '\(id)'",
      advice: nearest ?? (known.isEmpty ? "no plugin is installed" : "plugins are " + known.joined(separator: ", ")))
  }
  static func unknownCommand(plugin: String, command: String, known: [String]) -> ErrorReport {
    let nearest = Suggestion.advice(for: command, in: known)
    return CommonHostError.unknownCommand(
      "plugin '\(plugin)' has no command '\(command)'",
      advice: nearest ?? "commands are " + known.joined(separator: ", "))
  }
  static let disabledCode = DeclaredError("host.plugin-disabled", .refused, "the user disabled the plugin")
  static func disabled(_ id: String) -> ErrorReport {
    disabledCode(
      "plugin '\(id)' is disabled", advice: "enable it with 'workbench plugin enable \(id)'",
      details: ["plugin": .text(id)])
  }
  static let notEnabled = DeclaredError(
    "host.plugin-not-enabled", .refused, "a library in the plugin folder is not enabled yet")
  /// The plugin is in the user's folder but not enabled.
  static func notEnabled(_ id: String, path: String) -> ErrorReport {
    notEnabled(
      "plugin '\(id)' at '\(path)' is not enabled yet",
      advice: "if you trust it, enable it with 'workbench plugin enable \(id)'",
      details: ["plugin": .text(id), "path": .text(path)])
  }
  /// Others could change the plugin, or a folder above it.
  static func untrusted(_ id: String, reason: ErrorReport) -> ErrorReport {
    ErrorReport(
      code: reason.code, kind: reason.kind, "plugin '\(id)' cannot be used: \(reason.message)", advice: reason.advice,
      details: reason.details)
  }
  static let quarantined = DeclaredError(
    "host.plugin-quarantined", .pluginFailed,
    "the plugin crashed or ended the program earlier; re-enable it with 'workbench plugin unquarantine'")
  static func quarantined(_ entry: PluginQuarantine.Entry) -> ErrorReport {
    quarantined(
      "plugin '\(entry.id)' is quarantined: it \(entry.reason)",
      advice: "re-enable it with 'workbench plugin unquarantine \(entry.id)'",
      details: ["plugin": .text(entry.id), "signal": .text(entry.signal), "phase": .text(entry.phase)])
  }
  static let noScreens = DeclaredError("host.plugin-no-screens", .notFound, "the plugin has no screens")
  static func noScreens(_ id: String, commands: [String]) -> ErrorReport {
    noScreens(
      "plugin '\(id)' has no screens",
      advice: commands.isEmpty ? nil : "its commands are " + commands.joined(separator: ", "),
      details: ["plugin": .text(id)])
  }
  static let activationFailed = DeclaredError(
    "host.plugin-activation-failed", .pluginFailed, "the plugin could not be activated")
  /// The plugin's activation failed; the reason is its own error.
  static func activationFailed(_ id: String, reason: ErrorReport) -> ErrorReport {
    activationFailed(
      "cannot activate plugin '\(id)': \(reason.message)", advice: reason.advice,
      details: ["plugin": .text(id), "cause": .text(reason.code)])
  }

  /// Returns the warning that a plugin is set aside because of an earlier run.
  static func setAside(_ entry: PluginQuarantine.Entry) -> Diagnostic {
    Diagnostic(
      .warning, code: "host.plugin-set-aside", "plugin '\(entry.id)' \(entry.reason) and is quarantined", line: nil,
      advice: "re-enable it with 'workbench plugin unquarantine \(entry.id)'")
  }
}
