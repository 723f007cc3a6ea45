import PluginAPI

/// A view of a web page as text with its links, or of a message while there is none.
struct WebPageView: View {
  var page: WebPageState?
  var message: String

  func draw(into frame: inout TextFrame) {
    let size = frame.size
    guard let page else {
      let lines = message.split(separator: "\n").flatMap { TextWidth.wrapped(String($0), to: max(1, size.width - 4)) }
      for (y, line) in lines.enumerated() { frame.put(line, x: 2, y: y + 1, .secondary) }
      return
    }
    for row in 0..<max(0, min(size.height, page.lines.count - page.top)) {
      var x = 1
      for piece in page.lines[page.top + row] {
        let style =
          piece.link == nil ? piece.style : .accent.adding(piece.link == page.selected ? .reverse : .underline)
        x = frame.put(piece.text, x: x, y: row, style)
      }
    }
    frame.scrollBar(x: size.width - 1, rows: 0..<size.height, top: page.top, count: page.lines.count)
  }

  var outline: Outline {
    guard let page else { return Outline(title: "Web page", text: [message]) }
    return Outline(
      title: page.title, text: page.lines.dropFirst().map { $0.map(\.text).joined() },
      items: page.links.map { link in
        Outline.Item(
          id: "\(link.number)", text: "[\(link.number)] \(link.text.isEmpty ? link.address : link.text)",
          action: ActionInvocation("follow", ["link": .integer(link.number)]))
      })
  }
}
