internal import Synchronization

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
