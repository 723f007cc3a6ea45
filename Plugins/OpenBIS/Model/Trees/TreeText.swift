import PluginText

/// A writer of the steps of a traversal as lines of a text tree.
///
/// ```text
/// P1  Plate 1                     [plate]
/// ├─ W1  Well 1
/// │  └─ (not loaded) X7
/// └─ P1  Plate 1  ↑ above
/// ```
/// Beyond a depth of 24, lines begin with their depth and are not indented further; otherwise a chain of 50 000
/// entities would take gigabytes of blanks.
struct TreeText {
  /// The largest number of levels by which lines are indented.
  static let deepestIndent = 24

  /// A Boolean value for each level, indicating whether its line continues below.
  private var guides: [Bool] = []
  /// A Boolean value indicating whether words replace lines, for linear reading.
  private let isPlain: Bool

  /// Creates a writer of one tree.
  init(isPlain: Bool = false) {
    self.isPlain = isPlain
  }

  /// Returns the line of the next step.
  mutating func line(_ step: EntityWalk.Step) -> String {
    let depth = step.depth
    guides.removeLast(max(0, guides.count - depth))
    defer { if depth < Self.deepestIndent { guides.append(!step.isLast) } }
    return indent(step) + Self.text(step)
  }

  /// Returns the prefix of a step's text.
  private func indent(_ step: EntityWalk.Step) -> String {
    if step.depth == 0 { return "" }
    if isPlain { return "level \(step.depth + 1): " }
    if step.depth >= Self.deepestIndent {
      return String(repeating: " ", count: 3 * Self.deepestIndent) + "⋮\(step.depth) "
    }
    let above = guides.dropFirst().prefix(step.depth - 1).map { $0 ? "│  " : "   " }.joined()
    return above + (step.isLast ? "└─ " : "├─ ")
  }

  /// Returns the text of a step.
  static func text(_ step: EntityWalk.Step) -> String {
    switch step.kind {
    case .entity: title(step)
    case .again: title(step) + "  ↑ above"
    case .notLoaded: EntityTitle.notLoaded(step.permID)
    case .left(let count): "… \(count) more"
    case .deeper(let count): "… \(count) below"
    }
  }

  private static func title(_ step: EntityWalk.Step) -> String {
    guard let summary = step.summary else { return SanitizedText.line(step.permID) }
    let category = SanitizedText.line(summary.category)
    return EntityTitle.line(summary) + (category.isEmpty ? "" : "  [\(category)]")
  }
}
