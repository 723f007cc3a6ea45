internal import Glibc
internal import Synchronization

/// A thread that does one piece of work after the other, in the order given.
///
/// SQLite calls block; they must take no thread of Swift's pool, which has only as many as the machine has cores.
final class StoreThread: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isStarted = false
    var isEnding = false
    var thread: pthread_t?
  }

  private let state = Mutex(State())
  private let signal = Semaphore()

  /// Whether the caller runs on this thread.
  var isCurrent: Bool {
    guard let thread = state.withLock({ $0.thread }) else { return false }
    return pthread_equal(thread, pthread_self()) != 0
  }

  /// Puts a piece of work at the end of the queue; the first one starts the thread.
  ///
  /// - Returns: false if the thread was told to end before.
  @discardableResult
  func run(_ job: @escaping @Sendable () -> Void) -> Bool {
    let (isAccepted, mustStart) = state.withLock { state in
      if state.isEnding { return (false, false) }
      state.jobs.append(job)
      defer { state.isStarted = true }
      return (true, !state.isStarted)
    }
    if mustStart { start() }
    if isAccepted { signal.signal() }
    return isAccepted
  }

  /// Ends the thread after a last piece of work; the queue takes nothing afterwards.
  ///
  /// - Returns: false if it was told so before; the piece of work is not done then.
  @discardableResult
  func end(after last: @escaping @Sendable () -> Void) -> Bool {
    let (isFirst, isStarted) = state.withLock { state in
      defer { state.isEnding = true }
      if state.isEnding { return (false, state.isStarted) }
      if state.isStarted { state.jobs.append(last) }
      return (true, state.isStarted)
    }
    if isFirst, isStarted { signal.signal() }
    if isFirst, !isStarted { last() }
    return isFirst
  }

  private func start() {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(self).toOpaque()
    let result = pthread_create(&thread, nil, runStoreThread, box)
    precondition(result == 0, "the system gives no more threads")
    pthread_detach(thread)
  }

  fileprivate func loop() {
    state.withLock { $0.thread = pthread_self() }
    while true {
      signal.wait()
      let (jobs, isEnding) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.isEnding)
      }
      for job in jobs { job() }
      if isEnding, state.withLock({ $0.jobs.isEmpty }) { break }
    }
    // The system may give the number of an ended thread to a new one.
    state.withLock { $0.thread = nil }
  }
}

private func runStoreThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let box { Unmanaged<StoreThread>.fromOpaque(box).takeRetainedValue().loop() }
  return nil
}
