internal import Synchronization

/// A task that waits for its turn on a store's thread, or gives up before.
final class QueuedAccess<Result: Sendable>: Sendable {
  private struct State {
    var waiting: CheckedContinuation<Result, any Error>?
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Lets a task wait; it goes on at once if it was cancelled before.
  func wait(_ continuation: CheckedContinuation<Result, any Error>) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.waiting = continuation }
      return state.isCancelled
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
  }

  /// The task, whose turn it is; nil if it has gone on.
  func begin() -> CheckedContinuation<Result, any Error>? {
    state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
  }

  /// Lets the task go on with `CancellationError` if it still waits.
  func cancel() {
    let waiting = state.withLock { state in
      defer { state = State(waiting: nil, isCancelled: true) }
      return state.waiting
    }
    waiting?.resume(throwing: CancellationError())
  }
}
