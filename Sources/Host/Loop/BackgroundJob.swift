import PluginAPI
import Synchronization

/// One piece of work on a thread of its own; its outcome reaches the loop once, cancellation at once.
final class BackgroundJob: Cancellable, WorkProgress {
  private struct State {
    var isCancelled = false
    var completion: (@MainActor @Sendable (WorkOutcome) -> Void)?
    var pending: Progress?
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

  func start(_ label: String, _ work: @escaping @Sendable (any WorkProgress) throws -> any Sendable) {
    WorkQueue(label, isUrgent: true).async {
      do {
        self.end(.finished(try work(self)))
      } catch is CancellationError {
        self.end(.cancelled)
      } catch {
        self.end(.failed(error))
      }
    }
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func cancel() {
    state.withLock { $0.isCancelled = true }
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

  private func end(_ outcome: WorkOutcome) {
    let completion = state.withLock { state in
      defer { state.completion = nil }
      return state.completion
    }
    guard let completion else { return }
    loop.post { completion(outcome) }
  }
}
