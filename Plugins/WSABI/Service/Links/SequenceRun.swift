import PluginAPI
import Synchronization

/// A sequence in progress: its observer, the recorder of its captures, and its cancellation.
final class SequenceRun: Sendable {
  /// The progress of a sequence.
  enum Progress: Sendable, Hashable {
    case asking(SequenceStep)
    /// The status; nil if there was no response.
    case answered(SequenceStep, OperationStatus?)
    case waiting(OperationStatus, milliseconds: Int)
    /// Another client has the lock; the service's message about it.
    case held(message: String)
    case canceling
    /// A lock left by a dead process was released, or not.
    case leftLock(isGivenBack: Bool)
    /// The sequence ended, but the sensor did not confirm the release of its lock.
    case lockKept
  }

  /// Called around each capture.
  struct CaptureHooks: Sendable {
    /// Records that a capture is about to be requested; if this fails, no request is sent.
    var willCapture: @Sendable (SensorUUID) async throws -> Void = { _ in }
    /// Records the result, before anything else happens.
    var didCapture: @Sendable (SequenceEvent) async -> Void = { _ in }
  }

  /// The effort of a run.
  enum Effort: Sendable, Hashable {
    /// Steps are retried, with waits.
    case full
    /// Each step is tried once, without waiting.
    case once
    /// The same for leftover data while captures run; it ends with them.
    case besideCaptures
  }

  private struct State {
    var isCancelled = false
    /// The actions of a cancel, by their tokens.
    var handlers: [Int: @Sendable () -> Void] = [:]
    var count = 0
  }

  let hooks: CaptureHooks
  let effort: Effort
  let report: @Sendable (Progress) -> Void
  private let state = Mutex(State())

  init(
    hooks: CaptureHooks = CaptureHooks(), effort: Effort = .full,
    report: @escaping @Sendable (Progress) -> Void = { _ in }
  ) {
    (self.hooks, self.effort, self.report) = (hooks, effort, report)
  }

  /// True if the user canceled the run.
  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Ends the run as soon as possible: waits end now, an operation of the sensor is canceled at the service.
  func cancel() {
    let handlers = state.withLock { state in
      state.isCancelled = true
      return Array(state.handlers.values)
    }
    for handle in handlers { handle() }
  }

  /// Registers an action for the cancel, called at once if it already happened; until ``removeHandler(_:)``.
  ///
  /// - Returns: The token for ``removeHandler(_:)``.
  func onCancel(_ handle: @escaping @Sendable () -> Void) -> Int {
    let (token, isCancelled) = state.withLock { state in
      state.count += 1
      if !state.isCancelled { state.handlers[state.count] = handle }
      return (state.count, state.isCancelled)
    }
    if isCancelled { handle() }
    return token
  }

  func removeHandler(_ token: Int) { state.withLock { $0.handlers[token] = nil } }

  /// Waits, but not beyond the cancel.
  ///
  /// - Returns: True if the whole time passed.
  func sleep(_ milliseconds: Int, _ clock: LinkClock) async -> Bool {
    if effort != .full { return false }
    await perform { _ = try? await clock.sleep(milliseconds) }
    return !isCancelled
  }

  /// Runs a task that is canceled with the run; at once if the run was already canceled.
  func perform<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    let task = Task { await work() }
    let token = onCancel { task.cancel() }
    defer { removeHandler(token) }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }
}

/// The clock of links; tests have their own.
struct LinkClock: Sendable {
  var now: @Sendable () -> Instant
  /// Waits for a number of milliseconds.
  ///
  /// It throws an error when the task is canceled.
  var sleep: @Sendable (_ milliseconds: Int) async throws -> Void

  /// Waits for a task until its time is over, and then cancels it.
  func wait(for work: Task<Void, Never>, milliseconds: Int) async {
    let (ended, end) = AsyncStream.makeStream(of: Never.self)
    Task {
      await work.value
      end.finish()
    }
    let limit = Task {
      try? await sleep(milliseconds)
      end.finish()
    }
    for await _ in ended {}
    work.cancel()
    limit.cancel()
  }
}

/// The waiting times of a link.
struct LinkTimes: Sendable, Hashable {
  /// The margin added to a service's timeout for an operation of its sensor before the operation is canceled.
  var marginInMilliseconds = 5000
  /// The time for which the response of a canceled operation is awaited: it may announce a finished capture.
  var graceInMilliseconds = 10_000
  /// The timeout of operations that do not involve the sensor.
  var shortInMilliseconds = 10_000
  /// The timeout of one attempt at a cancel, which services may also leave without a response.
  var cancelInMilliseconds = 5000
  /// The number of attempts for a cancel that gets no response.
  var cancelAttempts = 3
  /// The timeout of each step in releasing the lock of a dead process.
  var givingBackInMilliseconds = 2000
  /// The time for one attempt at a download.
  var downloadInMilliseconds = 600_000
  /// The longest wait of a download for others that began before it.
  var downloadTurnInMilliseconds = 500
  /// The first wait for data that is not ready; doubled to the longest.
  var firstPollInMilliseconds = 500
  var longestPollInMilliseconds = 30_000
  /// The total time to wait for data that is not ready, before it is left to the next start.
  var pollingInMilliseconds = 600_000
  /// The time for which a service's information is considered valid before it is requested again.
  var informationInMilliseconds = 600_000
  /// The time that a new capture waits for leftover data, while its sensors do not have it ready or do not respond.
  var beforeCaptureInMilliseconds = 5000
  /// The timeout of releasing all locks and sessions after the last view of sensors is closed.
  var closingInMilliseconds = 5000
  /// The time for it at the end of the program: less than the host waits for the store to close.
  var endingInMilliseconds = 1500
  /// The waiting times for another holder of the lock and for a busy sensor.
  var patience = SensorSequence.Patience()

  func seconds(_ milliseconds: Int) -> Double { Double(milliseconds) / 1000 }
}
