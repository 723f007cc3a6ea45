import PluginAPI
import Synchronization

/// The progress line at the bottom of a terminal, and the messages written above it.
///
/// All messages of a process pass through this object, from any thread: it erases the line, writes the message and
/// draws the line again, without interruption.
final class ProgressLine: Sendable {
  private struct State {
    /// The text shown; nil for none.
    var text: String?
    var lastInSeconds = 0.0
    /// The number of reasons to hide it: a question whose answer it would disturb, or the end of the process.
    var holds = 0
  }

  private let state = Mutex(State())
  private static let pauseInSeconds = 0.1
  private static let erasing = "\r\u{1B}[K"

  /// Replaces the text, unless the previous one has been shown for less than a tenth of a second.
  func show(_ text: String, on streams: StandardStreams) {
    let now = MonotonicClock.seconds
    state.withLock { state in
      guard state.holds == 0, state.text == nil || now - state.lastInSeconds >= Self.pauseInSeconds else { return }
      (state.text, state.lastInSeconds) = (text, now)
      Self.send(Self.erasing + text, on: streams)
    }
  }

  /// Erases the line.
  func clear(on streams: StandardStreams) {
    state.withLock { Self.erase(&$0, on: streams) }
  }

  /// Writes a message, whole lines of it, above the line.
  func write(_ message: String, on streams: StandardStreams) {
    state.withLock { state in
      let line = state.text.map { Self.erasing + $0 } ?? ""
      Self.send((line.isEmpty ? "" : Self.erasing) + message + line, on: streams)
    }
  }

  /// Erases the line and shows none until ``release()``.
  func hold(on streams: StandardStreams) {
    state.withLock { state in
      Self.erase(&state, on: streams)
      state.holds += 1
    }
  }

  func release() { state.withLock { $0.holds -= 1 } }

  private static func erase(_ state: inout State, on streams: StandardStreams) {
    guard state.text != nil else { return }
    state.text = nil
    send(erasing, on: streams)
  }

  /// Writes a text; errors are ignored, as there is nowhere else to report them.
  private static func send(_ text: String, on streams: StandardStreams) {
    if streams.output.isTerminal { try? streams.output.flush() }
    try? streams.error.write(text)
    try? streams.error.flush()
  }
}
