internal import CSQLite
internal import Synchronization

/// One use of a store: lets whoever waits for it end it early, whether it waits, runs or is over.
final class AccessTicket: Sendable {
  /// Looked at before every step of a statement, so it must cost next to nothing.
  private let cancelled = Atomic(false)
  /// The address of the connection while the access runs, else 0.
  private let running = Mutex<UInt>(0)

  /// Whether the access shall end.
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Says which connection works for the access now; nil for none.
  func setRunning(_ handle: OpaquePointer?) {
    running.withLock { $0 = UInt(bitPattern: handle) }
  }

  /// Ends the access: SQLite stops at the next chance.
  func cancel() {
    cancelled.store(true, ordering: .releasing)
    running.withLock { running in
      // Under the lock, so that the connection cannot be closed meanwhile.
      if let handle = OpaquePointer(bitPattern: running) { csqlite_interrupt(handle) }
    }
  }
}
