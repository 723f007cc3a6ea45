internal import CSQLite
internal import Glibc
internal import Synchronization

/// A handle for one access to a store, which cancels the access whether it is queued, running or finished.
final class AccessTicket: Sendable {
  /// Checked before every step of a statement, so it must be cheap.
  private let cancelled = Atomic(false)
  /// The address of the connection while the access runs, else 0.
  private let running = Mutex<UInt>(0)

  /// A Boolean value indicating whether the access should end.
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Sets the connection that serves the access now; nil for none.
  func setRunning(_ handle: OpaquePointer?) {
    running.withLock { $0 = UInt(bitPattern: handle) }
  }

  /// Cancels the access: SQLite stops at the next opportunity.
  func cancel() {
    cancelled.store(true, ordering: .releasing)
    running.withLock { running in
      // Under the lock, so that the connection cannot be closed meanwhile.
      if let handle = OpaquePointer(bitPattern: running) { csqlite_interrupt(handle) }
    }
  }
}

/// A task that waits for its turn on a store's thread, and may give up before.
final class QueuedAccess<Result: Sendable>: Sendable {
  private struct State {
    var waiting: CheckedContinuation<Result, any Error>?
    var isCancelled = false
  }

  private let state = Mutex(State())

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
      defer { state = State(waiting: nil, isCancelled: true) }
      return state.waiting
    }
    waiting?.resume(throwing: CancellationError())
  }
}

/// An observer that records the tables a statement writes to while SQLite compiles it.
///
/// Compilation reveals more than SQLite's hook for changed rows, which ignores tables without row numbers and the
/// deletion of all rows.
final class WriteObserver {
  var tables: Set<String> = []

  func attach(to handle: OpaquePointer) {
    csqlite_set_authorizer(
      handle,
      { context, action, table, _, _, _ in
        guard action == SQLITE_INSERT || action == SQLITE_UPDATE || action == SQLITE_DELETE, let context, let table
        else { return SQLITE_OK }
        let name = String(cString: table)
        if !name.hasPrefix("sqlite_") {
          Unmanaged<WriteObserver>.fromOpaque(context).takeUnretainedValue().tables.insert(name)
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}

/// A handler that waits for locks of other processes, up to a time limit and only while the access is wanted.
final class LockWaiter {
  var ticket: AccessTicket?
  /// A Boolean value indicating whether locks are not waited for now.
  var isImpatient = false
  private let timeoutInSeconds: Double
  private var start = 0.0

  init(timeoutInSeconds: Double) {
    self.timeoutInSeconds = timeoutInSeconds
  }

  func attach(to handle: OpaquePointer) {
    csqlite_busy_handler(
      handle,
      { context, count in
        guard let context else { return 0 }
        return Unmanaged<LockWaiter>.fromOpaque(context).takeUnretainedValue().wait(attempt: Int(count)) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Sleeps briefly: 1 ms at first, 20 ms later.
  ///
  /// - Returns: True to try again.
  private func wait(attempt: Int) -> Bool {
    if attempt == 0 { start = LockWaiter.now() }
    if isImpatient || ticket?.isCancelled == true || LockWaiter.now() - start >= timeoutInSeconds { return false }
    usleep(attempt < 10 ? 1_000 : 20_000)
    return true
  }

  /// Returns the seconds on a monotonic clock.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
