/// Finds positions for names beside their nodes, away from nodes, lines and other names.
struct LabelPlaces: Sendable {
  /// The cell width of the grid that indexes obstacles.
  private let cell: Double
  private var boxes: [LayoutBounds] = []
  private var boxesOfCell: [Cell: [Int]] = [:]
  private var pointsOfCell: [Cell: [FrozenPath.Point]] = [:]
  /// The maximum number of obstacles that a name is compared with, which bounds the cost of crowded areas.
  private static let most = 64

  private struct Cell: Hashable {
    var column: Int
    var row: Int
  }

  init(cell: Double) { self.cell = max(cell, 1) }

  /// Adds a rectangle that names must not cover.
  mutating func block(_ box: LayoutBounds) {
    let cells = cells(of: box)
    if cells.count > 400 { return }
    for cell in cells { boxesOfCell[cell, default: []].append(boxes.count) }
    boxes.append(box)
  }

  /// Adds points of a line that names should avoid.
  mutating func block(line points: [FrozenPath.Point]) {
    for point in points { pointsOfCell[key(point.x, point.y), default: []].append(point) }
  }

  /// Returns the index of the candidate with the least overlap; the first among equals.
  ///
  /// The chosen rectangle becomes an obstacle.
  mutating func take(_ candidates: [LayoutBounds]) -> Int {
    var best = (index: 0, cost: Double.infinity)
    for (index, box) in candidates.enumerated() {
      // Later candidates are slightly worse.
      let cost = cost(of: box) + Double(index) * 0.6
      if cost < best.cost { best = (index, cost) }
      if cost == Double(index) * 0.6, index == 0 { break }
    }
    if !candidates.isEmpty { block(candidates[best.index]) }
    return best.index
  }

  private func cost(of box: LayoutBounds) -> Double {
    let cells = cells(of: box)
    if cells.count > 400 { return 0 }
    var cost = 0.0
    var seen: Set<Int> = []
    for cell in cells {
      for index in boxesOfCell[cell, default: []].prefix(Self.most) where seen.insert(index).inserted {
        let other = boxes[index]
        let width = min(box.right, other.right) - max(box.left, other.left)
        let height = min(box.bottom, other.bottom) - max(box.top, other.top)
        if width > 0, height > 0 { cost += 12 + width * height / 12 }
      }
      for point in pointsOfCell[cell, default: []].prefix(Self.most) {
        let isIn = point.x > box.left && point.x < box.right && point.y > box.top && point.y < box.bottom
        if isIn { cost += 1.5 }
      }
    }
    return cost
  }

  private func cells(of box: LayoutBounds) -> [Cell] {
    let (from, to) = (key(box.left, box.top), key(box.right, box.bottom))
    let columns = to.column - from.column + 1
    let rows = to.row - from.row + 1
    if columns > 400 || rows > 400 || columns * rows > 400 { return [Cell](repeating: from, count: 401) }
    return (from.row...to.row).flatMap { row in (from.column...to.column).map { Cell(column: $0, row: row) } }
  }

  private func key(_ x: Double, _ y: Double) -> Cell {
    // Layouts are at most a few million wide; positions that are not finite were rejected before.
    func index(_ value: Double) -> Int { Int(min(max((value / cell).rounded(.down), -1e9), 1e9)) }
    return Cell(column: index(x), row: index(y))
  }
}
