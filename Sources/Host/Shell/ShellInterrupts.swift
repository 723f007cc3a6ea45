import Synchronization

/// The effect of Ctrl-C in the shell: it gives up the line at the prompt, cancels the running command, and ends the
/// program if that command does not end.
final class ShellInterrupts: Sendable {
  private struct Running: Sendable {
    var cancel: @Sendable () -> Void
    var isCanceled = false
  }

  private struct State {
    /// The command that runs; nil at the prompt.
    var running: Running?
    /// A Boolean value indicating whether a pager shows a result and handles Ctrl-C itself.
    var isPaging = false
  }

  private let state = Mutex(State())
  private let interruption: Interruption?
  private let atPrompt: @Sendable () -> Void
  private let report: @Sendable () -> Void

  /// Creates the receiver.
  ///
  /// - Parameters:
  ///   - interruption: The interruption of the program; nil if nothing interrupts it, as in tests.
  ///   - atPrompt: Gives up the line that is being typed.
  ///   - report: Reports that a command gets time to finish its work.
  init(_ interruption: Interruption?, atPrompt: @escaping @Sendable () -> Void, report: @escaping @Sendable () -> Void)
  {
    (self.interruption, self.atPrompt, self.report) = (interruption, atPrompt, report)
  }

  /// Takes over interrupts, also after a screen has had them.
  @MainActor func take(from loop: HostEventLoop) {
    interruption?.handOver(
      to: Interruption.Screen(isBlocked: { [watchdog = loop.watchdog] in watchdog.isBlocked }) { [weak self] _ in
        self?.interrupt()
      })
  }

  /// Notes that a command runs, until ``end()``.
  func begin(cancel: @escaping @Sendable () -> Void) {
    state.withLock { $0.running = Running(cancel: cancel) }
  }

  func end() { state.withLock { $0.running = nil } }

  /// Notes whether a pager handles interrupts.
  func setPaging(_ isPaging: Bool) { state.withLock { $0.isPaging = isPaging } }

  /// The action for one Ctrl-C.
  private enum Action {
    case giveUpLine
    case cancel(@Sendable () -> Void)
    case endProgram
    case nothing
  }

  /// Handles one Ctrl-C.
  func interrupt() {
    let action = state.withLock { state -> Action in
      if state.isPaging { return .nothing }
      guard let running = state.running else { return .giveUpLine }
      state.running?.isCanceled = true
      return running.isCanceled ? .endProgram : .cancel(running.cancel)
    }
    switch action {
    case .nothing: break
    case .giveUpLine: atPrompt()
    case .cancel(let cancel):
      // Before it is canceled, so that this message precedes its own.
      if interruption?.isFinishing == true { report() }
      cancel()
    case .endProgram: interruption?.interrupt(.interrupt)
    }
  }
}
