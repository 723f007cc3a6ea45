import PluginAPI

/// A list, or a message in its place while it has no rows: wrapped, so that a reason and its advice are shown whole.
struct MessageListView: View {
  var list: ListView

  init(_ list: ListView) { self.list = list }

  func draw(into frame: inout TextFrame) {
    if list.state.rows.isEmpty {
      frame.putMessage(list.emptyText)
    } else {
      list.draw(into: &frame)
    }
  }

  var outline: Outline { list.outline }
}

extension TextFrame {
  /// Draws a message from the top, wrapped to the width.
  mutating func putMessage(_ text: String) {
    for (y, line) in TextWidth.wrapped(text, to: max(1, size.width - 4)).prefix(size.height).enumerated() {
      put(line, x: 2, y: y, .secondary)
    }
  }
}
