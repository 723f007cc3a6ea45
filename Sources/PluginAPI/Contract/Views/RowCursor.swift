/// The selected row and the first visible row of a scrolling view.
public struct RowCursor: Sendable, Hashable {
  /// The selected row, 0-based.
  public var selected: Int
  /// The first visible row, 0-based.
  public var top: Int

  /// Creates a cursor.
  public init(selected: Int = 0, top: Int = 0) {
    self.selected = selected
    self.top = top
  }

  /// Moves the selection by a key: arrows, `j` and `k`, pages, Home and End, `g` and `G`, Ctrl-D and Ctrl-U.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - count: The number of rows.
  ///   - height: The number of rows that fit on the screen.
  /// - Returns: True if the key was handled.
  public mutating func handle(_ key: Key, count: Int, height: Int) -> Bool {
    guard let target = target(of: key, count: count, height: height) else { return false }
    selected = target
    reveal(count: count, height: height)
    return true
  }

  private func target(of key: Key, count: Int, height: Int) -> Int? {
    let page = max(1, height - 1)
    switch (key.code, key.modifiers) {
    case (.up, []), (.character("k"), []): return selected - 1
    case (.down, []), (.character("j"), []): return selected + 1
    case (.pageUp, []), (.character("b"), .control): return selected - page
    case (.pageDown, []), (.character("f"), .control): return selected + page
    case (.character("u"), .control): return selected - max(1, height / 2)
    case (.character("d"), .control): return selected + max(1, height / 2)
    case (.home, []), (.character("g"), []): return 0
    case (.end, []), (.character("G"), []): return count - 1
    default: return nil
    }
  }

  /// Scrolls, and keeps the selected row visible.
  public mutating func scroll(by rows: Int, count: Int, height: Int) {
    top = min(max(0, top + rows), max(0, count - max(1, height)))
    selected = min(max(selected, top), top + max(1, height) - 1)
    selected = min(max(0, selected), max(0, count - 1))
  }

  /// Clamps the selection to the existing rows and scrolls it into view.
  public mutating func reveal(count: Int, height: Int) {
    selected = min(max(0, selected), max(0, count - 1))
    top = visibleTop(count: count, height: height)
  }

  /// Returns the first row to draw so that the selected one is visible and no space is wasted at the end.
  public func visibleTop(count: Int, height: Int) -> Int {
    let height = max(1, height)
    let selected = min(max(0, self.selected), max(0, count - 1))
    let top = min(max(0, self.top), max(0, count - height))
    return selected < top ? selected : selected >= top + height ? selected - height + 1 : top
  }
}

/// The outcome of an event in a standard view.
///
/// An event that the view does not handle gives nil instead.
public enum ViewOutcome: Sendable, Hashable {
  /// The state changed, or the event was handled without a change.
  case changed
  /// The item with an id was chosen, by Enter or a double click.
  case chosen(String)
  /// Details of the item with an id were requested, by its disclosure mark.
  case disclosed(String)
}
