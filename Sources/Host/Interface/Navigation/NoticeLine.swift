import PluginAPI

/// The notice and the slow call that the status line shows for a while.
@MainActor final class NoticeLine {
  private let loop: HostEventLoop
  private let durationInSeconds: Double
  /// The line shown to the user for a while.
  private(set) var notice: Diagnostic?
  private var noticeTimer: (any Cancellable)?
  /// Counts turns of the loop and the events within them.
  private var step = 0
  /// The step in which the notice was shown.
  private var noticeStep = 0
  /// The slow call of a plugin, shown for a while and at most until the next input.
  private(set) var slowCall: String?
  private var slowCallTimer: (any Cancellable)?

  /// - Parameter durationInSeconds: The time for a note; warnings and errors have twice as long.
  init(loop: HostEventLoop, durationInSeconds: Double) {
    self.loop = loop
    self.durationInSeconds = durationInSeconds
  }

  /// Shows a line for a while.
  func show(_ diagnostic: Diagnostic) {
    (notice, noticeStep) = (diagnostic, step)
    noticeTimer?.cancel()
    let seconds = durationInSeconds * (diagnostic.severity == .note ? 1 : 2)
    noticeTimer = loop.schedule(after: seconds, every: nil) { [weak self] in self?.notice = nil }
  }

  /// Shows a slow call for a while.
  func showSlowCall(_ text: String) {
    endSlowCall()
    slowCall = text
    slowCallTimer = loop.schedule(after: 4, every: nil) { [weak self] in self?.endSlowCall() }
  }

  private func endSlowCall() {
    slowCall = nil
    slowCallTimer?.cancel()
    slowCallTimer = nil
  }

  /// Counts a turn of the loop.
  func beginTurn() { step += 1 }

  /// Counts an input, and removes the slow call.
  func beginInput() {
    step += 1
    endSlowCall()
  }

  /// Removes the notice, as another page came to the front.
  ///
  /// Errors stay for their full time, and so do notices shown in the same step.
  func pageChanged() {
    guard let shown = notice, shown.severity != .error, noticeStep != step else { return }
    notice = nil
    noticeTimer?.cancel()
  }

  /// Ends the timers.
  func stop() {
    noticeTimer?.cancel()
    endSlowCall()
  }
}
