import PluginAPI

/// A step of the walkthrough.
struct WalkthroughView: View {
  var state: WalkthroughState

  /// Where the list of a step is.
  static func list(in rect: Rect) -> Rect { rect.split(top: 3).rest }

  func draw(into frame: inout TextFrame) {
    let width = frame.size.width
    let trail = (state.trail + [state.question]).joined(separator: " › ")
    frame.put(TextWidth.truncated(trail, to: width - 2), x: 2, y: 1, .heading)
    if state.step == .setup {
      drawSetup(into: &frame)
    } else {
      frame.draw(ListView("", state.list), in: Self.list(in: frame.bounds))
    }
  }

  private func drawSetup(into frame: inout TextFrame) {
    let room = max(1, frame.size.width - 14)
    draw(field: "Name", state.name, isActive: state.isAtName, y: 3, room, into: &frame)
    draw(field: "Address", state.address, isActive: !state.isAtName, y: 5, room, into: &frame)
    let check = state.check.check
    frame.put(check.glyph, x: 2, y: 7, check.style)
    for (index, line) in TextWidth.wrapped(check.text, to: frame.size.width - 6).enumerated() {
      frame.put(line, x: 4, y: 7 + index, check.style)
    }
    let done = check.allowsDone ? "enter is done · " : ""
    frame.put(
      TextWidth.truncated(done + "tab the other line · ctrl-r checks again · escape goes back", to: room + 10),
      x: 2, y: 10, .secondary)
    if !state.message.isEmpty {
      for (index, line) in TextWidth.wrapped(state.message, to: room + 10).enumerated() {
        frame.put(line, x: 2, y: 12 + index, .error)
      }
    }
  }

  private func draw(
    field label: String, _ line: InputLine, isActive: Bool, y: Int, _ room: Int, into frame: inout TextFrame
  ) {
    frame.put(label, x: 2, y: y, isActive ? .accent : .secondary)
    if isActive {
      line.draw(into: &frame, x: 12, y: y, width: room)
    } else {
      frame.put(TextWidth.truncated(line.text, to: room), x: 12, y: y)
    }
  }

  var outline: Outline {
    let title = (state.trail + [state.question]).joined(separator: " › ")
    guard state.step == .setup else {
      let items = state.list.rows.map { row in
        Outline.Item(
          id: row.id, text: row.detail.isEmpty ? row.title : "\(row.title), \(row.detail)",
          action: ActionInvocation("choose", ["id": .text(row.id)]))
      }
      let look = Outline.Item(id: "look", text: "Look for sensors", action: ActionInvocation("look"))
      return Outline(title: title, items: items + (state.step == .device ? [look] : []))
    }
    let done =
      state.check.check.allowsDone ? [Outline.Item(id: "done", text: "Done", action: ActionInvocation("done"))] : []
    return Outline(
      title: title, text: [state.check.check.text, state.message].filter { !$0.isEmpty },
      fields: [.init("Name", state.name.text), .init("Address", state.address.text)], items: done)
  }
}

extension SensorCheck {
  /// One column wide.
  fileprivate var glyph: String {
    switch self {
    case .blank: " "
    case .checking: "◌"
    case .notFound: "?"
    case .badModality, .badSubmodality: "▲"
    case .successful: "●"
    }
  }

  fileprivate var style: Style {
    switch self {
    case .blank: .secondary
    case .checking: .accent
    case .notFound, .badModality, .badSubmodality: .warning
    case .successful: .success
    }
  }
}
