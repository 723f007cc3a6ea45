import Glibc
import PluginStore

/// Long computations in the background: each on its own thread, which gets only processor time that others leave.
enum QuietThread {
  /// The lowest priority: compared with a thread of normal priority it gets about a seventieth of the time.
  ///
  /// - Source: sched(7), "The nice value".
  static let niceness: Int32 = 19

  /// Computes a value and waits for it without blocking a thread.
  ///
  /// - Throws: Errors of the computation.
  static func value<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let asking = pthread_self()
      OwnThread.run {
        // If no thread is available the work is done on this one, which must keep its priority.
        if pthread_equal(pthread_self(), asking) == 0 { stepBack(to: niceness) }
        continuation.resume(with: Result { try work() })
      }
    }
  }

  /// Lowers the priority of this thread permanently.
  ///
  /// - Parameter niceness: From 1 to 19, the last to be run.
  static func stepBack(to niceness: Int32) {
    // On Linux the priority belongs to a thread, and 0 names the calling one. A process without the permission keeps
    // its priority.
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
  }
}
