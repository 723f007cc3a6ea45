import PluginAPI
import Synchronization

/// One piece of work on a thread of its own, or one that waits in a task; its outcome reaches the loop once, cancellation
/// at once.
final class BackgroundJob: Cancellable, WorkProgress {
  private struct State {
    var isCancelled = false
    var completion: (@MainActor @Sendable (WorkOutcome) -> Void)?
    var pending: Progress?
    var task: Task<Void, Never>?
  }

  private let loop: HostEventLoop
  private let onProgress: (@MainActor @Sendable (Progress) -> Void)?
  private let state: Mutex<State>

  init(
    loop: HostEventLoop, onProgress: (@MainActor @Sendable (Progress) -> Void)?,
    completion: @escaping @MainActor @Sendable (WorkOutcome) -> Void
  ) {
    self.loop = loop
    self.onProgress = onProgress
    state = Mutex(State(completion: completion))
  }

  /// Starts work that blocks its thread.
  func start(_ label: String, _ work: @escaping @Sendable (any WorkProgress) throws -> any Sendable) {
    WorkQueue(label, isUrgent: true).async { self.end(with: Result { try work(self) }) }
  }

  /// Starts work that waits without blocking a thread.
  func start(_ work: @escaping @Sendable (any WorkProgress) async throws -> any Sendable) {
    let task = Task {
      do {
        let result = try await work(self)
        self.end(with: .success(result))
      } catch {
        self.end(with: .failure(error))
      }
    }
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
    end(.cancelled)
  }

  /// Reports that arrive before the loop took the last one replace it.
  func report(_ progress: Progress) {
    guard let onProgress else { return }
    let wasEmpty = state.withLock { state in
      defer { state.pending = progress }
      return state.pending == nil
    }
    guard wasEmpty else { return }
    loop.post {
      let latest = self.state.withLock { state in
        defer { state.pending = nil }
        return state.isCancelled ? nil : state.pending
      }
      if let latest { onProgress(latest) }
    }
  }

  private func end(with result: Result<any Sendable, any Error>) {
    switch result {
    case .success(let value): end(.finished(value))
    case .failure(is CancellationError): end(.cancelled)
    case .failure(let error): end(.failed(error))
    }
  }

  private func end(_ outcome: WorkOutcome) {
    let completion = state.withLock { state in
      defer { state.completion = nil }
      return state.completion
    }
    guard let completion else { return }
    loop.post { completion(outcome) }
  }
}
