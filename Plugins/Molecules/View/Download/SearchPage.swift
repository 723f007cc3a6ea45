import PluginAPI

/// The contents of the search screen.
struct SearchPage: Equatable, Sendable {
  /// The phase of a search.
  enum Phase: Equatable, Sendable {
    /// Nothing was typed yet.
    case empty
    /// Too few letters were typed.
    case short
    /// A search is running.
    case searching
    case found
    /// There are no results.
    case nothing
    case cancelled
    /// The search failed: the error, and the advice.
    case failed(String)
    /// The network is disabled by the user.
    case offline
  }

  var input = InputLine()
  /// The service in use.
  var source = ""
  var phase = Phase.empty
  /// The search words of the shown results.
  var query = ""
  var list = ListState()

  /// The message shown if there are no results, or next to older ones.
  var message: String {
    switch phase {
    case .empty: "type words: what it is, an organism, an author, or an entry code; results come while you type"
    case .short: "type one more letter"
    case .searching: "searching \(source) for '\(input.text)' …"
    case .found: ""
    case .nothing: "\(source) finds nothing for '\(query)'; try fewer or other words, or tab for another service"
    case .cancelled: "the search was cancelled; enter searches again"
    case .failed(let text): "\(text)\nenter searches again"
    case .offline: "the network is off: start without --offline to search; I in the library imports files"
    }
  }
}

/// A view with a line for search words, and the results.
struct SearchView: View {
  var page: SearchPage

  /// The number of rows above the list.
  static let headHeight = 2

  /// Returns the rectangle of the list.
  static func listRect(of size: Size) -> Rect {
    Rect(x: 0, y: headHeight, width: size.width, height: max(0, size.height - headHeight))
  }

  func draw(into frame: inout TextFrame) {
    let width = frame.size.width
    guard width > 0, frame.size.height > 0 else { return }
    let label = "Search "
    let end = frame.put(TextWidth.truncated(label, to: width), x: 1, y: 0, .accent)
    let sourceWidth = TextWidth.columns(page.source)
    let showsSource = end + 16 + sourceWidth < width
    let room = width - end - 1 - (showsSource ? sourceWidth + 2 : 0)
    page.input.draw(into: &frame, x: end, y: 0, width: max(1, room))
    if showsSource { frame.put(page.source, x: width - sourceWidth - 1, y: 0, .secondary) }
    frame.put(String(repeating: "─", count: width), x: 0, y: 1, .secondary)
    let rect = Self.listRect(of: frame.size)
    if page.list.rows.isEmpty {
      frame.inside(rect, drawMessage)
    } else {
      frame.draw(ListView("Results", page.list), in: rect)
      drawState(into: &frame)
    }
  }

  private func drawMessage(_ frame: inout TextFrame) {
    let isBad = if case .failed = page.phase { true } else { false }
    let lines = page.message.split(separator: "\n").flatMap { TextWidth.wrapped(String($0), to: frame.size.width - 4) }
    for (y, line) in lines.enumerated() {
      frame.put(line, x: 2, y: y + 1, isBad && y == 0 ? .error : isBad ? .plain : .secondary)
    }
  }

  /// Draws the state of the search in the ruling line while older results are shown.
  private func drawState(into frame: inout TextFrame) {
    let text =
      switch page.phase {
      case .found: "\(page.list.rows.count) found for '\(page.query)'"
      case .searching: "searching …"
      default: page.message.split(separator: "\n").first.map(String.init) ?? ""
      }
    if text.isEmpty { return }
    let style: Style = if case .failed = page.phase { .error } else { .secondary }
    frame.put(" " + TextWidth.truncated(text, to: max(0, frame.size.width - 6)) + " ", x: 2, y: 1, style)
  }

  var outline: Outline {
    let results = ListView("Results", page.list, action: "open").outline
    let words = page.input.text
    return Outline(
      title: "Download new molecule", text: page.message.isEmpty ? [] : [page.message],
      fields: [.init("service", page.source)] + (words.isEmpty ? [] : [.init("words", words)]),
      items: [Outline.Item(id: "words", text: "Words to search for", action: ActionInvocation("words"))]
        + (page.list.rows.isEmpty ? [] : results.items))
  }
}
