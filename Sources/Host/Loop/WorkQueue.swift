internal import CDispatch
internal import CHost
internal import Glibc

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

  /// Waits for a signal for a limited time.
  ///
  /// - Returns: True if there was one in time.
  func wait(seconds: Double) -> Bool { dispatch_semaphore_wait(handle, QueueTime.after(seconds)) == 0 }
}

/// An event source of libdispatch, delivered on a queue: readiness, a signal, a time.
// A source may be used on any thread.
final class WorkSource: @unchecked Sendable {
  /// The event that a source waits for.
  enum Event: Sendable {
    case readable(Int32)
    case writable(Int32)
    /// A signal, which has one source at a time; its action is the host's from now on.
    case signal(Int32)
    /// A time from now and, unless nil, an interval from then on.
    case timer(afterSeconds: Double, everySeconds: Double?)
  }

  private let handle: dispatch_source_t
  /// The descriptor that counts signals; nil for other events.
  private let countDescriptor: Int32?

  /// Makes a source that calls back on a queue, the main queue if nil; it begins with ``start(_:)``.
  init(_ event: Event, on queue: WorkQueue?) {
    let (kind, number) =
      switch event {
      case .readable(let descriptor): (chost_source_readable, descriptor)
      case .writable(let descriptor): (chost_source_writable, descriptor)
      // libdispatch's own signal sources change the signal actions at an unpredictable time.
      case .signal(let signal): (chost_source_readable, chost_signal_watch(signal))
      case .timer: (chost_source_timer, 0)
      }
    if case .signal = event { countDescriptor = number } else { countDescriptor = nil }
    handle = dispatch_source_create(
      chost_source_type(kind), UInt(max(0, number)), 0, queue?.handle ?? dispatch_get_main_queue())
    if case .timer(let delay, let interval) = event {
      // libdispatch's value for a one-time timer.
      let repetition = interval.map { QueueTime.nanoseconds(max(0.001, $0)) } ?? .max
      dispatch_source_set_timer(handle, QueueTime.after(delay), repetition, 1_000_000)
    }
  }

  deinit {
    // A source that never began must not be released.
    dispatch_activate(dispatch_object_t(_ds: handle))
    chost_dispatch_release(UnsafeMutableRawPointer(handle))
  }

  /// Starts the source with a function to call at each event.
  func start(_ work: @escaping @Sendable () -> Void) {
    // A signal that cannot be watched, for lack of descriptors, is not reported.
    if let countDescriptor, countDescriptor < 0 { return }
    dispatch_source_set_event_handler(handle) { [countDescriptor] in
      guard let countDescriptor else { return work() }
      var count: UInt64 = 0
      // Reading resets the count. Signals that arrive together are delivered one by one: a second Ctrl-C has its own
      // meaning.
      guard read(countDescriptor, &count, MemoryLayout.size(ofValue: count)) > 0 else { return }
      for _ in 0..<count { work() }
    }
    dispatch_activate(dispatch_object_t(_ds: handle))
  }

  /// Cancels the source and releases its function.
  func cancel() { dispatch_source_cancel(handle) }
}
