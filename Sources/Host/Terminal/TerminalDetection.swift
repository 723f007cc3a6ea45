internal import Glibc
import PluginAPI

/// Detects a terminal's capabilities, in one bounded wait before anything is drawn.
struct TerminalDetection {
  /// The session to continue with.
  var session: TermpaintSession
  /// The capabilities that the terminal reported.
  var capabilities: TerminalCapabilities
  /// The time from the last queries to the last response; that of the whole detection if there was none.
  var roundTripInSeconds: Double
  /// The keys typed meanwhile, as far as understood.
  var earlyInputs: [TerminalInput] = []

  /// Queries the terminal; one that does not respond in time gets a session that assumes nothing.
  ///
  /// - Parameters:
  ///   - device: The terminal, in raw mode.
  ///   - longestInSeconds: The time limit for everything.
  static func run(_ device: TerminalDevice, longestInSeconds: Double) -> TerminalDetection {
    let deadline = MonotonicClock.seconds + longestInSeconds
    var detection = TerminalDetection(longestInSeconds: longestInSeconds)
    let session = detection.session
    session.startDetection()
    while session.isDetecting, detection.exchange(device, until: deadline) {}
    guard session.isDetected else {
      // A detection that never ends keeps all input for itself, so use another session without one.
      return TerminalDetection(longestInSeconds: longestInSeconds)
    }
    detection.capabilities.answers = true
    detection.capabilities.showsTrueColor = session.showsTrueColor
    detection.ask(device, until: deadline)
    return detection
  }

  /// Queries only what a picture on standard output requires; omits termpaint's detection.
  static func askOnly(_ device: TerminalDevice, longestInSeconds: Double) -> TerminalCapabilities {
    var detection = TerminalDetection(longestInSeconds: longestInSeconds)
    detection.ask(device, until: MonotonicClock.seconds + longestInSeconds)
    return detection.capabilities
  }

  private init(longestInSeconds: Double) {
    session = TermpaintSession()
    capabilities = TerminalCapabilities()
    roundTripInSeconds = longestInSeconds
  }

  /// Asks our own questions.
  private mutating func ask(_ device: TerminalDevice, until deadline: Double) {
    device.writeAll(session.takeOutput(), milliseconds: 100)
    session.expectLongAnswers()
    device.writeAll(TerminalCapabilities.questions(asksModes: session.readsModeQuestions), milliseconds: 100)
    let start = MonotonicClock.seconds
    var isAnswered = false
    while !isAnswered {
      guard exchange(device, until: deadline) else { return }
      for input in session.takeInputs() {
        if case .answer(let bytes) = input {
          isAnswered = capabilities.take(bytes) || isAnswered
        } else if input != .statusReport {
          earlyInputs.append(input)
        }
      }
    }
    roundTripInSeconds = MonotonicClock.seconds - start
  }

  /// Sends the session's output and waits for a response.
  ///
  /// - Returns: True if there was one in time.
  private func exchange(_ device: TerminalDevice, until deadline: Double) -> Bool {
    device.writeAll(session.takeOutput(), milliseconds: 100)
    let rest = deadline - MonotonicClock.seconds
    guard rest > 0, device.waitForInput(milliseconds: Int32(rest * 1000) + 1), let bytes = device.read() else {
      return false
    }
    session.add(bytes)
    return true
  }
}
