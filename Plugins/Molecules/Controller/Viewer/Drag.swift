import PluginAPI

/// What the mouse does while a button is down; decided by how it began, whatever is held later.
struct Drag: Equatable {
  enum Kind: Equatable {
    case turning, shifting
  }

  let kind: Kind
  var last: Point
  /// Whether the mouse left the cell it was pressed in: if not, it was a click.
  private(set) var hasMoved = false

  /// Begins a drag.
  init(_ mouse: Mouse) {
    let shifts = mouse.button != .left || mouse.modifiers.contains(.control)
    kind = shifts ? .shifting : .turning
    last = mouse.position
  }

  /// Goes on to a position.
  ///
  /// - Parameter pixelsPerCell: Picture pixels in a cell.
  /// - Returns: The way since the last position in picture pixels, x to the right and y down.
  mutating func move(to position: Point, pixelsPerCell: Size) -> SIMD2<Float> {
    if position != last { hasMoved = true }
    defer { last = position }
    return SIMD2(
      Float((position.x - last.x) * pixelsPerCell.width), Float((position.y - last.y) * pixelsPerCell.height))
  }
}
