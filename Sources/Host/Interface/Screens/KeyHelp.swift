import PluginAPI

/// Makes the help of a screen from its key map and actions.
enum KeyHelp {
  /// A group of keys with their titles.
  struct Group {
    var heading: String
    var lines: [(keys: String, text: String)]
  }

  static func text(_ groups: [Group]) -> StyledText {
    let width = groups.flatMap(\.lines).reduce(0) { max($0, TextWidth.columns($1.keys)) }
    var text = StyledText()
    for group in groups where !group.lines.isEmpty {
      if !text.lines.isEmpty { text.add(.init("")) }
      text.add(.init(group.heading, .heading))
      for line in group.lines {
        text.add(.init("  " + TextWidth.padded(line.keys, to: width), .accent), .init("  " + line.text))
      }
    }
    return text
  }

  /// Returns the groups for a screen: its actions, then the host's keys, then the keys every list and text has.
  @MainActor static func groups(
    for screen: Screen, overrides: [String: [Key]], sequences: [SequenceBinding]
  ) -> [Group] {
    func all(_ keys: [Key], _ target: SequenceBinding.Target) -> String {
      ([labels(keys)] + sequences.filter { $0.target == target }.map(\.sequence.label)).filter { !$0.isEmpty }
        .joined(separator: "  ")
    }
    let actions = screen.keys.bindings
      .map { (keys: all($0.keys, .action($0.invocation)), text: $0.action.title) }.filter { !$0.keys.isEmpty }
    let host = HostKey.allCases.map { (keys: all($0.keys(overrides), .host($0)), text: $0.title) }
      .filter { !$0.keys.isEmpty }
    return [
      Group(heading: screen.description.title, lines: actions), Group(heading: "Everywhere", lines: host + fixed),
      Group(heading: "Lists and text", lines: lists),
    ]
  }

  private static let fixed: [(keys: String, text: String)] = [
    ("ctrl-c", "Cancel running work; twice: quit"), ("ctrl-z", "Suspend; resume with 'fg'"),
  ]

  private static let lists: [(keys: String, text: String)] = [
    ("↑ ↓  j k", "Move"), ("pgup pgdn", "Page up, page down"), ("home end  g G", "Go to the start, to the end"),
    ("enter", "Choose"), ("→", "Open details of rows marked ›"), ("/", "Filter a list, search a text"),
    ("click, double", "Select a row, choose it"),
  ]

  static func labels(_ keys: [Key]) -> String { keys.map(\.label).joined(separator: " ") }
}
