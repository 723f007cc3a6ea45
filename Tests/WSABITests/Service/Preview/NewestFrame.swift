import Synchronization

@testable import WSABI

/// A holder for the newest picture of a live preview until it is read; older ones are dropped.
final class NewestFrame: Sendable {
  private let state = Mutex<PreviewFrame?>(nil)

  /// Replaces the picture.
  func put(_ frame: PreviewFrame) { state.withLock { $0 = frame } }

  /// Returns the newest picture that was not read yet.
  func take() -> PreviewFrame? {
    state.withLock { frame in
      defer { frame = nil }
      return frame
    }
  }
}
