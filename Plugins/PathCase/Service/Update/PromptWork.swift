internal import PluginStore
internal import Synchronization

/// Runs heavy work on a dedicated thread; a canceled task stops waiting for it.
///
/// The shared threads of tasks stay free for network events.
enum PromptWork {
  /// Runs a piece of work.
  ///
  /// - Throws: The errors of the work; `CancellationError` as soon as the task is canceled, while the work continues to
  ///   its end unobserved.
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

/// Delivers the first result of a piece of work, and drops others.
private final class PromptSlot<Value: Sendable>: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Value, any Error>?
    var isEnded = false
  }

  private let state = Mutex(State())

  /// Registers the waiting continuation; it resumes at once if a result already exists.
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
