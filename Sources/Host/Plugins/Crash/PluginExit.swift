internal import CHost
import PluginAPI
import Synchronization

/// Ends the program in order when a plugin calls `exit` or one of its kin.
enum PluginExit {
  private struct Ending: Sendable {
    var end: @Sendable (ErrorReport) -> Void
  }

  private static let ending = Mutex<Ending?>(nil)

  /// Calls `end` instead of ending the process, on the thread that wanted to end it; from then on only
  /// ``chost_end(_:)`` does.
  static func watch(_ end: @escaping @Sendable (ErrorReport) -> Void) {
    ending.withLock { $0 = Ending(end: end) }
    chost_exit_watch { plugin, phase, command in
      func text(_ characters: UnsafePointer<CChar>?) -> String { characters.map { String(cString: $0) } ?? "" }
      let report = PluginExit.report(plugin: text(plugin), phase: text(phase), command: text(command))
      PluginExit.ending.withLock { $0 }?.end(report)
    }
  }

  /// Returns the error that names the plugin that ended the program; an unknown plugin is not set aside.
  static func report(plugin: String, phase: String, command: String) -> ErrorReport {
    let doing = PluginPhase.description(phase: phase, command: command)
    return ErrorReport(
      code: "host.plugin-exited", kind: .pluginFailed,
      (plugin.isEmpty ? "a plugin" : "plugin '\(plugin)'") + " ended the program" + doing,
      advice: plugin.isEmpty ? nil : "it is quarantined at the next start",
      details: ["plugin": .text(plugin), "phase": .text(phase), "command": .text(command)])
  }
}
