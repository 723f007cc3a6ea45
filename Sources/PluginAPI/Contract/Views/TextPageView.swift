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
  fileprivate static func matches(of pattern: String, in line: [StyledText.Run]) -> [Range<Int>] {
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

/// The state of a page of text: the text, the scroll position and the search.
///
/// `/` starts the search; Enter goes to the first match, `n` and `N` to the next and the previous one; Escape ends it.
public struct TextPageState: Sendable, Hashable {
  /// The text; setting it scrolls to the start.
  public var text: StyledText {
    didSet {
      layout = nil
      (top, left, current) = (0, 0, nil)
    }
  }

  /// A Boolean value indicating whether lines wrap at the width; otherwise the page scrolls horizontally.
  public var wraps: Bool {
    didSet { layout = nil }
  }

  /// The first visible line of the laid-out text.
  public private(set) var top = 0
  /// The first visible column; 0 if lines wrap.
  public private(set) var left = 0
  /// The text of the search; empty if there is none.
  public private(set) var search = InputLine()
  /// A Boolean value indicating whether typing goes to the search; controllers return it as their `wantsText`.
  public private(set) var isSearching = false
  /// The line of the current match.
  private var current: Int?
  /// The number of lines with a match.
  fileprivate private(set) var matchCount = 0
  private var layout: (width: Int, text: StyledText)?

  /// Creates a page.
  public init(_ text: StyledText = StyledText(), wraps: Bool = true) {
    self.text = text
    self.wraps = wraps
  }

  /// Creates a page of plain text.
  public init(_ text: String, wraps: Bool = true) {
    self.init(StyledText(text), wraps: wraps)
  }

  /// A Boolean value indicating whether a row at the bottom shows the search.
  fileprivate var showsSearch: Bool { isSearching || !search.text.isEmpty }

  /// Returns the width of the text in a page, which has a left margin where there is room, and a scroll bar at the
  /// right.
  fileprivate static func textWidth(_ width: Int) -> Int { max(1, width - (width >= 20 ? 2 : 1)) }

  /// Returns the lines as drawn in a width.
  fileprivate func lines(width: Int) -> [[StyledText.Run]] {
    if !wraps { return text.lines }
    if let layout, layout.width == width { return layout.text.lines }
    return text.wrapped(to: width).lines
  }

  /// Handles an event.
  ///
  /// - Parameters:
  ///   - event: The event; mouse positions in cells of the screen's frame.
  ///   - rect: The page's rectangle in the screen's frame.
  /// - Returns: The outcome; nil if a page does not handle the event.
  public mutating func handle(_ event: Event, in rect: Rect) -> ViewOutcome? {
    let width = Self.textWidth(rect.width)
    if wraps, layout?.width != width { layout = (width, text.wrapped(to: width)) }
    let height = max(1, rect.height - (showsSearch ? 1 : 0))
    let count = lines(width: width).count
    defer { top = min(max(0, top), max(0, count - height)) }
    switch event {
    case .key(let key) where isSearching: return handleWhileSearching(key, width: width)
    case .paste where isSearching: return search.handle(event) ? .changed : nil
    case .key(let key): return handle(key, width: width, height: height, count: count)
    case .mouse(let mouse) where rect.contains(mouse.position):
      guard case .scroll(let rows) = mouse.action else { return nil }
      top += 3 * rows
      return .changed
    default: return nil
    }
  }

  private mutating func handle(_ key: Key, width: Int, height: Int, count: Int) -> ViewOutcome? {
    switch (key.code, key.modifiers) {
    case (.up, []), (.character("k"), []): top -= 1
    case (.down, []), (.character("j"), []), (.enter, []): top += 1
    case (.pageUp, []), (.character("b"), []): top -= max(1, height - 1)
    case (.pageDown, []), (.character(" "), []): top += max(1, height - 1)
    case (.character("u"), .control): top -= max(1, height / 2)
    case (.character("d"), .control): top += max(1, height / 2)
    case (.home, []), (.character("g"), []): top = 0
    case (.end, []), (.character("G"), []): top = count
    case (.left, []) where !wraps: left = max(0, left - 8)
    case (.right, []) where !wraps: left = min(max(0, widest - width), left + 8)
    case (.character("/"), []): (isSearching, search) = (true, InputLine())
    case (.character("n"), []) where showsSearch: find(after: current ?? -1, step: 1, width: width)
    case (.character("N"), []) where showsSearch: find(after: current ?? count, step: -1, width: width)
    case (.escape, []) where showsSearch: endSearch()
    default: return nil
    }
    return .changed
  }

  private mutating func handleWhileSearching(_ key: Key, width: Int) -> ViewOutcome? {
    switch key {
    case Key(.escape): endSearch()
    case Key(.enter):
      isSearching = false
      find(after: top - 1, step: 1, width: width)
    case Key(.backspace) where search.text.isEmpty: endSearch()
    default: return search.handle(.key(key)) ? .changed : nil
    }
    return .changed
  }

  private mutating func endSearch() {
    (isSearching, search, current) = (false, InputLine(), nil)
  }

  /// Goes to the next line with a match in a direction, wrapping around at the ends.
  private mutating func find(after start: Int, step: Int, width: Int) {
    let lines = lines(width: width)
    guard !lines.isEmpty, !search.text.isEmpty else { return }
    matchCount = lines.count { !TextPageView.matches(of: search.text, in: $0).isEmpty }
    for offset in 1...lines.count {
      let index = ((start + step * offset) % lines.count + lines.count) % lines.count
      if !TextPageView.matches(of: search.text, in: lines[index]).isEmpty {
        (current, top) = (index, index)
        return
      }
    }
    current = nil
  }

  private var widest: Int {
    text.lines.reduce(0) { widest, line in max(widest, line.reduce(0) { $0 + TextWidth.columns($1.text) }) }
  }

  /// Compares the visible state, but not the cached layout.
  public static func == (one: TextPageState, other: TextPageState) -> Bool {
    one.text == other.text && one.wraps == other.wraps && one.top == other.top && one.left == other.left
      && one.search == other.search && one.isSearching == other.isSearching && one.current == other.current
  }

  /// Hashes the properties that are compared.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(top)
    hasher.combine(search)
  }
}
