// Queues and sources may be used on any thread; what Dispatch declares does not say so.
@preconcurrency import Dispatch
import PluginAPI

/// Draws on demand, no more than one frame in 16 ms, and never while nothing happens.
///
/// After a frame that changed nothing the next may come sooner: a key often changes nothing at once but starts a drawing
/// on another thread, whose picture must not wait for the 16 ms after a frame nobody saw.
@MainActor final class FrameClock {
  private let draw: @MainActor () -> Bool
  /// The earliest moment of the next frame.
  private var earliest: DispatchTime?
  private var isStopped = false
  /// Whether a frame is due.
  private(set) var isDue = false

  private static let interval = DispatchTimeInterval.milliseconds(16)
  private static let intervalAfterSame = DispatchTimeInterval.milliseconds(2)

  /// Creates a clock.
  ///
  /// - Parameter draw: Draws a frame; returns whether it differs from the one before.
  init(_ draw: @escaping @MainActor () -> Bool) {
    self.draw = draw
  }

  /// Asks for a frame after what happens now.
  func request() {
    if isDue || isStopped { return }
    isDue = true
    let next = max(earliest ?? .now(), .now())
    // Not through the loop: a frame is no turn of it, or every frame would ask for the next one.
    DispatchQueue.main.asyncAfter(deadline: next) { self.flush() }
  }

  /// Draws at once the frame that is due, if there is one.
  func flush() {
    guard isDue, !isStopped else { return }
    isDue = false
    let now = DispatchTime.now()
    earliest = now + (draw() ? Self.interval : Self.intervalAfterSame)
  }

  func stop() { isStopped = true }
}
