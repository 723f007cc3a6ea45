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

/// A limiter of concurrent operations; further ones wait in their order.
final class TaskLimiter: Sendable {
  private struct State {
    var free: Int
    var next = 0
    var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  }

  private let state: Mutex<State>

  /// Creates a limiter with a number of slots, at least one.
  init(_ slots: Int) {
    state = Mutex(State(free: max(1, slots)))
  }

  /// Waits for a slot and calls `body`.
  ///
  /// - Throws: Errors of `body`; `CancellationError` if the task is canceled while it waits.
  func withSlot<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
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
