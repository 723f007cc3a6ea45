import PluginAPI
import Synchronization

/// A receiver that records a command's output.
final class CollectedOutput: CommandOutput {
  private let state = Mutex<(values: [Value], diagnostics: [Diagnostic])>(([], []))

  func emit(_ value: Value) async throws {
    try Task.checkCancellation()
    state.withLock { $0.values.append(value) }
  }

  func report(_ progress: Progress) {}

  func warn(_ diagnostic: Diagnostic) {
    state.withLock { $0.diagnostics.append(diagnostic) }
  }

  /// The emitted values.
  var values: [Value] { state.withLock { $0.values } }

  /// The reported diagnostics.
  var diagnostics: [Diagnostic] { state.withLock { $0.diagnostics } }

  /// The one value, or the list of several; null if there was none.
  var value: Value {
    let values = self.values
    return values.count == 1 ? values[0] : values.isEmpty ? .null : .list(values)
  }
}
