internal import CDispatch
internal import CHost

/// A serial queue of libdispatch.
///
/// The host calls libdispatch's C functions: its Swift overlay brings the libraries of regular expressions into the
/// process, which is a seventh of the time `version` takes (Documentation/Decisions/0009).
// A queue may be used on any thread.
final class WorkQueue: @unchecked Sendable {
  let handle: dispatch_queue_t
  /// `QOS_CLASS_USER_INITIATED`, which Swift cannot import.
  private static let userInitiated: dispatch_qos_class_t = 0x19

  /// Makes a queue.
  ///
  /// - Parameters:
  ///   - label: The name shown in debuggers.
  ///   - isUrgent: True if the user waits for its work.
  init(_ label: String, isUrgent: Bool = false) {
    let attributes = isUrgent ? dispatch_queue_attr_make_with_qos_class(nil, Self.userInitiated, 0) : nil
    handle = dispatch_queue_create(label, attributes)
  }

  deinit { chost_dispatch_release(UnsafeMutableRawPointer(handle)) }

  /// Puts a piece of work at the end.
  func async(_ work: @escaping @Sendable () -> Void) {
    dispatch_async(handle, work)
  }

  /// Puts a piece of work at the end after a time.
  func async(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void) {
    dispatch_after(QueueTime.after(seconds), handle, work)
  }
}

/// Dispatch's main queue, which is the main actor.
enum MainQueue {
  /// Puts a piece of work at the end.
  static func async(_ work: @escaping @MainActor @Sendable () -> Void) {
    dispatch_async(dispatch_get_main_queue()) { MainActor.assumeIsolated(work) }
  }

  /// Puts a piece of work at the end after a time.
  static func async(afterSeconds seconds: Double, _ work: @escaping @MainActor @Sendable () -> Void) {
    dispatch_after(QueueTime.after(seconds), dispatch_get_main_queue()) { MainActor.assumeIsolated(work) }
  }

  /// Runs the queue for the rest of the process, on its first thread.
  static func run() -> Never { chost_run_main_queue() }
}

/// Moments as libdispatch counts them.
enum QueueTime {
  /// Returns the moment a number of seconds from now, at most about thirty years.
  static func after(_ seconds: Double) -> dispatch_time_t {
    dispatch_time(0, Int64(nanoseconds(max(0, seconds))))
  }

  /// Returns seconds as nanoseconds, for any number.
  static func nanoseconds(_ seconds: Double) -> UInt64 {
    UInt64(min(max(0, seconds.isNaN ? 0 : seconds), 1e9) * 1e9)
  }
}

/// A count that threads wait for.
// A semaphore may be used on any thread.
final class WorkSemaphore: @unchecked Sendable {
  private let handle: dispatch_semaphore_t

  init() { handle = dispatch_semaphore_create(0) }

  deinit { chost_dispatch_release(UnsafeMutableRawPointer(handle)) }

  /// Wakes one waiting thread.
  func signal() { dispatch_semaphore_signal(handle) }

  /// Waits for a signal.
  func wait() { dispatch_semaphore_wait(handle, .max) }

  /// Waits for a signal, but not for ever.
  ///
  /// - Returns: True if there was one in time.
  func wait(seconds: Double) -> Bool { dispatch_semaphore_wait(handle, QueueTime.after(seconds)) == 0 }
}
