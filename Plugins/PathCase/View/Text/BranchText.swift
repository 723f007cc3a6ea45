import PluginAPI

/// A tree of short texts: a heading and what belongs to it, long texts wrapped beside their branch.
struct BranchText {
  /// One text with those below it.
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

  /// Adds a text at the left edge with what belongs to it.
  mutating func add(_ branch: Branch) {
    for line in TextWidth.wrapped(branch.text, to: width) { text.add(.init(line, branch.style)) }
    add(branch.branches, indent: "")
  }

  /// Adds branches; trees of scenarios are two deep, so that this does not go far.
  private mutating func add(_ branches: [Branch], indent: String) {
    for (index, branch) in branches.enumerated() {
      let isLast = index == branches.count - 1
      let first = isPlain ? "  " : isLast ? "└─ " : "├─ "
      let rest = isPlain ? "  " : isLast ? "   " : "│  "
      let room = max(10, width - TextWidth.columns(indent) - 3)
      for (place, line) in TextWidth.wrapped(branch.text, to: room).enumerated() {
        text.add(.init(indent + (place == 0 ? first : rest), .secondary), .init(line, branch.style))
      }
      add(branch.branches, indent: indent + rest)
    }
  }
}
