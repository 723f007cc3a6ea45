internal import CSQLite
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
