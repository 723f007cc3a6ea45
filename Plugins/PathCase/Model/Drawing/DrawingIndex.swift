/// An index of a drawing's items by row, so that a window is drawn without visiting the others.
struct DrawingIndex: Sendable {
  /// The indices of boxes, wires and heads.
  struct Items: Sendable {
    var boxes: [Int] = []
    var wires: [Int] = []
    var heads: [Int] = []
  }

  private static let rowsOfBand = 16
  private var bands: [Items] = []

  init() {}

  init(_ drawing: TextDrawing) {
    bands = [Items](repeating: Items(), count: drawing.height / Self.rowsOfBand + 1)
    for (number, box) in drawing.boxes.enumerated() {
      for band in bandRange(box.window.row, box.window.height) { bands[band].boxes.append(number) }
    }
    for (number, wire) in drawing.wires.enumerated() {
      for band in bandRange(wire.row, wire.isVertical ? wire.length : 1) { bands[band].wires.append(number) }
    }
    for (number, head) in drawing.heads.enumerated() {
      for band in bandRange(head.row, 1) { bands[band].heads.append(number) }
    }
  }

  private func bandRange(_ row: Int, _ height: Int) -> ClosedRange<Int> {
    let first = min(max(0, row / Self.rowsOfBand), bands.count - 1)
    return first...max(first, min((row + height - 1) / Self.rowsOfBand, bands.count - 1))
  }

  /// Returns the items that may lie in some rows; an item may be listed more than once.
  func items(rows: ClosedRange<Int>) -> Items {
    var result = Items()
    guard rows.upperBound >= 0, !bands.isEmpty, rows.lowerBound < bands.count * Self.rowsOfBand else { return result }
    for band in bandRange(max(0, rows.lowerBound), rows.upperBound - max(0, rows.lowerBound) + 1) {
      result.boxes += bands[band].boxes
      result.wires += bands[band].wires
      result.heads += bands[band].heads
    }
    return result
  }
}
