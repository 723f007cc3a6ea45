import PluginAPI
import Synchronization

/// Work of a screen in a child process, which the host can cancel.
final class ServedWork: Cancellable, WorkProgress {
  /// Receives the outcome, on any thread.
  typealias Receiver = @Sendable (Result<Load.Completion, any Error>) -> Void

  private struct State {
    var isCancelled = false
    var task: Task<Void, Never>?
  }

  private let load: Load
  private let plugin: String
  private let progress: ReportLimit
  private let state = Mutex(State())

  /// Creates work that begins with ``start(_:)``.
  init(_ load: Load, of plugin: String, progress: ReportLimit) {
    (self.load, self.plugin, self.progress) = (load, plugin, progress)
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func report(_ progress: Progress) { self.progress.report(progress) }

  /// Starts the work.
  func start(_ receive: @escaping Receiver) {
    switch load.work {
    case .concurrent(let work):
      let task = Task {
        do {
          let completion = try await work(self)
          receive(.success(completion))
        } catch {
          receive(.failure(self.failure(error)))
        }
      }
      let isCancelled = state.withLock { state in
        state.task = task
        return state.isCancelled
      }
      if isCancelled { task.cancel() }
    case .blocking(let work):
      WorkQueue(load.label, isUrgent: true).async {
        do {
          receive(.success(try work(self)))
        } catch {
          receive(.failure(self.failure(error)))
        }
      }
    @unknown default: receive(.failure(CancellationError()))
    }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  /// Returns the error as the interface reports it for work of this process.
  private func failure(_ error: any Error) -> any Error {
    error is CancellationError ? error : ErrorReport(wrapping: error, plugin: plugin, command: load.label)
  }
}
