import PluginAPI

/// The back of the card: how each part of the body is, and notes.
struct CardBackView: View {
  var state: CardState

  func draw(into frame: inout TextFrame) {
    let width = frame.size.width
    let labelWidth = max(10, state.parts.reduce(0) { max($0, TextWidth.columns($1.title)) })
    for (index, part) in state.parts.enumerated() {
      let condition = state.conditions[index]
      frame.put(TextWidth.truncated(part.title, to: labelWidth), x: 2, y: 1 + index)
      frame.put(condition.shownText, x: 4 + labelWidth, y: 1 + index, condition == .present ? .secondary : .warning)
    }
    let notes = state.item?.annotation.notes ?? ""
    let y = 2 + state.parts.count
    frame.put("Notes", x: 2, y: y)
    let shown = notes.isEmpty ? ["none"] : TextWidth.wrapped(notes, to: max(1, width - labelWidth - 6))
    for (index, line) in shown.enumerated() {
      frame.put(line, x: 4 + labelWidth, y: y + index, notes.isEmpty ? .secondary : .plain)
    }
    let selected = state.selectedLine < state.parts.count ? 1 + state.selectedLine : y
    frame.put("▌", x: 0, y: selected, .accent)
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
  /// What people read.
  var shownText: String {
    switch self {
    case .present: "all is well"
    case .amputated: "amputated"
    case .unprintable: "cannot be captured"
    case .bandaged: "bandaged"
    }
  }
}
