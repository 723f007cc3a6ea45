import Glibc
import PluginAPI
import Synchronization

/// Ends what runs when the user presses Ctrl-C or the time is over.
///
/// The first interrupt cancels the work; work that does not end within a grace period, or a second interrupt, ends the
/// process. All of it runs on a queue of its own, so that a blocked loop does not hinder it.
final class Interruption: Sendable {
  /// Why the work was ended.
  enum Cause: Sendable, Equatable {
    case interrupt
    case timeout(seconds: Double)

    var report: ErrorReport {
      switch self {
      case .interrupt: ErrorReport(code: "host.interrupted", kind: .interrupted, "interrupted")
      case .timeout(let seconds):
        ErrorReport(
          code: "host.timed-out", kind: .timedOut, "not done after \(GenericText.inline(.number(seconds))) seconds",
          advice: "give more time with '--timeout'", isRetryable: true)
      }
    }
  }

  private struct State {
    var cause: Cause?
    var cancel: (@Sendable () -> Void)?
    var signals: WorkSource?
    var timer: WorkSource?
    var screen: Screen?
    /// How often Ctrl-C was pressed while the loop could not take it.
    var unansweredCount = 0
  }

  private let queue = WorkQueue("workbench.interruption")
  private let state = Mutex(State())
  private let graceInSeconds: Double
  private let end: @Sendable (Cause) -> Void

  /// Creates the watch.
  ///
  /// - Parameters:
  ///   - graceInSeconds: The time between cancelling and ending the process.
  ///   - end: Ends the process; called on another thread, when the work did not end by itself.
  init(graceInSeconds: Double = 0.08, end: @escaping @Sendable (Cause) -> Void) {
    self.graceInSeconds = graceInSeconds
    self.end = end
  }

  /// Why the work was ended; nil if it was not.
  var cause: Cause? { state.withLock { $0.cause } }

  /// Begins to listen for Ctrl-C and cancels this work then.
  func watch(_ cancel: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      state.cancel = cancel
      return state.cause != nil
    }
    if isCancelled { return cancel() }
    signal(SIGINT, SIG_IGN)
    let source = WorkSource(.signal(SIGINT), on: queue)
    source.start { [weak self] in self?.takeSignal() }
    state.withLock { $0.signals = source }
  }

  /// A screen that takes Ctrl-C itself.
  struct Screen: Sendable {
    /// Whether the loop is blocked, so that the screen cannot take anything.
    var isBlocked: @Sendable () -> Bool
    /// Takes an interrupt, and whether it was pressed while the loop was blocked: a key that nobody could read.
    var take: @Sendable (_ isKey: Bool) -> Void
  }

  /// Leaves interrupts to a screen from now on; the time-out goes on.
  ///
  /// While the loop is blocked, a second one ends the process. The source stays: a second one for a signal that had one
  /// before is told nothing by Dispatch on Linux.
  func handOver(to screen: Screen) {
    state.withLock { $0.screen = screen }
  }

  /// Tells that the screen has taken what it was given.
  func screenAnswered() {
    state.withLock { $0.unansweredCount = 0 }
  }

  /// Takes one Ctrl-C.
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
    let (isFirst, cancel) = state.withLock { state in
      defer { if state.cause == nil { state.cause = cause } }
      return (state.cause == nil, state.cancel)
    }
    guard isFirst else { return end(cause) }
    cancel?()
    queue.async(afterSeconds: graceInSeconds) { [end] in end(cause) }
  }
}
