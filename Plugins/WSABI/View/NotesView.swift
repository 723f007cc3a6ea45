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
          .init(id: "add", text: "Add a line", action: ActionInvocation(NotesAction.add)),
          .init(id: "empty", text: "Clear the notes", action: ActionInvocation(NotesAction.empty)),
          .init(id: "keep", text: "Save the notes", action: ActionInvocation(NotesAction.keep)),
        ])
  }
}

/// A multi-line text input with a cursor; long lines are wrapped for display.
///
/// It is independent of the text's purpose.
struct TextArea: Sendable, Hashable {
  /// A line of the screen: the part of a line of the text that it shows.
  struct Row: Sendable, Hashable {
    var line: Int
    /// The characters of the line, 0-based.
    var range: Range<Int>
  }

  /// Never empty.
  private var lines: [[Character]]
  /// The line the cursor is in, and the number of characters before it there.
  private(set) var line: Int
  private(set) var column: Int
  /// The row of the screen that is drawn first.
  private(set) var top = 0
  /// The column of the screen that moves up and down aim at; nil while the cursor goes by characters.
  private var aim: Int?

  /// Creates an area with a text and the cursor at its end.
  init(_ text: String = "") {
    lines = Self.lines(of: text)
    line = lines.count - 1
    column = lines[lines.count - 1].count
  }

  /// The text; lines are separated by line feeds.
  var text: String { lines.map { String($0) }.joined(separator: "\n") }

