import PluginAPI

/// The input line of a search, with a note at its right end.
struct SearchLine: View {
  var line: InputLine
  /// A Boolean value indicating whether typed text goes to the line.
  var isTyping: Bool
  /// The number of results, or a hint.
  var note: String

  func draw(into frame: inout TextFrame) {
    let width = frame.size.width
    let room = max(1, min(width - 3, max(12, width - TextWidth.columns(note) - 6)))
    frame.put("/ ", x: 0, y: 0, .accent)
    if isTyping {
      line.draw(into: &frame, x: 2, y: 0, width: room)
    } else {
      frame.put(TextWidth.truncated(line.text, to: room), x: 2, y: 0)
    }
    let left = width - room - 5
    guard left > 3 else { return }
    let shown = TextWidth.truncated(note, to: left)
    frame.put(shown, x: width - 1 - TextWidth.columns(shown), y: 0, .secondary)
  }

  /// Returns the number of results as a note; the hint if nothing has been typed yet.
  static func note(_ line: InputLine, count: Int, hint: String) -> String {
    line.text.contains { $0 != " " } ? count == 0 ? "nothing found" : "\(count) found" : hint
  }

  var outline: Outline { Outline(title: "Search", text: [line.text]) }
}
