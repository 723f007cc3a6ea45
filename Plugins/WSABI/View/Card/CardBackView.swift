import PluginAPI

/// The back of the card: the condition of each part of the body, and notes.
struct CardBackView: View {
  var state: CardState

  func draw(into frame: inout TextFrame) {
    let width = frame.size.width
    let labelWidth = max(10, state.parts.reduce(0) { max($0, TextWidth.columns($1.title)) })
    for (index, part) in state.parts.enumerated() {
      let condition = state.conditions[index]
      frame.put(TextWidth.truncated(part.title, to: labelWidth), x: 2, y: 1 + index)
      let words = TextWidth.truncated(condition.shownText, to: max(1, width - labelWidth - 5))
      frame.put(words, x: 4 + labelWidth, y: 1 + index, condition == .present ? .secondary : .warning)
    }
    let notes = state.item?.annotation.notes ?? ""
    let y = 2 + state.parts.count
    frame.put("Notes", x: 2, y: y)
    let shown = notes.isEmpty ? ["none"] : Self.lines(notes, max(1, width - labelWidth - 6), frame.size.height - y)
    for (index, line) in shown.enumerated() {
      frame.put(line, x: 4 + labelWidth, y: y + index, notes.isEmpty ? .secondary : .plain)
    }
    let selected = state.selectedLine < state.parts.count ? 1 + state.selectedLine : y
    frame.put("▌", x: 0, y: selected, .accent)
  }

  /// Returns the lines of notes that fit, the last one marked if there are more.
  private static func lines(_ notes: String, _ width: Int, _ height: Int) -> [String] {
    let lines = TextWidth.wrapped(notes, to: width)
    guard lines.count > height, height > 0 else { return lines }
    return lines.prefix(height - 1) + [TextWidth.truncated(lines[height - 1] + " …", to: width)]
  }

  var outline: Outline {
    let parts = zip(state.parts, state.conditions).enumerated().map { index, pair in
      Outline.Item(
        id: "part-\(index)", text: "\(pair.0.title): \(pair.1.shownText)",
        action: ActionInvocation("choose-line", ["line": .integer(index)]))
    }
    let notes = state.item?.annotation.notes ?? ""
    return Outline(
      title: "Annotations",
      items: parts + [
        Outline.Item(
          id: "notes", text: notes.isEmpty ? "Notes: none" : "Notes: \(notes)",
          action: ActionInvocation("choose-line", ["line": .integer(state.parts.count)]))
      ])
  }
}

extension PartCondition {
  /// The text shown to people.
  var shownText: String {
    switch self {
    case .present: "all is well"
    case .amputated: "amputated"
    case .unprintable: "cannot be captured"
    case .bandaged: "bandaged"
    }
  }
}
