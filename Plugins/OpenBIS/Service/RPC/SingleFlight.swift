import Synchronization

/// A task that runs once for all concurrent callers.
///
/// A canceled caller stops waiting at once; when no caller waits any more, the task is canceled.
final class SingleFlight<Output: Sendable>: Sendable {
  private struct State {
    var next = 0
    var waiting: [Int: CheckedContinuation<Output, any Error>] = [:]
    var task: Task<Void, Never>?
    /// The number that distinguishes a task from earlier ones.
    var flight = 0
  }

  private let state = Mutex(State())

  /// Waits for the running task, or starts it.
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
        // A cancellation before the continuation was stored had no effect yet.
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
