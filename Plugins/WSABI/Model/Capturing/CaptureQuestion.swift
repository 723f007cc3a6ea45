import PluginAPI

/// A decision required before an item can be captured again.
enum CaptureQuestion: Sendable, Hashable {
  /// It is unknown whether the sensor captured.
  case unknown(reason: String)
  /// The sensor captured, and the data is no longer available.
  case lost(reason: String)
  /// The sensor captured, and still has the data.
  case waiting(reason: String)
  /// Another client holds the lock.
  case held
  /// The sensor does something that another client has begun.
  case busy

  /// An answer to the question, named by its consequence.
  enum Answer: String, Sendable, CaseIterable {
    case again
    case fetch
    case steal
    case stealAndCancel = "steal-cancel"
    case interrupt
    case leave
  }

  /// A description of the problem, for the button.
  var text: String {
    switch self {
    case .unknown(let reason): "outcome unknown (\(reason))"
    case .lost(let reason): "the capture is lost (\(reason))"
    case .waiting(let reason): "captured, but the data is still at the sensor (\(reason))"
    case .held: "another client holds the lock"
    case .busy: "the sensor is busy with an operation of another client"
    }
  }

  /// The title of the question.
  var title: String {
    switch self {
    case .unknown: "The outcome of the capture is unknown"
    case .lost: "The capture is lost"
    case .waiting: "The data is still at the sensor"
    case .held: "Another client holds the lock"
    case .busy: "The sensor is busy"
    }
  }

  /// The possible answers with their descriptions, safest first.
  var answers: [(answer: Answer, title: String, detail: String)] {
    switch self {
    case .unknown:
      [
        (.leave, "Leave it", "data at the sensor cannot be downloaded"),
        (.again, "Capture again", "the person must still be there"),
      ]
    case .lost: [(.leave, "Leave it", ""), (.again, "Capture again", "the person must still be there")]
    case .waiting:
      [
        (.fetch, "Download it", "from the sensor"), (.leave, "Leave it", "it is downloaded at the next start"),
        (.again, "Capture again", "the data at the sensor is stored too, once received"),
      ]
    case .held:
      [
        (.again, "Try again", "it may be free now"),
        (.steal, "Take the lock", "the other client loses its lock"),
        (.stealAndCancel, "Take the lock and cancel", "cancels a capture of the other client"),
        (.leave, "Leave it", ""),
      ]
    case .busy:
      [
        (.again, "Try again", "it may have finished"),
        (.interrupt, "Cancel its operation", "the other client gets no data"), (.leave, "Leave it", ""),
      ]
    }
  }

  /// Creates the decision that a journal leaves open for an item without a capture; nil if there is none.
  ///
  /// - Parameter entries: The journal entries of the item, newest first.
  init?(_ entries: [JournalEntry]) {
    guard let newest = entries.first else { return nil }
    if newest.ids.contains(where: { $0.state == .waiting }) {
      self = .waiting(reason: "not downloaded yet")
      return
    }
    let losses = newest.ids.compactMap { captured -> String? in
      if case .lost(let reason) = captured.state { return reason }
      return nil
    }
    if let reason = losses.first, losses.count == newest.ids.count {
      self = .lost(reason: reason)
    } else if case .unknown(let reason)? = newest.outcome {
      self = .unknown(reason: ProblemText.short(reason))
    } else {
      return nil
    }
  }
}

/// Texts of problems for narrow spaces.
enum ProblemText {
  /// Returns a reason without the operation and the host in front of it, which a card or a cell names already.
  static func short(_ reason: String) -> String {
    guard reason.hasPrefix("'"), let at = indexAfter("' at '", in: reason[...]),
      let end = indexAfter("' ", in: reason[at...])
    else { return reason }
    var remaining = reason[end...]
    if remaining.hasPrefix("failed: ") { remaining = remaining.dropFirst(8) }
    return remaining.isEmpty ? reason : String(remaining)
  }

  /// Returns the index after the first occurrence of a text.
  private static func indexAfter(_ mark: String, in text: Substring) -> String.Index? {
    text.indices.first { text[$0...].hasPrefix(mark) }.map { text.index($0, offsetBy: mark.count) }
  }
}

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
    case .warning(let message):
      message.isEmpty ? "There's a problem communicating with the sensor." : "Sensor problem: \(message)"
    case .waiting: elapsed >= delayInMilliseconds ? "Waiting for sensor" : ""
    case .waitingToRestart: elapsed >= delayInMilliseconds ? "Reconnecting to the sensor" : ""
    }
  }

  /// The time after which the text changes, in milliseconds; 0 if it never does.
  var delayInMilliseconds: Int {
    switch self {
    case .waiting: 4000
    case .waitingToRestart: 2000
    case .inactive, .capture, .stop, .warning: 0
    }
  }
}

extension Diagnostic {
  /// Creates a diagnostic of an error, which the user sees for a while.
  init(_ report: ErrorReport, _ severity: Severity) {
    self.init(severity, code: report.code, report.message, advice: report.advice)
  }
}

extension Error {
  /// Returns the message of the error's report, or a text if it has none.
  func message(or text: String) -> String { (self as? any ReportableError)?.report.message ?? text }
}
