extension GraphNode {
  /// What it stands for.
  var subject: Identifier { entity ?? id }
}

extension ReactionGraph {
  /// The rectangle around everything that has a place, with a margin on each side; one of the margin if nothing has.
  func bounds(margin: Double) -> GraphFrame {
    let frames = nodes.compactMap(\.frame) + compartments.compactMap(\.frame) + figures.map(\.frame)
    guard let first = frames.first else { return GraphFrame(x: 0, y: 0, width: 2 * margin, height: 2 * margin) }
    var (left, right) = (first.x, first.x)
    var (top, bottom) = (first.y, first.y)
    for frame in frames {
      left = min(left, frame.x - frame.width / 2)
      right = max(right, frame.x + frame.width / 2)
      top = min(top, frame.y - frame.height / 2)
      bottom = max(bottom, frame.y + frame.height / 2)
    }
    return GraphFrame(
      x: (left + right) / 2, y: (top + bottom) / 2, width: right - left + 2 * margin, height: bottom - top + 2 * margin)
  }
}
