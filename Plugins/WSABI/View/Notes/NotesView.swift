import PluginAPI

/// Notes while they are written.
struct NotesView: View {
  /// The subject of the notes.
  var title: String
  /// Nil until they were read.
  var area: TextArea?
  /// The reason notes cannot be written.
  var message: String

  /// Returns the area of the text in a screen.
  static func area(in size: Size) -> Rect {
    let isLow = size.height < 8
    let top = isLow ? 1 : 2
    return Rect(
      x: 2, y: top, width: max(1, size.width - 4), height: max(1, size.height - top - (isLow ? 0 : 1)))
  }

  func draw(into frame: inout TextFrame) {
    let width = max(1, frame.size.width - 4)
    frame.put(TextWidth.truncated(title, to: width), x: 2, y: 0, .heading)
    let rect = Self.area(in: frame.size)
    guard let area else {
      for (line, text) in TextWidth.wrapped(message, to: width).enumerated() {
        frame.put(text, x: 2, y: rect.y + line, .secondary)
      }
      return
    }
    var shown = area
    shown.reveal(in: rect.size)
    shown.draw(into: &frame, in: rect)
    let count = shown.rows(width: rect.width).count
    if count > rect.height, frame.size.width > 4 {
      frame.scrollBar(x: frame.size.width - 1, rows: rect.y..<rect.y + rect.height, top: shown.top, count: count)
    }
  }

  var outline: Outline {
    let lines = (area?.text ?? message).split(separator: "\n").map(String.init)
    return Outline(
      title: title, text: lines,
      items: area == nil
        ? []
        : [
          .init(id: "add", text: "Add a line", action: ActionInvocation("add")),
          .init(id: "empty", text: "Empty the notes", action: ActionInvocation("empty")),
          .init(id: "keep", text: "Keep them", action: ActionInvocation("keep")),
        ])
  }
}
