import PluginAPI

/// What the screen before the store shows.
struct UnlockState: Sendable {
  /// Whether there is a store; else one is made.
  var exists = true
  /// What is done now; empty for nothing.
  var work = ""
  /// What went wrong; empty for nothing.
  var problem = ""

  /// What can be done: the id of the screen's action, its key, and words.
  var choices: [(action: String, key: String, words: String)] {
    exists
      ? [
        ("passphrase", "enter", "Open it with a passphrase"), ("key-file", "f", "Open it with a key file"),
      ]
      : [
        ("passphrase", "enter", "Make a store that a passphrase opens"),
        ("key-file", "f", "Make a store that a key file opens"),
      ]
  }

  /// What people are told.
  var paragraphs: [String] {
    exists
      ? ["The store of people and captures is locked."]
      : [
        "There is no store of people and captures yet.",
        "Everything in it is encrypted. Whoever loses its passphrase or key file loses what is stored: there is no "
          + "other way in.",
      ]
  }
}

/// The screen before the store: opens it, or makes one.
struct UnlockView: View {
  var state: UnlockState

  func draw(into frame: inout TextFrame) {
    let area = frame.bounds.centered(Size(width: min(64, frame.size.width), height: 16))
    let inner = frame.box(area, title: "WSABI")
    var y = inner.y + 1
    let width = max(0, inner.width - 4)
    func write(_ text: String, _ style: Style, into frame: inout TextFrame) {
      for line in TextWidth.wrapped(text, to: width) {
        if y < inner.y + inner.height { frame.put(line, x: inner.x + 2, y: y, style) }
        y += 1
      }
      y += 1
    }
    for paragraph in state.paragraphs { write(paragraph, .plain, into: &frame) }
    if !state.work.isEmpty {
      write(state.work, .accent, into: &frame)
    } else {
      for choice in state.choices {
        guard y < inner.y + inner.height else { break }
        frame.put(TextWidth.padded(choice.key, to: 7), x: inner.x + 2, y: y, .accent)
        frame.put(TextWidth.truncated(choice.words, to: width - 7), x: inner.x + 9, y: y)
        y += 1
      }
      y += 1
    }
    if !state.problem.isEmpty { write(state.problem, .error, into: &frame) }
  }

  var outline: Outline {
    let texts = state.paragraphs + [state.work, state.problem].filter { !$0.isEmpty }
    return Outline(
      title: "WSABI", text: texts,
      items: state.choices.map { Outline.Item(id: $0.action, text: $0.words, action: ActionInvocation($0.action)) })
  }
}
