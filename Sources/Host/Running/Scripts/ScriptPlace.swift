internal import CHost
import PluginAPI
import Synchronization

/// The statement of a script that runs now, for errors that end the process from any thread.
final class ScriptPlace: Sendable {
  /// A statement that runs.
  struct Entry: Hashable, Sendable {
    /// The file, the line and, unless the language has none, the column: `survey.wbs:12:7`.
    let position: String
    /// The name of the command, such as `molecules info`; nil for a statement without one.
    let command: String?

    /// Creates an entry for a statement.
    init(position: ScriptPosition, command: String?) {
      self.init(at: position.description, command: command)
    }

    /// Creates an entry for a place in a script of another language, such as `survey.lua:3`.
    init(at position: String, command: String? = nil) {
      (self.position, self.command) = (position, command)
    }

    /// The position and the command, as messages begin: `survey.wbs:12:7: in 'molecules info'`.
    var prefix: String { command.map { "\(position): in '\($0)'" } ?? position }
  }

  private let state = Mutex<Entry?>(nil)
  private let isNamedByCrashes: Bool

  /// Creates a place.
  ///
  /// - Parameter isNamedByCrashes: False for one of several parallel statements: a crash names their block.
  init(isNamedByCrashes: Bool = true) { self.isNamedByCrashes = isNamedByCrashes }

  /// The statement; nil while none runs.
  var entry: Entry? { state.withLock { $0 } }

  /// Sets the statement, which a crash names as well.
  func set(_ entry: Entry?) {
    state.withLock { $0 = entry }
    if isNamedByCrashes { chost_crash_set_place(entry?.prefix ?? "") }
  }
}
