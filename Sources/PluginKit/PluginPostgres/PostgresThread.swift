internal import Glibc
internal import Synchronization

/// Pieces of work that run one after the other, in order, on a thread that exists while there are any.
///
/// Waiting for a server must not occupy a thread of Swift's pool, which has only as many as the machine has cores.
final class SerialThread: Sendable {
  private let state = Mutex<(jobs: [@Sendable () -> Void], isRunning: Bool)>(([], false))

  /// Appends a piece of work.
  func run(_ job: @escaping @Sendable () -> Void) {
    let mustStart = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { DetachedThread.run { self.drain() } }
  }

  private func drain() {
    while true {
      let jobs = state.withLock { state in
        defer { state.jobs = [] }
        state.isRunning = !state.jobs.isEmpty
        return state.jobs
      }
      if jobs.isEmpty { return }
      for job in jobs { job() }
    }
  }
}

/// A thread for one piece of work.
enum DetachedThread {
  /// Runs a piece of work on a thread of its own.
  static func run(_ work: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Work(run: work))
    if pthread_create(&thread, nil, runDetachedThread, box.toOpaque()) == 0 {
      pthread_detach(thread)
    } else {
      box.takeRetainedValue().run()
    }
  }
}

private final class Work: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runDetachedThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let box { Unmanaged<Work>.fromOpaque(box).takeRetainedValue().run() }
  return nil
}

/// A task that waits for its turn on a thread, and may give up before.
final class QueuedAccess<Result: Sendable>: Sendable {
  private let state = Mutex<(waiting: CheckedContinuation<Result, any Error>?, isCancelled: Bool)>((nil, false))

  /// True once the task was canceled.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Suspends a task; resumes it at once if it was already canceled.
  func wait(_ continuation: CheckedContinuation<Result, any Error>) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.waiting = continuation }
      return state.isCancelled
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
  }

  /// Returns the task at its turn; nil if it has already resumed.
  func begin() -> CheckedContinuation<Result, any Error>? {
    state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
  }

  /// Resumes the task with `CancellationError` if it is still waiting.
  func cancel() {
    let waiting = state.withLock { state in
      defer { state = (nil, true) }
      return state.waiting
    }
    waiting?.resume(throwing: CancellationError())
  }
}
