/// Counts pairs of lines that cross.
enum CrossingCount {
  /// A straight segment of a line, its upper end first.
  private struct Piece {
    var line: Int
    var top: FrozenPath.Point
    var bottom: FrozenPath.Point
    var left: Double { min(top.x, bottom.x) }
    var right: Double { max(top.x, bottom.x) }
  }

  /// Returns the number of pairs of lines without a common end whose segments cross; lines that only touch do not
  /// count.
  ///
  /// - Parameters:
  ///   - ends: The two ends of each line.
  ///   - most: The maximum number of pairs to count, and of pairs of segments to examine; if all lines of a file
  ///     overlap, the latter grow with the square of the number of lines.
  /// - Returns: The number of pairs, and whether the count is complete.
  /// - Complexity: O(*n* log *n* + *k*), where *k* is the number of pairs of segments at the same height.
  static func pairs(
    _ lines: [[FrozenPath.Point]], ends: [(Int, Int)], most: (found: Int, looks: Int) = (1_000_000, 1_000_000_000)
  ) -> (count: Int, isWhole: Bool) {
    var pieces = pieces(lines)
    pieces.sort { $0.top.y != $1.top.y ? $0.top.y < $1.top.y : $0.line < $1.line }
    var active: [Piece] = []
    var found: Set<LayoutNet.Pair> = []
    var looks = 0
    for piece in pieces {
      looks += active.count
      if looks > most.looks || found.count > most.found { return (found.count, false) }
      active.removeAll { $0.bottom.y < piece.top.y || ($0.bottom.y == piece.top.y && $0.top.y < $0.bottom.y) }
      for other in active where cross(piece, other) && !meet(ends[piece.line], ends[other.line]) {
        found.insert(LayoutNet.Pair(min(piece.line, other.line), max(piece.line, other.line)))
      }
      active.append(piece)
    }
    return (found.count, true)
  }

  private static func pieces(_ lines: [[FrozenPath.Point]]) -> [Piece] {
    var result: [Piece] = []
    for (line, points) in lines.enumerated() {
      for (first, second) in zip(points, points.dropFirst()) where first != second {
        let isDown = first.y <= second.y
        result.append(Piece(line: line, top: isDown ? first : second, bottom: isDown ? second : first))
      }
    }
    return result
  }

  private static func meet(_ first: (Int, Int), _ second: (Int, Int)) -> Bool {
    first.0 == second.0 || first.0 == second.1 || first.1 == second.0 || first.1 == second.1
  }

  private static func cross(_ first: Piece, _ second: Piece) -> Bool {
    if first.line == second.line || first.right < second.left || second.right < first.left { return false }
    return side(first, second.top) * side(first, second.bottom) < 0
      && side(second, first.top) * side(second, first.bottom) < 0
  }

  /// Returns the side of a segment on which a point lies: -1, 0 or 1.
  private static func side(_ piece: Piece, _ point: FrozenPath.Point) -> Double {
    let first = (piece.bottom.x - piece.top.x) * (point.y - piece.top.y)
    let second = (piece.bottom.y - piece.top.y) * (point.x - piece.top.x)
    return first == second ? 0 : first < second ? -1 : 1
  }
}
