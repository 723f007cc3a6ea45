import PluginAPI

/// Draws on demand, on average at most one frame per 16 ms, and never while nothing happens.
///
/// After a pause, three frames may follow immediately: a screen that opens, its title, and the picture that was drawn
/// meanwhile need not wait for each other.
///
/// After a frame that changed nothing the next may come sooner: a key often changes nothing at once but starts a drawing
/// on another thread, whose picture must not wait for the 16 ms after an unseen frame.
@MainActor final class FrameClock {
  private let draw: @MainActor () -> Bool
  /// The earliest moment of the next frame, in seconds of the monotonic clock.
  private var earliest = 0.0
  /// The moment until which frames were given their intervals, in seconds of the monotonic clock.
  private var paid = 0.0
  private var isStopped = false
  /// A Boolean value indicating whether a frame is due.
  private(set) var isDue = false

  private static let intervalInSeconds = 0.016
  private static let shortestIntervalInSeconds = 0.002
  /// The time by which frames may run ahead of their intervals.
  private static let aheadInSeconds = 2 * intervalInSeconds

  /// Creates a clock.
  ///
  /// - Parameter draw: Draws a frame; returns whether it differs from the one before.
  init(_ draw: @escaping @MainActor () -> Bool) {
    self.draw = draw
  }

  /// Requests a frame after the current turn.
  func request() {
    if isDue || isStopped { return }
    isDue = true
    let wait = max(0, earliest - MonotonicClock.seconds)
    // Not through the loop: a frame is not one of its turns, or every frame would request the next one.
    MainQueue.async(afterSeconds: wait) { self.flush() }
  }

  /// Draws at once the frame that is due, if there is one.
  func flush() {
    guard isDue, !isStopped else { return }
    isDue = false
    let now = MonotonicClock.seconds
    earliest = now + Self.shortestIntervalInSeconds
    guard draw() else { return }
    paid = max(paid, now) + Self.intervalInSeconds
    earliest = max(earliest, paid - Self.aheadInSeconds)
  }

  func stop() { isStopped = true }
}
