internal import Synchronization

/// A task that waits for its turn on a store's thread, and may give up before.
final class QueuedAccess<Result: Sendable>: Sendable {
  private struct State {
    var waiting: CheckedContinuation<Result, any Error>?
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Suspends a task; resumes it at once if it was already canceled.
  func wait(_ continuation: CheckedContinuation<Result, any Error>) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.waiting = continuation }
      return state.isCancelled
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
  }

  /// Returns the task at its turn; nil if it has already resumed.
  func begin() -> CheckedContinuation<Result, any Error>? {
    state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
  }

  /// Resumes the task with `CancellationError` if it is still waiting.
  func cancel() {
    let waiting = state.withLock { state in
      defer { state = State(waiting: nil, isCancelled: true) }
      return state.waiting
    }
    waiting?.resume(throwing: CancellationError())
  }
}
