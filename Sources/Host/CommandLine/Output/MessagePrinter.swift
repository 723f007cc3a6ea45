import PluginAPI
import Synchronization

/// Writes errors, warnings, notes and progress to standard error.
///
/// With JSON results every message is a JSON object on a line of its own: `{"diagnostic":{…}}` for diagnostics and,
/// last, `{"error":{code, message, details, retryable}}`; advice is a detail.
final class MessagePrinter: Sendable {
  private let streams: StandardStreams
  private let options: GlobalOptions

  init(streams: StandardStreams, options: GlobalOptions) {
    self.streams = streams
    self.options = options
  }

  /// Writes an error: one sentence and the advice.
  ///
  /// - Parameter location: The statement of a script the error comes from; nil for the one that runs.
  func write(_ error: ErrorReport, location: ScriptPlace.Entry? = nil) {
    let location = location ?? streams.scriptPlace.entry
    guard !options.format.isJSON else {
      var error = error
      if let location, error.details["script"] == nil {
        error.details["script"] = .text(location.position)
        if let command = location.command, error.details["command"] == nil { error.details["command"] = .text(command) }
      }
      return write(json: ["error": error.document])
    }
    write(prefix: location?.prefix ?? "workbench", style: .error, text: error.description)
  }

  /// Writes a diagnostic; notes and debugging messages only without `--quiet`.
  func write(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .debug || (options.isQuiet && diagnostic.severity == .note) { return }
    guard !options.format.isJSON else { return write(json: ["diagnostic": diagnostic.value]) }
    let column = diagnostic.column.map { ", column \($0)" } ?? ""
    let location = diagnostic.line.map { "line \($0)\(column): " } ?? ""
    let style: Style =
      switch diagnostic.severity {
      case .error: .error
      case .warning: .warning
      default: .secondary
      }
    let advice = diagnostic.advice.map { "; " + $0 } ?? ""
    write(prefix: diagnostic.severity.rawValue, style: style, text: location + diagnostic.message + advice)
  }

  /// Shows how far the work is: only on a terminal, on one line, at most ten times a second.
  func show(_ progress: Progress) {
    guard streams.error.isTerminal, !options.isQuiet, !options.isPlain else { return }
    let share = progress.fraction.map { " \(Int((min(1, max(0, $0)) * 100).rounded(.down)))%" } ?? ""
    let text = TextWidth.truncated(StyledTextWriter.harmless(progress.label) + share, to: max(10, streams.width - 1))
    streams.progress.show(text, on: streams)
  }

  /// Erases the progress line.
  func clearProgress() {
    streams.progress.clear(on: streams)
  }

  private func write(json value: Value) {
    streams.progress.write(JSONWriter.text(of: value) + "\n", on: streams)
  }

  private func write(prefix: String, style: Style, text: String) {
    let depth = options.isPlain ? .none : streams.colorDepth(options.color, on: streams.error)
    var message = StyledText()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    message.add(.init(prefix + ":", style), .init(" " + (lines.first ?? "")))
    for line in lines.dropFirst() { message.add(.init(line)) }
    let bytes = StyledTextWriter.bytes(
      of: message, colorDepth: depth, background: streams.background(options.background, on: streams.error),
      theme: options.theme)
    streams.progress.write(String(decoding: bytes, as: UTF8.self), on: streams)
  }
}

extension ErrorReport {
  /// The error as scripts see it: `{code, message, details, retryable}`; advice is a detail.
  var document: Value {
    var details = self.details
    if let advice, details["advice"] == nil { details["advice"] = .text(advice) }
    return [
      "code": .text(code), "message": .text(message), "details": .record(details), "retryable": .bool(isRetryable),
    ]
  }
}

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
