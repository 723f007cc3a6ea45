import PluginAPI

/// The state of the screen before the store.
struct UnlockState: Sendable {
  /// True if there is a store; otherwise one is created.
  var exists = true
  /// The passphrase of an existing store, as far as it is typed.
  var passphrase = InputLine()
  /// A description of the work in progress; empty for none.
  var work = ""
  /// A description of the problem; empty for none.
  var problem = ""

  /// The choices: the screen's action, its key, and a label.
  var choices: [(action: UnlockAction, key: String, words: String)] {
    exists
      ? [
        (.passphrase, "enter", "Open it with the passphrase"), (.keyFile, "ctrl-o", "Open it with a key file"),
      ]
      : [
        (.passphrase, "enter", "Create a store with a passphrase"),
        (.keyFile, "ctrl-o", "Create a store with a key file"),
      ]
  }

  /// The explanatory paragraphs.
  var paragraphs: [String] {
    exists
      ? ["The store of people and captures is locked."]
      : [
        "No store of people and captures yet.",
        "All records are encrypted. If you lose the passphrase or key file, the data is lost: there is no other "
          + "way to open the store.",
      ]
  }
}

/// The screen before the store: opens it, or makes one.
struct UnlockView: View {
  var state: UnlockState

  /// A line of text, and the effect of choosing it.
  private struct Line {
    var text: String
    var style = Style.plain
    var choice: (action: UnlockAction, key: String, words: String)?
    /// True if the passphrase is typed here.
    var isField = false
  }

  private static let label = "Passphrase › "

  /// Returns the area of the frame, as high as its content, with a blank line above if there is room.
  private func area(in bounds: Rect) -> Rect {
    let width = min(64, bounds.width)
    let count = lines(width: max(1, width - 6), height: .max).count
    return bounds.centered(Size(width: width, height: min(count + 3, bounds.height)))
  }

  /// Returns the lines for a width; choices come before long texts if there is little room.
  private func lines(width: Int, height: Int) -> [Line] {
    func wrapped(_ text: String, _ style: Style = .plain) -> [Line] {
      TextWidth.wrapped(text, to: width).map { Line(text: $0, style: style) } + [Line(text: "")]
    }
    let paragraphs = state.paragraphs.flatMap { wrapped($0) }
    let field = state.exists ? [Line(text: Self.label, isField: true), Line(text: "")] : []
    let choices = field + state.choices.map { Line(text: $0.words, choice: $0) } + [Line(text: "")]
    let work = state.work.isEmpty ? choices : wrapped(state.work, .accent)
    let problem = state.problem.isEmpty ? [] : wrapped(state.problem, .error)
    let all = paragraphs + work + problem
    return all.count - 1 <= height ? all : work + problem + paragraphs
  }

  private func inside(_ area: Rect) -> (lines: [Line], rect: Rect) {
    let inner = area.inset(by: 1)
    let width = max(1, inner.width - 4)
    let top = lines(width: width, height: .max).count < inner.height ? 1 : 0
    let rect = Rect(x: inner.x + 2, y: inner.y + top, width: width, height: max(0, inner.height - top))
    let lines = lines(width: width, height: rect.height)
    guard lines.count > rect.height, rect.height > 0, lines[rect.height...].contains(where: { !$0.text.isEmpty }) else {
      return (lines, rect)
    }
    return (lines.prefix(rect.height - 1) + [Line(text: "…", style: .secondary)], rect)
  }

  func draw(into frame: inout TextFrame) {
    let area = area(in: frame.bounds)
    _ = frame.box(area, title: "WSABI")
    let (lines, rect) = inside(area)
    for (index, line) in lines.prefix(rect.height).enumerated() {
      let y = rect.y + index
      if line.isField {
        let room = TextWidth.columns(line.text)
        frame.put(line.text, x: rect.x, y: y, .accent)
        state.passphrase.draw(into: &frame, x: rect.x + room, y: y, width: rect.width - room, isSecret: true)
        continue
      }
      guard let choice = line.choice else {
        frame.put(line.text, x: rect.x, y: y, line.style)
        continue
      }
      frame.put(TextWidth.padded(choice.key, to: 7), x: rect.x, y: y, .accent)
      frame.put(TextWidth.truncated(choice.words, to: rect.width - 7), x: rect.x + 7, y: y)
    }
  }

  /// Returns the action of the choice at a position.
  func hit(_ point: Point, in size: Size) -> UnlockAction? {
    let (lines, rect) = inside(area(in: Rect(size)))
    let index = point.y - rect.y
    return rect.contains(point) && lines.indices.contains(index) ? lines[index].choice?.action : nil
  }

  var outline: Outline {
    let texts = state.paragraphs + [state.work, state.problem].filter { !$0.isEmpty }
    return Outline(
      title: "WSABI", text: texts,
      items: state.choices.map {
        Outline.Item(id: $0.action.rawValue, text: $0.words, action: ActionInvocation($0.action))
      })
  }
}
