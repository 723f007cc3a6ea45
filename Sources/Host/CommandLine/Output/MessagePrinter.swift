import PluginAPI

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
  /// - Parameter place: The file and line of a script the error comes from, `file:line`; nil for the line that runs.
  func write(_ error: ErrorReport, place: String? = nil) {
    let place = place ?? streams.scriptPlace.text
    guard !options.format.isJSON else {
      var details = error.details
      if let place, details["script"] == nil { details["script"] = .text(place) }
      if let advice = error.advice, details["advice"] == nil { details["advice"] = .text(advice) }
      return write(
        json: [
          "error": [
            "code": .text(error.code), "message": .text(error.message), "details": .record(details),
            "retryable": .bool(error.isRetryable),
          ]
        ])
    }
    write(prefix: place ?? "workbench", style: .error, text: error.description)
  }

  /// Writes a diagnostic; notes and debugging messages only without `--quiet`.
  func write(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .debug || (options.isQuiet && diagnostic.severity == .note) { return }
    guard !options.format.isJSON else { return write(json: ["diagnostic": diagnostic.value]) }
    let column = diagnostic.column.map { ", column \($0)" } ?? ""
    let place = diagnostic.line.map { "line \($0)\(column): " } ?? ""
    let style: Style =
      switch diagnostic.severity {
      case .error: .error
      case .warning: .warning
      default: .secondary
      }
    let advice = diagnostic.advice.map { "; " + $0 } ?? ""
    write(prefix: diagnostic.severity.rawValue, style: style, text: place + diagnostic.message + advice)
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
      of: message, colorDepth: depth, background: streams.background(options.background, on: streams.error))
    streams.progress.write(String(decoding: bytes, as: UTF8.self), on: streams)
  }
}
