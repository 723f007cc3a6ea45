internal import PluginStore
internal import Synchronization

/// Heavy work on a thread of its own, which nobody waits for any more once the task was cancelled.
///
/// The threads that tasks share stay free for what comes from the network.
enum PromptWork {
  /// Runs a piece of work.
  ///
  /// - Throws: What the work throws; `CancellationError` as soon as the task was cancelled, while the work goes on to
  ///   its end unseen.
  static func value<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    let slot = PromptSlot<Result>()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        slot.wait(continuation)
        OwnThread.run { slot.end(Swift.Result { try work() }) }
      }
    } onCancel: {
      slot.end(.failure(CancellationError()))
    }
  }
}

/// Passes the first end of a piece of work on, and drops others.
private final class PromptSlot<Value: Sendable>: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Value, any Error>?
    var isEnded = false
  }

  private let state = Mutex(State())

  /// Takes who waits; it was cancelled already if there was an end before.
  func wait(_ continuation: CheckedContinuation<Value, any Error>) {
    let isEnded = state.withLock { state in
      if !state.isEnded { state.continuation = continuation }
      return state.isEnded
    }
    if isEnded { continuation.resume(throwing: CancellationError()) }
  }

  func end(_ result: Result<Value, any Error>) {
    let continuation = state.withLock { state in
      defer { (state.continuation, state.isEnded) = (nil, true) }
      return state.continuation
    }
    continuation?.resume(with: result)
  }
}
