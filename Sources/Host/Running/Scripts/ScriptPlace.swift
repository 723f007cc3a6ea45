internal import CHost
import PluginAPI
import Synchronization

/// The line of a script that runs now, for errors that end the process from any thread.
final class ScriptPlace: Sendable {
  private let place = Mutex<String?>(nil)

  /// The file and line, `file:line`; nil while no line of a script runs.
  var text: String? { place.withLock { $0 } }

  /// Sets the line, which a crash names as well.
  func set(_ text: String?) {
    place.withLock { $0 = text }
    chost_crash_set_place(text ?? "")
  }
}
