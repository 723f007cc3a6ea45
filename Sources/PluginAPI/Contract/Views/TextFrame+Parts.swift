extension TextFrame {
  /// Draws a scroll bar; nothing if all of the content is visible.
  ///
  /// - Parameters:
  ///   - x: The column.
  ///   - rows: The rows it covers.
  ///   - top: The first visible row of the content.
  ///   - count: The number of rows of the content.
  public mutating func scrollBar(x: Int, rows: Range<Int>, top: Int, count: Int) {
    let height = rows.count
    guard height > 0, count > height else { return }
    let length = max(1, height * height / count)
    let room = height - length
    let start = min(room, max(0, top) * room / max(1, count - height))
    for row in 0..<height {
      let isThumb = row >= start && row < start + length
      put(isThumb ? "┃" : "│", x: x, y: rows.lowerBound + row, isThumb ? .plain : .secondary)
    }
  }

  /// Draws text with some characters highlighted as matches.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - positions: The 0-based positions of the matched characters.
  ///   - x: The column of its first character.
  ///   - y: The row.
  ///   - width: The available columns; longer text is cut with an ellipsis.
  ///   - style: The style of the text.
  public mutating func put(
    _ text: String, matching positions: [Int], x: Int, y: Int, width: Int, _ style: Style = .plain
  ) {
    let shown = TextWidth.truncated(text, to: width)
    if positions.isEmpty {
      put(shown, x: x, y: y, style)
      return
    }
    let matched = Set(positions)
    var column = x
    for (index, character) in shown.enumerated() {
      let look = matched.contains(index) ? style.adding([.bold, .underline]) : style
      column = put(String(character), x: column, y: y, look)
    }
  }

  /// Draws the mark of a selected row in its first column, and the selection behind the row.
  ///
  /// The mark shows the selection without colors: `▌` where the row receives keys, `▏` where it does not.
  mutating func selectRow(_ rect: Rect, isActive: Bool) {
    if isActive { restyle(rect) { Style(attributes: $0.attributes.union(.reverse).subtracting(.dim)) } }
    put(isActive ? "▌" : "▏", x: rect.x, y: rect.y, .accent)
  }
}
