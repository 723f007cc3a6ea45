import Synchronization

/// A limiter of concurrent operations; further ones wait in their order.
final class PlaceKeeper: Sendable {
  private struct State {
    var free: Int
    var next = 0
    var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  }

  private let state: Mutex<State>

  /// Creates a limiter with a number of places, at least one.
  init(_ places: Int) {
    state = Mutex(State(free: max(1, places)))
  }

  /// Waits for a place and calls `body`.
  ///
  /// - Throws: Errors of `body`; `CancellationError` if the task is canceled while it waits.
  func withPlace<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    try await take()
    defer { give() }
    return try await body()
  }

  private func take() async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let isNow = state.withLock { state in
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.waiting.append((number, continuation))
          return false
        }
        if isNow { return continuation.resume() }
        if Task.isCancelled { leave(number) }
      }
    } onCancel: {
      leave(number)
    }
  }

  private func give() {
    let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
      state.free += 1
      return nil
    }
    next?.resume()
  }

  private func leave(_ number: Int) {
    let left = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiting.remove(at: index).continuation
    }
    left?.resume(throwing: CancellationError())
  }
}
