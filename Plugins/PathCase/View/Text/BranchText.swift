import PluginAPI

/// A tree of short texts: a heading and its branches, with long texts wrapped beside their branch.
struct BranchText {
  /// A text with its branches.
  struct Branch: Sendable {
    var text: String
    var style = Style.plain
    var branches: [Branch] = []
  }

  private(set) var text = StyledText()
  private let width: Int
  private let isPlain: Bool

  init(_ request: TextRequest) {
    width = max(20, request.width)
    isPlain = request.isPlain
  }

  /// Adds a text at the left edge with its branches.
  mutating func add(_ branch: Branch) {
    for line in TextWidth.wrapped(branch.text, to: width) { text.add(.init(line, branch.style)) }
    add(branch.branches, indent: "")
  }

  /// Adds branches; trees of scenarios have two levels, so the recursion is shallow.
  private mutating func add(_ branches: [Branch], indent: String) {
    for (index, branch) in branches.enumerated() {
      let isLast = index == branches.count - 1
      let first = isPlain ? "  " : isLast ? "└─ " : "├─ "
      let rest = isPlain ? "  " : isLast ? "   " : "│  "
      let room = max(10, width - TextWidth.columns(indent) - 3)
      // Text that fits keeps its spaces, which align columns.
      let fits = TextWidth.columns(branch.text) <= room
      for (place, line) in (fits ? [branch.text] : TextWidth.wrapped(branch.text, to: room)).enumerated() {
        text.add(.init(indent + (place == 0 ? first : rest), .secondary), .init(line, branch.style))
      }
      add(branch.branches, indent: indent + rest)
    }
  }
}
