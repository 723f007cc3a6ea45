@testable import PathCase

/// Inspects the cells of a drawing's lines one by one.
struct DrawingProbe {
  private(set) var problems: [String] = []
  private let drawing: TextDrawing
  private let layout: GraphLayout
  /// The cells of each route, with the direction of passage: 1 for vertical, 2 for horizontal, 3 for both.
  private var cells: [[Cell: Int]]

  private struct Cell: Hashable {
    var column: Int
    var row: Int
  }

  init(_ drawing: TextDrawing, _ layout: GraphLayout) {
    self.drawing = drawing
    self.layout = layout
    cells = .init(repeating: [:], count: layout.routes.count)
    for wire in drawing.wires {
      for step in 0..<wire.length {
        let cell = Cell(
          column: wire.column + (wire.isVertical ? 0 : step), row: wire.row + (wire.isVertical ? step : 0))
        cells[wire.route][cell, default: 0] |= wire.isVertical ? 1 : 2
      }
    }
    for route in layout.routes.indices { look(at: route) }
    lookAtSharedCells()
  }

  private mutating func look(at route: Int) {
    let ends = [layout.routes[route].source, layout.routes[route].target]
    for end in ends where !cells[route].keys.contains(where: { drawing.boxes[end].window.contains($0.column, $0.row) })
    {
      problems.append("route \(route) does not reach \(end)")
    }
    for box in drawing.boxes where !ends.contains(box.place) {
      if cells[route].keys.contains(where: { box.window.contains($0.column, $0.row) }) {
        problems.append("route \(route) goes through \(box.place)")
      }
    }
    guard let first = cells[route].keys.first else { return }
    var (seen, waiting): (Set<Cell>, [Cell]) = ([first], [first])
    while let cell = waiting.popLast() {
      for (column, row) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
        let next = Cell(column: cell.column + column, row: cell.row + row)
        if cells[route][next] != nil, seen.insert(next).inserted { waiting.append(next) }
      }
    }
    if seen.count != cells[route].count { problems.append("route \(route) is in pieces") }
  }

  /// Checks that lines share cells only where they cross or have a common end.
  private mutating func lookAtSharedCells() {
    var owners: [Cell: [Int]] = [:]
    for route in cells.indices { for cell in cells[route].keys { owners[cell, default: []].append(route) } }
    for (cell, routes) in owners where routes.count > 1 {
      if drawing.boxes.contains(where: { $0.window.contains(cell.column, cell.row) }) { continue }
      for (index, first) in routes.enumerated() {
        for second in routes.dropFirst(index + 1) where !haveCommonEnd(first, second) {
          let ways = [cells[first][cell], cells[second][cell]]
          if ways != [1, 2] && ways != [2, 1] { problems.append("routes \(first) and \(second) share \(cell)") }
        }
      }
    }
  }

  private func haveCommonEnd(_ first: Int, _ second: Int) -> Bool {
    let (one, other) = (layout.routes[first], layout.routes[second])
    return [other.source, other.target].contains(one.source) || [other.source, other.target].contains(one.target)
  }
}
