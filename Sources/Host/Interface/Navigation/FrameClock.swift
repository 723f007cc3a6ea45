@preconcurrency import Dispatch
import PluginAPI

/// Draws on demand, no more than one frame in 16 ms, and never while nothing happens.
@MainActor final class FrameClock {
  private let draw: @MainActor () -> Void
  private var last: DispatchTime?
  private var isStopped = false
  /// Whether a frame is due.
  private(set) var isDue = false

  private static let interval = DispatchTimeInterval.milliseconds(16)

  init(_ draw: @escaping @MainActor () -> Void) {
    self.draw = draw
  }

  /// Asks for a frame after what happens now.
  func request() {
    if isDue || isStopped { return }
    isDue = true
    let next = max(last.map { $0 + Self.interval } ?? .now(), .now())
    // Not through the loop: a frame is no turn of it, or every frame would ask for the next one.
    DispatchQueue.main.asyncAfter(deadline: next) { self.flush() }
  }

  /// Draws at once the frame that is due, if there is one.
  func flush() {
    guard isDue, !isStopped else { return }
    isDue = false
    last = .now()
    draw()
  }

  func stop() { isStopped = true }
}
