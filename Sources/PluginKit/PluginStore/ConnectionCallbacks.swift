internal import CSQLite
internal import Glibc

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
