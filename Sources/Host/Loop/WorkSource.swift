internal import CDispatch
internal import CHost
internal import Glibc

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
    // A signal that cannot be watched, for want of descriptors, is not reported.
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
