/// The state of the capture card's button, and whether it can be pressed.
enum CaptureButton: Sendable, Hashable {
  /// There is data already, or no item.
  case inactive
  case capture
  case stop
  /// A problem affects the work; the payload describes it.
  case warning(String)
  /// The sensor is busy, or another client has it.
  case waiting
  /// The link is being re-established, and then the capture restarts.
  case waitingToRestart

  /// True if the button can be pressed.
  ///
  /// Pressing it while waiting stops the wait.
  var isEnabled: Bool { self != .inactive }

  /// Returns the button's text after a number of milliseconds in this state; empty for none.
  func text(afterMilliseconds elapsed: Int) -> String {
    switch self {
    case .inactive: ""
    case .capture: "Tap to capture"
    case .stop: "Stop capture"
    case .warning(let words):
      words.isEmpty ? "There's a problem communicating with the sensor." : "Sensor problem: \(words)"
    case .waiting: elapsed >= delayInMilliseconds ? "Waiting for sensor" : ""
    case .waitingToRestart: elapsed >= delayInMilliseconds ? "Reconnecting to the sensor" : ""
    }
  }

  /// The time after which the text changes, in milliseconds; 0 if it never does.
  var delayInMilliseconds: Int {
    switch self {
    case .waiting: 4000
    case .waitingToRestart: 2000
    default: 0
    }
  }
}
