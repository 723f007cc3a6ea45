/// The state of a page of text: the text, how far it is scrolled, and the search.
///
/// `/` starts the search; Enter goes to the first match, `n` and `N` to the next and the one before; Escape ends it.
public struct TextPageState: Sendable, Hashable {
  /// The text; setting it goes to its start.
  public var text: StyledText {
    didSet {
      layout = nil
      (top, left, current) = (0, 0, nil)
    }
  }

  /// Whether lines are broken to the width; else the page scrolls to the sides.
  public var wraps: Bool {
    didSet { layout = nil }
  }

  /// The first visible line of the laid out text.
  public private(set) var top = 0
  /// The first visible column; 0 where lines are broken.
  public private(set) var left = 0
  /// The search's line; empty if there is none.
  public private(set) var search = InputLine()
  /// Whether what is typed goes to the search; a controller gives it as its `wantsText`.
  public private(set) var isSearching = false
  /// The line of the match the page went to last.
  private(set) var current: Int?
  /// The number of lines the search was found in.
  private(set) var matchCount = 0
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

  /// Whether a row at the bottom shows the search.
  var showsSearch: Bool { isSearching || !search.text.isEmpty }

  /// The columns for text in a page: a margin at the left where there is room, the scroll bar at the right.
  static func textWidth(_ width: Int) -> Int { max(1, width - (width >= 20 ? 2 : 1)) }

  /// The lines as drawn in a width.
  func lines(width: Int) -> [[StyledText.Run]] {
    if !wraps { return text.lines }
    if let layout, layout.width == width { return layout.text.lines }
    return text.wrapped(to: width).lines
  }

  /// Takes an event.
  ///
  /// - Parameters:
  ///   - event: The event; mouse positions in cells of the screen's frame.
  ///   - rect: Where the page is drawn in the screen's frame.
  /// - Returns: What it did; nil if it means nothing to a page.
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

  /// Goes to the next line with the searched text in a direction, around the ends.
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

  /// Compares what is seen; how it was laid out does not count.
  public static func == (one: TextPageState, other: TextPageState) -> Bool {
    one.text == other.text && one.wraps == other.wraps && one.top == other.top && one.left == other.left
      && one.search == other.search && one.isSearching == other.isSearching && one.current == other.current
  }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(top)
    hasher.combine(search)
  }
}
