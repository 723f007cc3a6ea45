internal import Synchronization

/// Holds the open connection of a store.
// Only the store's thread touches it, and whoever closes it after the thread ended or before it began.
final class ConnectionSlot: @unchecked Sendable {
  var connection: Connection?

  func close() {
    connection?.close()
    connection = nil
  }
}

/// Carries a result from the store's thread to one that waits for it.
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