  private static func lines(of text: String) -> [[Character]] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
      line.map { $0 == "\t" ? " " : $0 }.filter { TextWidth.columns($0) > 0 }
    }
  }

  // MARK: Typing

  /// Handles typed characters, pasted text, and editing keys: those of a line, Enter, and arrows up and down.
  ///
  /// - Parameter size: The room the text is drawn in.
  /// - Returns: True if the event is one of them.
  mutating func handle(_ event: Event, in size: Size) -> Bool {
    defer { reveal(in: size) }
    switch event {
    case .paste(let pasted):
      insert(Self.lines(of: pasted))
      return true
    case .key(let key):
      if let character = key.typedCharacter {
        insert(Self.lines(of: String(character)))
        return true
      }
      return edit(key) || move(key, in: size)
    default: return false
    }
  }

  private mutating func edit(_ key: Key) -> Bool {
    switch (key.code, key.modifiers) {
    case (.enter, []): insert([[], []])
    case (.backspace, []), (.character("h"), .control): removeBefore()
    case (.delete, []), (.character("d"), .control): removeBehind()
    case (.character("k"), .control): column < lines[line].count ? remove(column..<lines[line].count) : removeBehind()
    case (.character("u"), .control): remove(0..<column)
    case (.character("w"), .control), (.backspace, .alt): remove(wordStart..<column)
    default: return false
    }
    aim = nil
    return true
  }

  private mutating func insert(_ addition: [[Character]]) {
    guard let first = addition.first, let last = addition.last else { return }
    let rest = Array(lines[line][column...])
    lines[line].replaceSubrange(column..., with: first)
    if addition.count > 1 {
      lines.insert(contentsOf: addition[1...], at: line + 1)
      line += addition.count - 1
      column = last.count
    } else {
      column += first.count
    }
    lines[line] += rest
    // Typed text may have joined the character before it.
    let before = Array(String(lines[line][..<column]))
    (lines[line], column) = (before + rest, before.count)
    aim = nil
  }

  private mutating func remove(_ range: Range<Int>) {
    lines[line].removeSubrange(range)
    column = range.lowerBound
  }

  private mutating func removeBefore() {
    if column > 0 { return remove(column - 1..<column) }
    guard line > 0 else { return }
    let rest = lines.remove(at: line)
    line -= 1
    column = lines[line].count
    lines[line] += rest
  }

  private mutating func removeBehind() {
    if column < lines[line].count { return remove(column..<column + 1) }
    if line + 1 < lines.count { lines[line] += lines.remove(at: line + 1) }
  }

  private var wordStart: Int {
    let text = lines[line]
    var start = column
    while start > 0, text[start - 1] == " " { start -= 1 }
    while start > 0, text[start - 1] != " " { start -= 1 }
    return start
  }

  // MARK: Moving

  private mutating func move(_ key: Key, in size: Size) -> Bool {
    switch (key.code, key.modifiers) {
    case (.up, []): move(rows: -1, in: size)
    case (.down, []): move(rows: 1, in: size)
    case (.pageUp, []): move(rows: -max(1, size.height - 1), in: size)
    case (.pageDown, []): move(rows: max(1, size.height - 1), in: size)
    default:
      aim = nil
      return step(key)
    }
    return true
  }

  private mutating func step(_ key: Key) -> Bool {
    switch (key.code, key.modifiers) {
    case (.left, []), (.character("b"), .control): back()
    case (.right, []), (.character("f"), .control): ahead()
    case (.home, []), (.character("a"), .control): column = 0
    case (.end, []), (.character("e"), .control): column = lines[line].count
    case (.home, .control): (line, column) = (0, 0)
    case (.end, .control): (line, column) = (lines.count - 1, lines[lines.count - 1].count)
    default: return false
    }
    return true
  }

  private mutating func back() {
    if column > 0 {
      column -= 1
    } else if line > 0 {
      line -= 1
      column = lines[line].count
    }
  }

  private mutating func ahead() {
    if column < lines[line].count {
      column += 1
    } else if line + 1 < lines.count {
      (line, column) = (line + 1, 0)
    }
  }

  private mutating func move(rows step: Int, in size: Size) {
    let rows = rows(width: size.width)
    let (row, x) = position(in: rows)
    let wanted = aim ?? x
    let target = min(max(0, row + step), rows.count - 1)
    go(to: rows[target], x: wanted, isLast: target + 1 == rows.count || rows[target + 1].line != rows[target].line)
    aim = wanted
  }

  private mutating func go(to row: Row, x: Int, isLast: Bool) {
    var (index, width) = (row.range.lowerBound, 0)
    // The position after the last character of a wrapped row is that of the next row's first.
    let end = isLast ? row.range.upperBound : max(row.range.lowerBound, row.range.upperBound - 1)
    while index < end {
      let columns = TextWidth.columns(lines[row.line][index])
      if width + columns > x { break }
      (index, width) = (index + 1, width + columns)
    }
    (line, column) = (row.line, index)
  }

  /// Puts the cursor at a cell of the room the text is drawn in.
  mutating func point(at point: Point, in size: Size) {
    let rows = rows(width: size.width)
    let target = min(max(0, top + point.y), rows.count - 1)
    go(to: rows[target], x: point.x, isLast: target + 1 == rows.count || rows[target + 1].line != rows[target].line)
    aim = nil
    reveal(in: size)
  }

  // MARK: Showing

  /// Returns the screen rows for a width; one column is reserved for the cursor after a full row.
  func rows(width: Int) -> [Row] {
    let room = max(1, width - 1)
    return lines.indices.flatMap { number -> [Row] in
      let text = lines[number]
      var (rows, start, width, index): ([Row], Int, Int, Int) = ([], 0, 0, 0)
      var afterBlank: Int?
      while index < text.count {
        let columns = TextWidth.columns(text[index])
        if width + columns > room, index > start {
          let end = afterBlank ?? index
          rows.append(Row(line: number, range: start..<end))
          (start, width, afterBlank, index) = (end, 0, nil, end)
          continue
        }
        width += columns
        index += 1
        if text[index - 1] == " " { afterBlank = index }
      }
      return rows + [Row(line: number, range: start..<text.count)]
    }
  }

  /// Returns the row and the column of the cursor on the screen.
  private func position(in rows: [Row]) -> (row: Int, x: Int) {
    let row = rows.lastIndex { $0.line == line && $0.range.lowerBound <= column } ?? 0
    return (row, lines[line][rows[row].range.lowerBound..<column].reduce(0) { $0 + TextWidth.columns($1) })
  }

  /// Brings the cursor into sight.
  mutating func reveal(in size: Size) {
    let rows = rows(width: size.width)
    let row = position(in: rows).row
    let height = max(1, size.height)
    top = max(min(top, row), row - height + 1)
    top = max(0, min(top, rows.count - height))
  }

  /// Draws the visible part, and places the terminal's cursor where typing continues.
  func draw(into frame: inout TextFrame, in rect: Rect) {
    guard rect.width > 0, rect.height > 0 else { return }
    let rows = rows(width: rect.width)
    for (y, row) in rows.dropFirst(top).prefix(rect.height).enumerated() {
      frame.put(String(lines[row.line][row.range]), x: rect.x, y: rect.y + y)
    }
    let (row, x) = position(in: rows)
    guard (top..<top + rect.height).contains(row) else { return }
    frame.setCursor(x: rect.x + x, y: rect.y + row - top)
  }
}
