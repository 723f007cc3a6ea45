internal import CSQLite
internal import Synchronization

/// One use of a store: lets whoever waits for it end it early, whether it waits, runs or is over.
final class AccessTicket: Sendable {
  private struct State {
    var isCancelled = false
    /// The address of the connection while the access runs, else 0.
    var running: UInt = 0
  }

  private let state = Mutex(State())

  /// Whether the access shall end.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Says which connection works for the access now; nil for none.
  func setRunning(_ handle: OpaquePointer?) {
    state.withLock { $0.running = UInt(bitPattern: handle) }
  }

  /// Ends the access: SQLite stops at the next chance.
  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      // Under the lock, so that the connection cannot be closed meanwhile.
      if let handle = OpaquePointer(bitPattern: state.running) { sqlite3_interrupt(handle) }
    }
  }
}
