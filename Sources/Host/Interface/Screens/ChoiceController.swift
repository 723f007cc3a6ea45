import PluginAPI

/// A sheet of things to choose from, with digits and first letters as shortcuts.
@MainActor final class ChoiceController: HostController {
  private let request: ChoiceRequest
  private var cursor: RowCursor
  /// In a sheet with a destructive choice, nothing is selected until the user moves.
  private var hasSelection: Bool
  private var size = Size(width: 0, height: 0)

  init(_ request: ChoiceRequest) {
    self.request = request
    let index = request.selected.flatMap { id in request.choices.firstIndex { $0.id == id } }
    cursor = RowCursor(selected: index ?? 0)
    hasSelection = index != nil || !request.isDestructive
  }

  var title: String { request.title }

  var view: any View {
    ChoiceView(request: request, selected: hasSelection ? cursor.selected : nil, cursor: cursor)
  }

  var hints: [KeyHint] { [KeyHint("enter", "choose"), KeyHint("esc", "close")] }

  func heading(width: Int) -> String { QuestionText.heading(title, width: width) }

  func popoverSize(in size: Size) -> Size {
    let width = request.choices.reduce(TextWidth.columns(request.title) + 8) { widest, choice in
      max(widest, TextWidth.columns(choice.title) + TextWidth.columns(choice.detail) + 10)
    }
    let head = ChoiceView.head(of: request, width: min(max(30, width), size.width))
    return Size(width: max(30, width), height: request.choices.count + head.count)
  }

  func choose(item id: String) -> [Effect] { [.pop(.text(id))] }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      size = geometry.size
      return []
    case .key(let key): return handle(key)
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  /// The rows for choices, below the question.
  private var rows: Int { max(1, size.height - ChoiceView.head(of: request, width: size.width).count) }

  private func handle(_ key: Key) -> [Effect]? {
    let choices = request.choices
    if key == Key(.enter) { return hasSelection && !choices.isEmpty ? [.pop(.text(choices[cursor.selected].id))] : [] }
    if let character = key.typedCharacter {
      if let digit = character.wholeNumberValue, choices.indices.contains(digit - 1) {
        return [.pop(.text(choices[digit - 1].id))]
      }
      return chooseByLetter(character)
    }
    if !hasSelection, [.up, .down, .home, .end].contains(key.code) {
      hasSelection = true
      return []
    }
    return cursor.handle(key, count: choices.count, height: rows) ? [] : nil
  }

  /// Handles a letter: it chooses the only title that starts with it, or moves among several.
  private func chooseByLetter(_ character: Character) -> [Effect]? {
    let letter = character.lowercased()
    let matching = request.choices.indices.filter { request.choices[$0].title.lowercased().hasPrefix(letter) }
    guard let first = matching.first else {
      if character == "j" || character == "k" {
        _ = cursor.handle(Key(.character(character)), count: request.choices.count, height: rows)
        return []
      }
      return nil
    }
    if matching.count == 1, !request.isDestructive { return [.pop(.text(request.choices[first].id))] }
    cursor.selected = matching.first { $0 > cursor.selected } ?? first
    hasSelection = true
    return []
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    switch mouse.action {
    case .scroll(let rows):
      cursor.scroll(by: rows, count: request.choices.count, height: self.rows)
      return []
    case .press where mouse.button == .left:
      let line = mouse.position.y - (size.height - rows)
      let index = cursor.visibleTop(count: request.choices.count, height: rows) + line
      return line >= 0 && request.choices.indices.contains(index) ? [.pop(.text(request.choices[index].id))] : []
    default: return nil
    }
  }
}

/// Draws a sheet of things to choose from.
struct ChoiceView: View {
  var request: ChoiceRequest
  var selected: Int?
  var cursor: RowCursor

  /// Returns the lines above the choices: a question too long for the heading, and the warning that it cannot be
  /// undone.
  static func head(of request: ChoiceRequest, width: Int) -> [StyledText.Run] {
    let warning: [StyledText.Run] =
      request.isDestructive ? [.init("! This cannot be undone", .warning), .init("")] : []
    return QuestionText.lines(request.title, width: width).map { .init($0) } + warning
  }

  func draw(into frame: inout TextFrame) {
    let lines = Self.head(of: request, width: frame.size.width)
    let head = min(lines.count, max(0, frame.size.height - 1))
    for (row, line) in lines.prefix(head).enumerated() { frame.put(line.text, x: 1, y: row, line.style) }
    let (width, height) = (frame.size.width, frame.size.height - head)
    let titles = request.choices.reduce(0) { max($0, TextWidth.columns($1.title)) }
    let top = cursor.visibleTop(count: request.choices.count, height: height)
    for row in 0..<max(0, min(height, request.choices.count - top)) {
      let choice = request.choices[top + row]
      let isSelected = selected == top + row
      let rect = Rect(x: 0, y: head + row, width: width, height: 1)
      if isSelected { frame.clear(rect, .selection) }
      let base = isSelected ? Style.selection : .plain
      frame.put(isSelected ? "▌" : " ", x: 0, y: rect.y, .accent)
      if top + row < 9 { frame.put("\(top + row + 1)", x: 2, y: rect.y, isSelected ? base : .accent) }
      frame.put(TextWidth.truncated(choice.title, to: width - 5), x: 4, y: rect.y, base)
      let x = 4 + titles + 3
      frame.put(
        TextWidth.truncated(choice.detail, to: width - x - 1), x: x, y: rect.y, isSelected ? base : .secondary)
    }
  }

  var outline: Outline {
    Outline(
      title: request.title, text: request.isDestructive ? ["This cannot be undone"] : [],
      items: request.choices.map { choice in
        let mark = choice.id == request.selected ? " (current)" : ""
        let text = [choice.title, choice.detail].filter { !$0.isEmpty }.joined(separator: "  ")
        return Outline.Item(id: choice.id, text: text + mark, action: ActionInvocation("choose"))
      })
  }
}

/// The question of a popover.
enum QuestionText {
  /// Returns the lines of a question that is too long for the heading, with a blank one below; none for one that fits
  /// there.
  ///
  /// Users must be able to read all they agree to, such as a fingerprint at the end of a long sentence.
  static func lines(_ title: String, width: Int) -> [String] {
    heading(title, width: width) == title ? [] : TextWidth.wrapped(title, to: max(8, width - 2)) + [""]
  }

  /// Returns a question that fits into the heading; empty for a longer one, whose lines the popover shows.
  static func heading(_ title: String, width: Int) -> String { TextWidth.columns(title) + 8 <= width ? title : "" }
}
