/// An editable line of text with a cursor, for search fields and prompts.
public struct InputLine: Sendable, Hashable {
  /// The text.
  public private(set) var text: String
  /// The number of characters before the cursor.
  public private(set) var cursor: Int
  /// A Boolean value indicating whether the whole text is selected: typing replaces it.
  public private(set) var isSelected = false

  /// Creates a line with the cursor after its text.
  public init(_ text: String = "") {
    self.text = text
    cursor = text.count
  }

  /// Creates a line with a proposed text, which is selected: typing replaces it; arrows, Home and End keep it.
  public init(proposing text: String) {
    self.init(text)
    isSelected = !text.isEmpty
  }

  /// Handles typed characters, pasted text and editing keys.
  ///
  /// Editing keys are arrows, Home, End, Backspace, Delete, and Ctrl with A, E, B, F, H, D, K, U and W as in a shell.
  /// - Returns: True if the event was handled.
  public mutating func handle(_ event: Event) -> Bool {
    switch event {
    case .paste(let pasted):
      insert(pasted.split(whereSeparator: \.isNewline).joined(separator: " "))
      return true
    case .key(let key):
      if let character = key.typedCharacter {
        insert(String(character))
        return true
      }
      return edit(key)
    default: return false
    }
  }

  private mutating func edit(_ key: Key) -> Bool {
    if isSelected, Self.deletes(key) {
      remove(0..<text.count)
      return true
    }
    switch (key.code, key.modifiers) {
    case (.left, []), (.character("b"), .control): cursor = max(0, cursor - 1)
    case (.right, []), (.character("f"), .control): cursor = min(text.count, cursor + 1)
    case (.home, []), (.character("a"), .control): cursor = 0
    case (.end, []), (.character("e"), .control): cursor = text.count
    case (.backspace, []), (.character("h"), .control): remove(cursor - 1..<cursor)
    case (.delete, []), (.character("d"), .control): remove(cursor..<cursor + 1)
    case (.character("k"), .control): remove(cursor..<text.count)
    case (.character("u"), .control): remove(0..<cursor)
    case (.character("w"), .control), (.backspace, .alt): remove(wordStart..<cursor)
    default: return false
    }
    isSelected = false
    return true
  }

  /// Returns true for keys that delete the selected text: those that delete a character or a word.
  private static func deletes(_ key: Key) -> Bool {
    let names = ["backspace", "delete", "alt-backspace", "ctrl-h", "ctrl-d", "ctrl-w"]
    return names.contains(key.description)
  }

  private mutating func insert(_ addition: String) {
    if isSelected { remove(0..<text.count) }
    let clean = addition.filter { TextWidth.columns($0) > 0 }
    let count = text.count
    text.insert(contentsOf: clean, at: text.index(text.startIndex, offsetBy: cursor))
    // A combining character joins the one before it, so the number of characters may grow by less.
    cursor = min(text.count, cursor + max(0, text.count - count))
  }

  private mutating func remove(_ range: Range<Int>) {
    isSelected = false
    let bounds = range.clamped(to: 0..<text.count)
    if bounds.isEmpty { return }
    let start = text.index(text.startIndex, offsetBy: bounds.lowerBound)
    text.removeSubrange(start..<text.index(start, offsetBy: bounds.count))
    cursor = min(bounds.lowerBound, text.count)
  }

  private var wordStart: Int {
    let before = Array(text.prefix(cursor))
    var index = before.count
    while index > 0, before[index - 1] == " " { index -= 1 }
    while index > 0, before[index - 1] != " " { index -= 1 }
    return index
  }

  /// Draws the line, scrolled so that the cursor is visible, and places the terminal's cursor there.
  ///
  /// - Parameters:
  ///   - frame: The frame to draw into.
  ///   - x: The first column.
  ///   - y: The row.
  ///   - width: The available columns.
  ///   - isSecret: True to show every character as a dot.
  public func draw(into frame: inout TextFrame, x: Int, y: Int, width: Int, isSecret: Bool = false) {
    guard width > 0 else { return }
    let shown = isSecret ? text.map { _ in Character("•") } : Array(text)
    var start = 0
    var before = shown.prefix(cursor).reduce(0) { $0 + TextWidth.columns($1) }
    while before >= width, start < cursor {
      before -= TextWidth.columns(shown[start])
      start += 1
    }
    frame.inside(Rect(x: x, y: y, width: width, height: 1)) {
      $0.put(String(shown[start...]), x: 0, y: 0, isSelected ? .selection : .plain)
    }
    frame.setCursor(x: x + before, y: y)
  }
}
