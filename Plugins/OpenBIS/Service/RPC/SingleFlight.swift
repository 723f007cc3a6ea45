import Synchronization

/// Does a piece of work once for all who want it at the same time.
///
/// Whoever is cancelled stops waiting at once; when nobody waits any more the work is cancelled.
final class SingleFlight<Output: Sendable>: Sendable {
  private struct State {
    var next = 0
    var waiting: [Int: CheckedContinuation<Output, any Error>] = [:]
    var task: Task<Void, Never>?
    /// Tells one flight from the one before.
    var flight = 0
  }

  private let state = Mutex(State())

  /// Waits for the work that is under way, or begins it.
  func run(_ work: @escaping @Sendable () async throws -> Output) async throws -> Output {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
        state.withLock { state in
          state.waiting[number] = continuation
          if state.task == nil { state.task = start(work, &state) }
        }
        // A cancellation that came before the continuation was there found nothing to end.
        if Task.isCancelled { leave(number) }
      }
    } onCancel: {
      leave(number)
    }
  }

  private func start(_ work: @escaping @Sendable () async throws -> Output, _ state: inout State) -> Task<Void, Never> {
    state.flight += 1
    let flight = state.flight
    return Task {
      let result: Result<Output, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      land(flight, result)
    }
  }

  private func land(_ flight: Int, _ result: Result<Output, any Error>) {
    let waiting = state.withLock { state -> [CheckedContinuation<Output, any Error>] in
      guard state.flight == flight else { return [] }
      defer { (state.waiting, state.task) = ([:], nil) }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(with: result) }
  }

  private func leave(_ number: Int) {
    let (continuation, task) = state.withLock {
      state -> (CheckedContinuation<Output, any Error>?, Task<Void, Never>?) in
      guard let found = state.waiting.removeValue(forKey: number) else { return (nil, nil) }
      guard state.waiting.isEmpty else { return (found, nil) }
      defer {
        state.task = nil
        state.flight += 1
      }
      return (found, state.task)
    }
    task?.cancel()
    continuation?.resume(throwing: CancellationError())
  }
}
