import Glibc
import PluginStore
import Synchronization

/// A gate that limits concurrent reviews of captures, in order of arrival.
///
/// Hundreds of sensors deliver at the same moment. If all their pictures were scored then, captures in progress would
/// wait for them, and the screen too.
final class ReviewGate: Sendable {
  /// The subject of a review.
  struct Subject: Hashable, Sendable {
    /// The folder of the store.
    var folder: String
    var capture: Int
  }

  /// The gate for computations of this process; leaves at least one processor to captures.
  static let shared = ReviewGate(places: min(2, max(1, Processors.count - 1)))
  /// For programs of the deployer, which mostly wait for something themselves.
  static let programs = ReviewGate(places: 8)

  private let turns: Turns
  private let subjects = Mutex<[Subject: Int]>([:])

  /// - Parameter places: The number of concurrent reviews.
  init(places: Int) { turns = Turns(places: places) }

  /// Returns true if a subject is being reviewed, or will be.
  func isAwaited(_ subject: Subject) -> Bool { subjects.withLock { $0[subject] != nil } }

  /// The number of reviews waiting for a place.
  var waitingCount: Int { turns.waitingCount }

  /// Waits for a place and runs the body in it.
  ///
  /// - Throws: `CancellationError` if the task is canceled while it waits; errors of the body.
  func pass<Value: Sendable>(_ subject: Subject, _ body: () async throws -> Value) async throws -> Value {
    subjects.withLock { $0[subject, default: 0] += 1 }
    defer {
      subjects.withLock { subjects in
        let left = (subjects[subject] ?? 1) - 1
        subjects[subject] = left > 0 ? left : nil
      }
    }
    guard await turns.takeUnlessCancelled() else { throw CancellationError() }
    defer { turns.pass() }
    return try await body()
  }
}

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
