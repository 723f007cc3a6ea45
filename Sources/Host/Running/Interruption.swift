import Glibc
import PluginAPI
import Synchronization

/// Ends the running work when the user presses Ctrl-C or the time limit expires.
///
/// The first interrupt cancels the work; work that does not end within a grace period, or a second interrupt, ends the
/// process. A command that changes something over the network gets a long period, so that it can store and report its
/// progress. All of this runs on a queue of its own, so that a blocked loop does not prevent it.
final class Interruption: Sendable {
  /// The reason why the work was ended.
  enum Cause: Sendable, Equatable {
    case interrupt
    case timeout(seconds: Double)

    var report: ErrorReport {
      switch self {
      case .interrupt: ErrorReport(code: "host.interrupted", kind: .interrupted, "interrupted")
      case .timeout(let seconds):
        ErrorReport(
          code: "host.timed-out", kind: .timedOut,
          "not finished after \(GenericText.inline(.number(seconds))) \(seconds == 1 ? "second" : "seconds")",
          advice: "allow more time with '--timeout'", isRetryable: true)
      }
    }
  }

  /// The time that canceled work may take to end, in seconds.
  struct Grace: Sendable {
    /// For a command that loses nothing.
    var usual = 0.08
    /// For a command that finishes its work: a sensor may take half a minute to close.
    var finishing = 40.0
  }

  private struct State {
    var cause: Cause?
    /// The number of running commands that finish their work.
    var finishing = 0
    /// A Boolean value indicating whether one of those was running when the work was ended.
    var mayFinish = false
    var cancel: (@Sendable () -> Void)?
    var signals: WorkSource?
    var timer: WorkSource?
    var screen: Screen?
    /// The number of times Ctrl-C was pressed while the loop could not handle it.
    var unansweredCount = 0
  }

  private let queue = WorkQueue("workbench.interruption")
  private let state = Mutex(State())
  private let grace: Grace
  private let tell: @Sendable (Diagnostic) -> Void
  private let end: @Sendable (Cause) -> Void

  /// Creates an interruption.
  ///
  /// - Parameters:
  ///   - grace: The time between canceling and ending the process.
  ///   - tell: Reports the effect of an interrupt to the user at once; called on another thread.
  ///   - end: Ends the process; called on another thread, if the work did not end on its own.
  init(
    grace: Grace = Grace(), tell: @escaping @Sendable (Diagnostic) -> Void = { _ in },
    end: @escaping @Sendable (Cause) -> Void
  ) {
    self.grace = grace
    self.tell = tell
    self.end = end
  }

  /// The reason why the work was ended; nil if it was not.
  var cause: Cause? { state.withLock { $0.cause } }

  /// A Boolean value indicating whether the work was ended during a command that finishes its work, whose final
  /// messages are shown.
  var mayFinish: Bool { state.withLock { $0.mayFinish } }

  /// A Boolean value indicating whether a command that finishes its work is running.
  var isFinishing: Bool { state.withLock { $0.finishing > 0 } }

  /// Records the start of a command that finishes its work, until ``endFinishing()``.
  ///
  /// - Throws: `CancellationError` if the work was ended already: nothing more is begun then.
  func beginFinishing() throws(CancellationError) {
    try state.withLock { (state) throws(CancellationError) in
      if state.cause != nil { throw CancellationError() }
      state.finishing += 1
    }
  }

  func endFinishing() { state.withLock { $0.finishing -= 1 } }

  /// Begins to listen for Ctrl-C and cancels this work then.
  func watch(_ cancel: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      state.cancel = cancel
      return state.cause != nil
    }
    if isCancelled { return cancel() }
    let source = WorkSource(.signal(SIGINT), on: queue)
    source.start { [weak self] in self?.takeSignal() }
    state.withLock { $0.signals = source }
  }

  /// A screen that handles Ctrl-C itself.
  struct Screen: Sendable {
    /// A Boolean value indicating whether the loop is blocked, so that the screen cannot handle anything.
    var isBlocked: @Sendable () -> Bool
    /// Handles an interrupt; `isKey` is true for a key pressed while the loop was blocked and could not read it.
    var take: @Sendable (_ isKey: Bool) -> Void
  }

  /// Leaves interrupts to a screen from now on; the time limit remains.
  ///
  /// While the loop is blocked, a second one ends the process. The source stays: a signal has one at a time.
  func handOver(to screen: Screen) {
    state.withLock { $0.screen = screen }
  }

  /// Handles interrupts again, once the screen is gone.
  func takeBack() {
    state.withLock { $0.screen = nil }
  }

  /// Records that the screen has handled its interrupt.
  func screenAnswered() {
    state.withLock { $0.unansweredCount = 0 }
  }

  /// Handles one Ctrl-C.
  func takeSignal() {
    guard let screen = state.withLock({ $0.screen }) else { return interrupt(.interrupt) }
    let isBlocked = screen.isBlocked()
    let count = state.withLock { state in
      state.unansweredCount = isBlocked ? state.unansweredCount + 1 : 0
      return state.unansweredCount
    }
    if count > 1 { end(.interrupt) } else { screen.take(isBlocked) }
  }

  /// Ends the work after a time.
  func limit(toSeconds seconds: Double) {
    let timer = WorkSource(.timer(afterSeconds: seconds, everySeconds: nil), on: queue)
    timer.start { [weak self] in self?.interrupt(.timeout(seconds: seconds)) }
    state.withLock { $0.timer = timer }
  }

  /// Ends the work for that cause; a second time ends the process at once.
  func interrupt(_ cause: Cause) {
    let (isFirst, mayFinish, cancel) = state.withLock { state in
      defer { if state.cause == nil { (state.cause, state.mayFinish) = (cause, state.finishing > 0) } }
      return (state.cause == nil, state.finishing > 0, state.cancel)
    }
    guard isFirst else { return end(cause) }
    // Before it is canceled, so that this message precedes its own.
    if mayFinish { tell(Self.ending) }
    cancel?()
    queue.async(afterSeconds: mayFinish ? grace.finishing : grace.usual) { [end] in end(cause) }
  }

  /// The message for a command that gets time to finish its work.
  static let ending = Diagnostic(
    .warning, code: "host.ending", "ending the command; completed work is kept",
    advice: "press Ctrl-C again to end it now")
}

extension CommandDescription {
  /// A Boolean value indicating whether an interrupted run gets time to store and report its work: requests to other
  /// systems may be possible only once.
  var finishesWhenInterrupted: Bool { effects.isSuperset(of: [.writes, .network]) }
}
