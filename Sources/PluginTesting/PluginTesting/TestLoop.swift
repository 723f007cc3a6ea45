// Queues and sources may be used on any thread, which Dispatch's declarations do not state.
@preconcurrency internal import Dispatch
public import PluginAPI
internal import Synchronization

/// An event loop for tests.
///
/// Work runs on the main actor in order, and time passes only when the test advances it.
///
/// Posted work also runs soon without further calls, so that awaited functions continue. A test that needs it to have
/// run calls ``drain()``. Timers wait for ``advance(by:)``.
public final class TestLoop: EventLoop {
  private struct Timer {
    var id: Int
    var due: Double
    var interval: Double?
    var work: @MainActor @Sendable () -> Void
  }

  private struct State {
    var inbox: [@MainActor @Sendable () -> Void] = []
    var timers: [Timer] = []
    var nextTimer = 0
    var seconds = 0.0
  }

  private let state = Mutex(State())

  /// Creates a loop at time 0.
  public init() {}

  /// The elapsed time in seconds.
  public var elapsedSeconds: Double { state.withLock { $0.seconds } }

  /// Appends a piece of work to the queue.
  public func post(_ work: @escaping @MainActor @Sendable () -> Void) {
    let wasEmpty = state.withLock { state in
      state.inbox.append(work)
      return state.inbox.count == 1
    }
    if wasEmpty { Task { @MainActor in self.drain() } }
  }

  /// Runs the queued work, and any work it posts, until the queue is empty.
  @MainActor public func drain() {
    while true {
      let batch = state.withLock { state in
        defer { state.inbox = [] }
        return state.inbox
      }
      if batch.isEmpty { return }
      for work in batch { work() }
    }
  }

  /// Schedules a timer.
  @discardableResult
  public func schedule(
    after delayInSeconds: Double, every intervalInSeconds: Double?, _ work: @escaping @MainActor @Sendable () -> Void
  ) -> any Cancellable {
    let id = state.withLock { state in
      state.nextTimer += 1
      state.timers.append(
        Timer(
          id: state.nextTimer, due: state.seconds + max(0, delayInSeconds),
          interval: intervalInSeconds.map { max($0, 0.001) }, work: work))
      return state.nextTimer
    }
    return TestHandle { [weak self] in
      self?.state.withLock { state in state.timers.removeAll { $0.id == id } }
    }
  }

  /// Advances the time and runs the timers that become due, in order of their times.
  @MainActor public func advance(by seconds: Double) {
    let end = elapsedSeconds + max(0, seconds)
    while let work = nextDue(until: end) {
      work()
      drain()
    }
    state.withLock { $0.seconds = end }
    drain()
  }

  private func nextDue(until end: Double) -> (@MainActor @Sendable () -> Void)? {
    state.withLock { state in
      let due = state.timers.indices.filter { state.timers[$0].due <= end }
      guard let first = due.min(by: { state.timers[$0].due < state.timers[$1].due }) else { return nil }
      let timer = state.timers[first]
      state.seconds = max(state.seconds, timer.due)
      if let interval = timer.interval {
        state.timers[first].due = timer.due + interval
      } else {
        state.timers.remove(at: first)
      }
      return timer.work
    }
  }

  /// Calls back while a file descriptor is ready.
  public func watch(
    fileDescriptor: Int32, for readiness: Readiness, _ work: @escaping @MainActor @Sendable () -> Void
  ) -> any Cancellable {
    let source: any DispatchSourceProtocol
    switch readiness {
    case .reading: source = DispatchSource.makeReadSource(fileDescriptor: fileDescriptor, queue: .main)
    case .writing: source = DispatchSource.makeWriteSource(fileDescriptor: fileDescriptor, queue: .main)
    @unknown default: preconditionFailure("the contract knows another readiness")
    }
    source.setEventHandler { MainActor.assumeIsolated(work) }
    source.activate()
    return TestHandle { source.cancel() }
  }

  /// Runs work on a thread of its own and reports the outcome on the loop.
  @discardableResult
  public func background(
    _ label: String, _ work: @escaping @Sendable (any WorkProgress) throws -> any Sendable,
    onProgress: (@MainActor @Sendable (Progress) -> Void)?,
    completion: @escaping @MainActor @Sendable (WorkOutcome) -> Void
  ) -> any Cancellable {
    let progress = TestProgress { report in
      if let onProgress { self.post { onProgress(report) } }
    }
    DispatchQueue(label: label).async {
      let outcome = TestLoop.outcome(of: work, progress)
      self.post { completion(outcome) }
    }
    return TestHandle { progress.cancel() }
  }

  /// Runs work synchronously.
  static func outcome(
    of work: @Sendable (any WorkProgress) throws -> any Sendable, _ progress: TestProgress
  ) -> WorkOutcome {
    do {
      let result = try work(progress)
      return progress.isCancelled ? .cancelled : .finished(result)
    } catch is CancellationError {
      return .cancelled
    } catch {
      return .failed(error)
    }
  }
}

/// A handle that ends an operation once.
final class TestHandle: Cancellable {
  private let end: Mutex<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = Mutex(end)
  }

  func cancel() {
    let end = self.end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }
}

/// The progress and cancellation of work in a test.
final class TestProgress: WorkProgress {
  private let state = Mutex(false)
  private let onReport: @Sendable (Progress) -> Void

  init(_ onReport: @escaping @Sendable (Progress) -> Void) {
    self.onReport = onReport
  }

  var isCancelled: Bool { state.withLock { $0 } }

  func cancel() { state.withLock { $0 = true } }

  func report(_ progress: Progress) { onReport(progress) }
}
