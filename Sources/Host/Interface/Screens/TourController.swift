import PluginAPI

/// The tour: a few short steps with what a new user needs to know.
enum Tour {
  /// A step of the tour.
  struct Step: Sendable, Hashable {
    /// The heading.
    var title: String
    /// The text, one paragraph per line.
    var lines: [String]

    fileprivate var value: Value { ["title": .text(title), "lines": .list(lines.map(Value.text))] }
  }

  /// The name of the screen.
  static let screen = "tour"

  /// The shape of the steps as a value.
  static let schema = ValueSchema.list(
    .record([.init("title", .text, "Heading"), .init("lines", .list(.text), "Paragraphs")]))

  /// Returns the steps, which name the user's keys.
  static func steps(keys: [String: [Key]]) -> [Step] {
    func key(_ key: HostKey) -> String { key.keys(keys).first?.label ?? "a key of your choice" }
    return [
      Step(
        title: "Plugins and documents",
        lines: [
          "Workbench loads a plugin for each field. The home screen lists them, with the documents you opened last.",
          "Enter opens the selected row. \(key(.back)) goes back; q on the first screen quits.",
          "'workbench open FILE' starts with a file.",
        ]),
      Step(
        title: "Keys",
        lines: [
          "The last line of a screen shows its most important keys. \(key(.help)) lists all of them.",
          "ctrl-c cancels running work. The mouse works too: a click selects, a double click opens.",
        ]),
      Step(
        title: "Commands",
        lines: [
          "\(key(.palette)) finds every command and action by name, and asks for missing arguments.",
          "The same commands work in a shell: 'workbench PLUGIN COMMAND', with --json and --csv for programs.",
          "'workbench help' lists them; 'workbench help COMMAND' has examples.",
        ]),
      Step(
        title: "Lists and text",
        lines: [
          "Arrows, page up and page down move; home and end go to the ends.",
          "/ filters a list and searches a text. A row marked › has details: press → to see them.",
        ]),
      Step(
        title: "Your way of working",
        lines: [
          "'workbench config list' shows the settings, such as high contrast, key maps and colors.",
          "--plain shows every screen as numbered lines, for screen readers and simple terminals.",
          "'workbench doctor' finds what is missing; 'workbench tour' shows these steps again.",
        ]),
    ]
  }

  /// The steps as a value.
  static func value(keys: [String: [Key]]) -> Value { .list(steps(keys: keys).map(\.value)) }

  /// Returns steps as text, one after the other.
  static func text(of steps: Value) -> StyledText {
    var text = StyledText()
    for (index, step) in (steps.list ?? []).enumerated() {
      if index > 0 { text.add(.init("")) }
      text.add(.init("\(index + 1). \(step["title"].text ?? "")", .heading))
      for line in (step["lines"].list ?? []).compactMap(\.text) { text.add(.init("   " + line)) }
    }
    return text
  }

  /// Returns true the first time, and records in the state folder that the tour was offered.
  static func isNew(folder: String) -> Bool {
    let file = StateFile(path: folder + "/tour")
    if file.read() != nil { return false }
    file.write(Array("offered\n".utf8))
    return true
  }
}

/// The tour as a screen, one step at a time.
@MainActor final class TourController: HostController {
  /// The choices at a step; their names are the ids of the items in linear reading.
  enum Choice: String {
    case next, previous, skip
  }

  private let steps: [Tour.Step]
  private var index = 0

  init(keys: [String: [Key]]) {
    steps = Tour.steps(keys: keys)
  }

  var title: String { "Tour" }
  var view: any View { TourView(step: steps[index], number: index + 1, count: steps.count) }

  var hints: [KeyHint] {
    [KeyHint("enter", isLast ? "finish" : "next")] + (index > 0 ? [KeyHint("←", "previous")] : [])
      + [KeyHint("esc", "skip")]
  }

  private var isLast: Bool { index == steps.count - 1 }

  func popoverSize(in size: Size) -> Size {
    let width = min(72, size.width - 6)
    let rows = steps.map { TourView(step: $0, number: 1, count: steps.count).text.wrapped(to: width - 2).lines.count }
    return Size(width: width, height: rows.max() ?? 0)
  }

  func handle(_ event: Event) -> [Effect]? {
    guard case .key(let key) = event else { return nil }
    switch key {
    case Key(.enter), Key(.right), Key(.character(" ")), Key(.down): return choose(.next)
    case Key(.left), Key(.up): return choose(.previous)
    case Key(.character("q")): return choose(.skip)
    default: return nil
    }
  }

  func choose(item id: String) -> [Effect] { Choice(rawValue: id).map(choose) ?? [] }

  private func choose(_ choice: Choice) -> [Effect] {
    switch choice {
    case .next:
      if isLast { return [.pop(.null)] }
      index += 1
    case .previous: index = max(0, index - 1)
    case .skip: return [.pop(.null)]
    }
    return []
  }
}

/// Draws a step of the tour.
struct TourView: View {
  var step: Tour.Step
  /// The number of the step, counted from 1.
  var number: Int
  /// The total number of steps.
  var count: Int

  /// The step as lines.
  var text: StyledText {
    var text = StyledText()
    text.add(.init("\(number) of \(count)  ", .secondary), .init(step.title, .heading))
    for line in step.lines {
      text.add(.init(""))
      text.add(.init(line))
    }
    return text
  }

  func draw(into frame: inout TextFrame) {
    for (row, line) in text.wrapped(to: max(1, frame.size.width - 2)).lines.prefix(frame.size.height).enumerated() {
      frame.put(line, x: 1, y: row)
    }
  }

  private func item(_ choice: TourController.Choice, _ text: String) -> Outline.Item {
    Outline.Item(id: choice.rawValue, text: text, action: ActionInvocation(choice.rawValue))
  }

  var outline: Outline {
    let isLast = number == count
    var items = [item(.next, isLast ? "Finish" : "Next step")]
    if number > 1 { items.append(item(.previous, "Previous step")) }
    if !isLast { items.append(item(.skip, "Skip the tour")) }
    return Outline(title: "\(number) of \(count): \(step.title)", text: step.lines, items: items)
  }
}
