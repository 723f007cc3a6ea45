/// A page of text with wrapping, scrolling and search.
public struct TextPageView: View {
  /// The heading in the outline.
  public var title: String
  /// The text, the scroll position and the search.
  public var state: TextPageState

  /// Creates a page.
  public init(_ title: String, _ state: TextPageState) {
    self.title = title
    self.state = state
  }

  /// Draws the visible lines.
  public func draw(into frame: inout TextFrame) {
    guard frame.size.width > 0, frame.size.height > 0 else { return }
    let body = frame.bounds.split(top: frame.size.height - (state.showsSearch ? 1 : 0)).top
    let width = TextPageState.textWidth(body.width)
    let margin = max(0, body.width - 1 - width)
    let lines = state.lines(width: width)
    let top = min(state.top, max(0, lines.count - body.height))
    for row in 0..<max(0, min(body.height, lines.count - top)) {
      frame.inside(Rect(x: margin, y: row, width: width, height: 1)) { draw(lines[top + row], into: &$0) }
    }
    frame.scrollBar(x: body.width - 1, rows: 0..<body.height, top: top, count: lines.count)
    if state.showsSearch {
      frame.inside(Rect(x: 0, y: body.height, width: body.width, height: 1), drawSearch)
    }
  }

  /// The title and the lines.
  public var outline: Outline {
    Outline(title: title, text: state.text.lines.map { $0.map(\.text).joined() })
  }

  private func draw(_ line: [StyledText.Run], into frame: inout TextFrame) {
    frame.put(line, x: -state.left, y: 0)
    guard !state.search.text.isEmpty, !state.isSearching else { return }
    let text = Array(line.map(\.text).joined())
    for range in Self.matches(of: state.search.text, in: line) {
      let x = text[..<range.lowerBound].reduce(0) { $0 + TextWidth.columns($1) } - state.left
      let width = text[range].reduce(0) { $0 + TextWidth.columns($1) }
      frame.restyle(Rect(x: x, y: 0, width: width, height: 1)) { $0.adding([.reverse, .bold]) }
    }
  }

  private func drawSearch(_ frame: inout TextFrame) {
    frame.put("/ ", x: 0, y: 0, .accent)
    if state.isSearching {
      state.search.draw(into: &frame, x: 2, y: 0, width: max(0, frame.size.width - 3))
      return
    }
    let found = state.matchCount
    let note = found == 0 ? "Not found" : "\(found) \(found == 1 ? "line" : "lines") · n next · N previous · esc close"
    let end = frame.put(TextWidth.truncated(state.search.text, to: frame.size.width - 2), x: 2, y: 0)
    frame.put(TextWidth.truncated(note, to: frame.size.width - end - 2), x: end + 2, y: 0, .secondary)
  }

  /// Returns the ranges of characters in a line that match the pattern, ignoring case.
  static func matches(of pattern: String, in line: [StyledText.Run]) -> [Range<Int>] {
    let wanted = pattern.lowercased().map { $0 }
    let text = line.map(\.text).joined().map { Character($0.lowercased().first.map(String.init) ?? " ") }
    guard !wanted.isEmpty, text.count >= wanted.count else { return [] }
    var ranges: [Range<Int>] = []
    var start = 0
    while start + wanted.count <= text.count {
      if text[start] == wanted[0], text[start..<start + wanted.count].elementsEqual(wanted) {
        ranges.append(start..<start + wanted.count)
        start += wanted.count
      } else {
        start += 1
      }
    }
    return ranges
  }
}
