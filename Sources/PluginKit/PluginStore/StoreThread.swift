internal import Glibc
internal import Synchronization

/// A thread that runs pieces of work one after the other, in order.
///
/// SQLite calls block; they must not occupy a thread of Swift's pool, which has only as many as the machine has cores.
final class StoreThread: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var isStarted = false
    var isEnding = false
    var thread: pthread_t?
  }

  private let state = Mutex(State())
  private let signal = Semaphore()

  /// A Boolean value indicating whether the caller runs on this thread.
  var isCurrent: Bool {
    guard let thread = state.withLock({ $0.thread }) else { return false }
    return pthread_equal(thread, pthread_self()) != 0
  }

  /// Appends a piece of work to the queue; the first one starts the thread.
  ///
  /// - Returns: False if the thread was already asked to end.
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

  /// Ends the thread after a last piece of work; the queue accepts nothing afterwards.
  ///
  /// - Returns: False if the thread was already asked to end; the piece of work is then not run.
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
    precondition(result == 0, "the system cannot create another thread")
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
    // The system may reuse the number of an ended thread.
    state.withLock { $0.thread = nil }
  }
}

private func runStoreThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let box { Unmanaged<StoreThread>.fromOpaque(box).takeRetainedValue().loop() }
  return nil
}

/// A holder of a store's open connection.
// Only the store's thread touches it, and the code that closes it after the thread ended or before it began.
final class ConnectionSlot: @unchecked Sendable {
  var connection: Connection?

  func close() {
    connection?.close()
    connection = nil
  }
}

/// A result that passes from the store's thread to a waiting thread.
final class Answer<Success: Sendable>: Sendable {
  private let result = Mutex<Result<Success, any Error>?>(nil)
  private let signal = Semaphore()

  func set(_ value: Result<Success, any Error>) {
    result.withLock { $0 = value }
    signal.signal()
  }

  func wait() throws -> Success {
    while true {
      if let result = result.withLock({ $0 }) { return try result.get() }
      signal.wait()
    }
  }
}

/// A counting semaphore for threads.
// The memory is that of one POSIX semaphore, which any thread may use.
private final class Semaphore: @unchecked Sendable {
  private let handle = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() {
    let result = sem_init(handle, 0, 0)
    precondition(result == 0, "a count of zero is allowed")
  }

  deinit {
    sem_destroy(handle)
    handle.deallocate()
  }

  /// Wakes one waiting thread.
  func signal() { sem_post(handle) }

  /// Waits for a signal.
  func wait() {
    // A signal handler may interrupt the wait.
    while sem_wait(handle) != 0, errno == EINTR {}
  }
}
