import Synchronization

/// A wait that can be ended early; it blocks no thread.
final class SimulatedPause: Sendable {
  private struct State {
    var hasEnded = false
    var timer: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// Waits so long, or for ever, or until it was ended.
  func wait(milliseconds: Int?) async {
    if milliseconds == 0 { return }
    let timer = Task {
      if let milliseconds {
        try? await Task.sleep(for: .milliseconds(milliseconds))
      } else {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
      }
    }
    let hasEnded = state.withLock { state in
      state.timer = timer
      return state.hasEnded
    }
    if hasEnded { timer.cancel() }
    await timer.value
  }

  /// True if the pause was ended by hand.
  var wasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Ends the wait, now or as soon as it begins.
  func end() {
    state.withLock { state in
      state.hasEnded = true
      state.timer?.cancel()
    }
  }
}
