/// Finds places for names beside what they belong to, off nodes, lines and each other.
struct LabelPlaces: Sendable {
  /// The width of a square of the grid that what is in the way is kept in.
  private let cell: Double
  private var boxes: [LayoutBounds] = []
  private var boxesOfCell: [Cell: [Int]] = [:]
  private var pointsOfCell: [Cell: [FrozenPath.Point]] = [:]
  /// A name is compared with so many things at most, so that a heap of them costs no more.
  private static let most = 64

  private struct Cell: Hashable {
    var column: Int
    var row: Int
  }

  init(cell: Double) { self.cell = max(cell, 1) }

  /// Notes a rectangle that nothing shall cover.
  mutating func block(_ box: LayoutBounds) {
    let cells = cells(of: box)
    if cells.count > 400 { return }
    for cell in cells { boxesOfCell[cell, default: []].append(boxes.count) }
    boxes.append(box)
  }

  /// Notes places on a line, which names shall not cover if it can be helped.
  mutating func block(line points: [FrozenPath.Point]) {
    for point in points { pointsOfCell[key(point.x, point.y), default: []].append(point) }
  }

  /// Which of some rectangles is in the way least; the first of equal ones.
  ///
  /// The rectangle is taken.
  mutating func take(_ candidates: [LayoutBounds]) -> Int {
    var best = (index: 0, cost: Double.infinity)
    for (index, box) in candidates.enumerated() {
      // Places that come later are a little worse.
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
    // Layouts are at most a few million wide; what is not finite was refused before.
    func index(_ value: Double) -> Int { Int(min(max((value / cell).rounded(.down), -1e9), 1e9)) }
    return Cell(column: index(x), row: index(y))
  }
}
